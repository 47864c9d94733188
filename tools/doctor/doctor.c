/* `orrery doctor`: is everything there that the commands and the programs need? */
#define _GNU_SOURCE
#include "tools/doctor/doctor.h"

#include "tools/base/status.h"

#include <errno.h>
#include <ftw.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {
    [DOCTOR_GOOD] = "good", [DOCTOR_NOTE] = "note", [DOCTOR_WRONG] = "wrong"};

void doctor_say(struct doctor *doctor, enum doctor_state state, const char *name, const char *text,
                const char *advice) {
    struct doctor_finding finding = {.state = state, .name = name, .text = text, .advice = advice};
    ARENA_PUSH(doctor->arena, doctor->findings, doctor->count, finding);
}

static int count_wrong(const struct doctor *doctor) {
    int wrong = 0;
    for (int i = 0; i < doctor->count; ++i)
        wrong += doctor->findings[i].state == DOCTOR_WRONG;
    return wrong;
}

static void print_text(const struct doctor *doctor) {
    for (int i = 0; i < doctor->count; ++i) {
        const struct doctor_finding *finding = &doctor->findings[i];
        printf("%-5s  %-14s %s\n", words[finding->state], finding->name, finding->text);
        if (finding->advice)
            printf("%22s%s\n", "-> ", finding->advice);
    }
    int wrong = count_wrong(doctor);
    if (wrong == 0)
        printf("everything that is needed works\n");
    else
        printf("%d thing%s will not work\n", wrong, wrong == 1 ? "" : "s");
}

static void print_json(const struct doctor *doctor) {
    json_t *list = json_array();
    for (int i = 0; i < doctor->count; ++i) {
        const struct doctor_finding *finding = &doctor->findings[i];
        json_t *one = json_pack("{s:s, s:s, s:s}", "name", finding->name, "state",
                                words[finding->state], "text", finding->text);
        if (finding->advice)
            json_object_set_new(one, "advice", json_string(finding->advice));
        json_array_append_new(list, one);
    }
    json_t *root = json_pack("{s:s, s:i, s:o}", "schema", "orrery-doctor/1", "wrong",
                             count_wrong(doctor), "findings", list);
    json_dumpf(root, stdout, JSON_INDENT(1));
    putchar('\n');
    json_decref(root);
}

static int remove_one(const char *path, const struct stat *stat, int type, struct FTW *at) {
    (void)stat, (void)type, (void)at;
    return remove(path);
}

static int examine(struct doctor *doctor) {
    const char *base = getenv("TMPDIR");
    char *folder =
        arena_printf(doctor->arena, "%s/orrery-doctor.XXXXXX", base && *base ? base : "/tmp");
    doctor_files(doctor);
    doctor_libclang(doctor);
    if (!mkdtemp(folder)) {
        doctor_say(doctor, DOCTOR_WRONG, "temporary",
                   arena_printf(doctor->arena, "cannot make %s: %s", folder, strerror(errno)),
                   "set TMPDIR to a folder that can be written");
        return STATUS_INPUT;
    }
    doctor->folder = folder;
    doctor_program(doctor);
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    doctor_variables(doctor);
    doctor_limits(doctor);
    doctor_optional(doctor);
    return count_wrong(doctor) ? STATUS_INPUT : STATUS_OK;
}

int doctor_run(struct arena *arena, bool json) {
    struct doctor doctor = {.arena = arena};
    int status = examine(&doctor);
    if (json)
        print_json(&doctor);
    else
        print_text(&doctor);
    return status;
}
