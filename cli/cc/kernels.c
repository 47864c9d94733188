/* Kernels: nvcc for a GPU, the host compiler for the shim;
 * and what their programs are linked with. */
#define _GNU_SOURCE
#include "cli/cc/cc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ORRERY_NVCC, else the nvcc of PATH, else where CUDA puts it. NULL: there is none. */
static const char *find_nvcc(struct arena *arena) {
    static const char usual[] = "/usr/local/cuda/bin/nvcc";
    const char *said = getenv("ORRERY_NVCC"), *path = getenv("PATH");
    if (said && *said)
        return said;
    char *folders = arena_strdup(arena, path ? path : ""), *rest = NULL;
    for (char *folder = strtok_r(folders, ":", &rest); folder;
         folder = strtok_r(NULL, ":", &rest)) {
        const char *file = arena_printf(arena, "%s/nvcc", folder);
        if (access(file, X_OK) == 0)
            return file;
    }
    return access(usual, X_OK) == 0 ? usual : NULL;
}

static bool is_shim(const struct command_line *line) {
    return line->ours.target && strcmp(line->ours.target, "gpu-shim") == 0;
}

/* The user's words for code generation hold for the shim. */
static void push_shim(const struct command_line *line, const struct house *house,
                      struct arg_list *command) {
    spawn_compiler(command);
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        bool code = strncmp(word->text, "-O", 2) == 0 || strncmp(word->text, "-g", 2) == 0 ||
                    strncmp(word->text, "-m", 2) == 0 || strncmp(word->text, "-fsanitize", 10) == 0;
        if (word->kind == WORD_COMPILE && code)
            arg_list_push(command, word->text);
    }
    arg_list_push(command, line->contraction ? "-ffp-contract=fast" : "-ffp-contract=off");
    arg_list_push(command, "-fno-pie");
    arg_list_push(command, "-std=gnu17");
    arg_list_push(command, "-I");
    arg_list_push(command, house->include);
    arg_list_push(command, "-x");
    arg_list_push(command, "c");
}

/* Code for A100 and H100, and what newer ones translate for themselves. */
static int push_nvcc(const struct command_line *line, const struct house *house,
                     struct arg_list *command) {
    static const char *const flags[] = {
        "-O3",        "-std=c++17",
        "-gencode",   "arch=compute_80,code=sm_80",
        "-gencode",   "arch=compute_90,code=sm_90",
        "-gencode",   "arch=compute_90,code=compute_90",
        "-Xcompiler", "-fno-exceptions,-fno-pie,-fno-threadsafe-statics"};
    const char *nvcc = find_nvcc(command->arena);
    if (!nvcc) {
        fprintf(stderr, "orrery-cc: error: loops for a GPU need nvcc, which is not in PATH "
                        "(ORRERY_NVCC says where it is); -target gpu-shim builds them for the "
                        "host\n");
        return 1;
    }
    arg_list_push(command, nvcc);
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        arg_list_push(command, flags[i]);
    arg_list_push(command, line->contraction ? "-fmad=true" : "-fmad=false");
    arg_list_push(command, "-I");
    arg_list_push(command, house->include);
    arg_list_push(command, "-x");
    arg_list_push(command, "cu");
    return 0;
}

int kernels_compile(const struct command_line *line, const struct house *house, const char *kernels,
                    const char *object) {
    struct arg_list command = {.arena = line->arena};
    if (is_shim(line))
        push_shim(line, house, &command);
    else if (push_nvcc(line, house, &command) != 0)
        return 1;
    arg_list_push(&command, "-c");
    arg_list_push(&command, kernels);
    arg_list_push(&command, "-o");
    arg_list_push(&command, object);
    return spawn_run(&command, line->ours.show);
}

int kernels_join(const struct command_line *line, const char *object, const char *kernels,
                 const char *output) {
    struct arg_list command = {.arena = line->arena};
    const char *const words[] = {"ld", "-r", object, kernels, "-o", output};
    for (size_t i = 0; i < sizeof words / sizeof *words; ++i)
        arg_list_push(&command, words[i]);
    return spawn_run(&command, line->ours.show);
}

static bool has_kernels(const struct command_line *line) {
    for (int i = 0; i < line->nwords; ++i) {
        const struct word *word = &line->words[i];
        if (word->kind == WORD_INPUT &&
            ((word->object && probe_kernels(word->object)) ||
             (word->input == INPUT_OBJECT && probe_kernels(word->text))))
            return true;
    }
    return false;
}

/* cuda.txt: the folder of CUDA's libraries, as the build of Orrery found it. */
int kernels_link(const struct command_line *line, const struct house *house,
                 struct arg_list *command) {
    char folder[4096] = "";
    if (!has_kernels(line))
        return 0;
    const char *path = house_library(house, command->arena, "cuda.txt");
    FILE *in = fopen(path, "r");
    if (!in || !fgets(folder, sizeof folder, in)) {
        fprintf(stderr,
                "orrery-cc: error: this Orrery was built without CUDA (%s is missing): it "
                "cannot link loops for a GPU; -target gpu-shim builds them for the host\n",
                path);
        if (in)
            fclose(in);
        return 1;
    }
    fclose(in);
    folder[strcspn(folder, "\n")] = '\0';
    arg_list_push(command, house_library(house, command->arena, "liborrery-cuda.a"));
    arg_list_push(command, arena_printf(command->arena, "-L%s", folder));
    arg_list_push(command, "-lcudart_static");
    arg_list_push(command, "-lrt");
    return 0;
}
