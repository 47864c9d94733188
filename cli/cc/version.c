/*
 * `orrery-cc --version`. Build systems read a compiler's from it: the host compiler's words stay in
 * their lines, ours are in front of the first and behind the last.
 */
#include "analyzer/analyzer.h"
#include "cli/cc/cc.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

bool version_wanted(int argc, char **argv) {
    return argc == 2 && strcmp(argv[1], "--version") == 0;
}

/* Runs the command with its standard output in the file. */
static int run_into(const struct arg_list *command, const char *file) {
    int saved = dup(STDOUT_FILENO), out = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (saved < 0 || out < 0 || dup2(out, STDOUT_FILENO) < 0) {
        fprintf(stderr, "orrery-cc: error: cannot write %s\n", file);
        return 1;
    }
    close(out);
    int status = spawn_run(command, false);
    dup2(saved, STDOUT_FILENO);
    close(saved);
    return status;
}

int version_print(struct arena *arena) {
    struct arg_list command = {.arena = arena};
    spawn_compiler(&command);
    const char *name = command.items[command.count - 1], *file = spawn_file(arena, "version");
    arg_list_push(&command, "--version");
    int status = run_into(&command, file);
    FILE *in = status == 0 ? fopen(file, "r") : NULL;
    if (!in)
        return status ? status : 1;
    char line[1024];
    for (bool first = true; fgets(line, sizeof line, in); first = false)
        printf("%s%s", first ? "orrery-cc: " : "", line);
    fclose(in);
    printf("orrery-cc %s, in front of %s\n", ORRERY_VERSION, name);
    return 0;
}
