#include "analyzer/analyzer.h"
#include "tools/base/ask.h"
#include "tools/base/house.h"
#include "tools/doctor/doctor.h"
#include "tools/pipeline/pipeline.h"
#include "tools/run/launch.h"
#include "tools/run/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A marked loop, system headers, a result that is known. */
static const char text[] = "#include <orrery.h>\n"
                           "#include <math.h>\n"
                           "#include <stddef.h>\n"
                           "#include <stdio.h>\n"
                           "static double a[1000];\n"
                           "int main(void) {\n"
                           "    double sum = 0;\n"
                           "    ORRERY_PARALLEL(unordered)\n"
                           "    for (long i = 0; i < 1000; ++i) {\n"
                           "        a[i] = sqrt((double)i * (double)i);\n"
                           "        sum += a[i];\n"
                           "    }\n"
                           "    return printf(\"%g\\n\", sum + a[999]) < 0;\n"
                           "}\n";
static const char answer[] = "500499\n";

enum { PATIENCE = 60 };

void doctor_libclang(struct doctor *doctor) {
    struct arena *arena = doctor->arena;
    const char *version = parse_clang_version(arena);
    struct compilation pipeline;
    struct compile_request request = pipeline_named(arena, "doctor.c", NULL, NULL);
    request.file.text = text;
    compile_unit(&pipeline, arena, &request);
    if (!pipeline.unit || pipeline.diags.nerrors > 0) {
        const char *why = pipeline.diags.count > 0 ? pipeline.diags.items[0].message : "no tree";
        doctor_say(doctor, DOCTOR_WRONG, "libclang", arena_printf(arena, "%s: %s", version, why),
                   "its headers and those of the C library are needed: apt-get install "
                   "libclang-common-19-dev libc6-dev");
        return;
    }
    bool parallel = pipeline.nplans == 1 && pipeline.plans[0]->strategy != STRATEGY_SERIAL;
    doctor_say(doctor, parallel ? DOCTOR_GOOD : DOCTOR_WRONG, "libclang",
               parallel ? version : arena_printf(arena, "%s: a simple loop stays serial", version),
               parallel ? NULL : "try another version of libclang, 19 or newer");
}

/* ---- the program ----------------------------------------------------------------------------- */

/* The first lines of a file, on one line. */
static const char *head(struct arena *arena, const char *path) {
    char line[400];
    FILE *in = fopen(path, "r");
    size_t length = in ? fread(line, 1, sizeof line - 1, in) : 0;
    if (in)
        fclose(in);
    line[length] = '\0';
    for (char *at = line; *at; ++at)
        if (*at == '\n')
            *at = at[1] ? ' ' : '\0';
    return arena_strdup(arena, line);
}

/* 1: the answer alone, 2: messages beside it, 0: no answer. */
static int has_answer(const char *path) {
    char line[400];
    bool found = false, more = false;
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        found |= strcmp(line, answer) == 0;
        more |= strcmp(line, answer) != 0;
    }
    if (in)
        fclose(in);
    return found ? 1 + more : 0;
}

static bool write_text(const char *path) {
    FILE *out = fopen(path, "w");
    bool written = out && fputs(text, out) >= 0;
    return out && fclose(out) == 0 && written;
}

static const char *build_advice(const char *said) {
    if (strstr(said, "cannot run"))
        return "install a C compiler (apt-get install gcc libc6-dev), or name one in ORRERY_CC";
    return "orrery-cc has to build this before it builds anything: see what it says";
}

static bool build(struct doctor *doctor, const char *program) {
    struct arena *arena = doctor->arena;
    struct house house;
    house_find(&house, arena);
    const char *source = arena_printf(arena, "%s/doctor.c", doctor->folder);
    const char *output = arena_printf(arena, "%s/output", doctor->folder);
    const char *compiler = ask_version(arena, ask_compiler());
    struct arg_list words = {.arena = arena};
    const char *const command[] = {arena_printf(arena, "%s-cc", house.orrery),
                                   "-O1",
                                   "-Werror=serial",
                                   source,
                                   "-o",
                                   program,
                                   "-lm"};
    for (size_t i = 0; i < sizeof command / sizeof *command; ++i)
        arg_list_push(&words, command[i]);
    int status = write_text(source) ? supervise("doctor", &words, PATIENCE, output) : 1;
    if (status == 0) {
        doctor_say(doctor, DOCTOR_GOOD, "compiler", compiler ? compiler : ask_compiler(), NULL);
        return true;
    }
    const char *said = head(arena, output);
    doctor_say(doctor, DOCTOR_WRONG, "compiler",
               arena_printf(arena, "%s: status %d: %s", ask_compiler(), status, said),
               build_advice(said));
    return false;
}

static void try_run(struct doctor *doctor, const char *name, const char *program, long ranks,
                    const char *advice) {
    struct arena *arena = doctor->arena;
    const char *output = arena_printf(arena, "%s/output", doctor->folder);
    struct launch launch = {.ranks = ranks,
                            .threads = ranks ? 1 : 2,
                            .timeout = PATIENCE,
                            .oversubscribe = true,
                            .output = output,
                            .program = {.arena = arena}};
    arg_list_push(&launch.program, program);
    int status = launch_run(arena, "doctor", &launch);
    const char *with = ranks ? ask_version(arena, ask_quote(arena, ask_launcher())) : "2 threads";
    const char *good =
        ranks ? arena_printf(arena, "2 ranks by %s", with ? with : ask_launcher()) : with;
    int found = status == 0 ? has_answer(output) : 0;
    if (found == 1)
        doctor_say(doctor, DOCTOR_GOOD, name, good, NULL);
    else if (found == 2)
        doctor_say(
            doctor, DOCTOR_NOTE, name,
            arena_printf(arena, "%s; it also says: %s", good, head(arena, output)),
            "the answer is right: messages of the machine's libraries (no /sys in a container?)");
    else
        doctor_say(doctor, DOCTOR_WRONG, name,
                   arena_printf(arena, "status %d: %s", status, head(arena, output)), advice);
}

void doctor_program(struct doctor *doctor) {
    const char *program = arena_printf(doctor->arena, "%s/doctor", doctor->folder);
    if (!build(doctor, program))
        return;
    try_run(doctor, "threads", program, 0, "programs built by orrery-cc do not run here");
    if (ask_version(doctor->arena, ask_quote(doctor->arena, ask_launcher())))
        try_run(
            doctor, "MPI", program, 2,
            "the launcher and the MPI library have to be of one kind: apt-get install openmpi-bin; "
            "ORRERY_MPIRUN names another launcher");
    else
        doctor_say(doctor, DOCTOR_NOTE, "MPI",
                   arena_printf(doctor->arena, "the launcher %s cannot be run", ask_launcher()),
                   "for several ranks: apt-get install openmpi-bin, or name one in ORRERY_MPIRUN");
}
