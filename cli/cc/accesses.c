/*
 * `orrery-cc -accesses`: the user's text, with marks where loops begin and end, instrumented by the
 * host compiler (docs/accesses.md). What cannot be built so is built as the user wrote it.
 */
#include "cli/cc/cc.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- compiling ------------------------------------------------------------------------------- */

/*
 * What is wrapped at the link is called as it stands: the compiler would put loads and stores in
 * its place that nobody sees. Of gcc's other passes -Og runs none that removes or moves an access
 * whose value is used (docs/accesses.md).
 */
static int push_gcc_flags(const struct house *house, struct arg_list *command) {
    static const char *const flags[] = {"-Og",
                                        "-fno-tree-fre",
                                        "-fno-tree-pre",
                                        "-fno-tree-dse",
                                        "-fno-tree-sra",
                                        "-fno-tree-sink",
                                        "-fno-tree-loop-im",
                                        "-fno-inline",
                                        "-fno-optimize-sibling-calls",
                                        "-fstack-reuse=none",
                                        "-Wno-maybe-uninitialized"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        arg_list_push(command, flags[i]);
    return link_push_names(house, "accesses_wrap.txt", "-fno-builtin-", command);
}

/* clang's -Og moves accesses that it can prove to be nobody else's. Its -fsanitize=thread has to be
 * told to see a read in front of a write to the same place. */
static int push_clang_flags(struct arg_list *command) {
    arg_list_push(command, "-O0");
    arg_list_push(command, "-mllvm");
    arg_list_push(command, "-tsan-instrument-read-before-write=1");
    arg_list_push(command, "-Wno-keyword-macro");
    return 0;
}

/* Each load and store of the text is one of the program's. `register` variables have addresses
 * here. */
int accesses_push_flags(const struct house *house, struct arg_list *command) {
    static const char *const flags[] = {"-g",
                                        "-gdwarf-4",
                                        "-fno-omit-frame-pointer",
                                        "-fno-lto",
                                        "-fsanitize=thread",
                                        "-U__SANITIZE_THREAD__",
                                        "-U_FORTIFY_SOURCE",
                                        "-Dregister=",
                                        "-Wno-unused-value",
                                        "-Wno-overlength-strings"};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; ++i)
        arg_list_push(command, flags[i]);
    return spawn_is_clang(command->arena) ? push_clang_flags(command)
                                          : push_gcc_flags(house, command);
}

static void copy_file(const char *name, FILE *out) {
    char block[4096];
    size_t got;
    FILE *in = fopen(name, "r");
    while (in && (got = fread(block, 1, sizeof block, in)) > 0)
        fwrite(block, 1, got, out);
    if (in)
        fclose(in);
}

int accesses_try(struct command_line *line, const struct arg_list *command) {
    if (line->ours.show)
        return spawn_run(command, true);
    const char *said = spawn_file(line->arena, arena_printf(line->arena, "said-%d", line->serial));
    fflush(stderr);
    int own = dup(STDERR_FILENO), file = open(said, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (own < 0 || file < 0)
        return spawn_run(command, false);
    dup2(file, STDERR_FILENO);
    int status = spawn_run(command, false);
    dup2(own, STDERR_FILENO);
    close(own);
    close(file);
    if (status == 0)
        copy_file(said, stderr);
    return status;
}

/* ---- linking --------------------------------------------------------------------------------- */

/* A program holds the library and shows it to its shared libraries, which then use the same one. */
int accesses_link(const struct command_line *line, const struct house *house,
                  struct arg_list *command) {
    struct arena *arena = command->arena;
    if (link_push_names(house, "accesses_wrap.txt", "-Wl,--wrap=", command) != 0)
        return 1;
    if (line->shared) {
        arg_list_push(command, house_library(house, arena, "liborrery-accesses.so"));
        arg_list_push(command, arena_printf(arena, "-Wl,-rpath,%s", house->library));
        return 0;
    }
    arg_list_push(command, arena_printf(arena, "-Wl,--dynamic-list=%s",
                                        house_library(house, arena, "accesses_list.txt")));
    arg_list_push(command, "-Wl,--whole-archive");
    arg_list_push(command, house_library(house, arena, "liborrery-accesses.a"));
    arg_list_push(command, "-Wl,--no-whole-archive");
    arg_list_push(command, "-lpthread");
    return 0;
}
