/* orrery-many: commands of `orrery` for many files in one process, whose libraries are loaded once (libclang takes a third
 * of a small file's time).
 *
 * Each line of standard input: FILE for standard output, FILE for standard error, the command and its arguments,
 * between tabs. Prints the status of each, in their order. */
#include "cli/command.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_WORDS = 64 };

static int run(char **words, int count) {
    if (!freopen(words[0], "w", stdout) || !freopen(words[1], "w", stderr))
        return STATUS_USAGE;
    int status = STATUS_USAGE;
    for (int i = 0; i < ncommands; ++i)
        if (strcmp(commands[i].name, words[2]) == 0)
            status = commands[i].handler(count - 2, words + 2);
    return fflush(stdout) == 0 && fflush(stderr) == 0 ? status : STATUS_USAGE;
}

int main(void) {
    FILE *answers = fdopen(dup(STDOUT_FILENO), "w");
    char *line = NULL;
    size_t room = 0;
    while (answers && getline(&line, &room, stdin) > 0) {
        char *words[MOST_WORDS + 1] = {0};
        int count = 0;
        for (char *word = strtok(line, "\t\n"); word && count < MOST_WORDS;
             word = strtok(NULL, "\t\n"))
            words[count++] = word;
        if (count < 3) {
            fprintf(stderr, "orrery-many: a line of %d words\n", count);
            return STATUS_USAGE;
        }
        fprintf(answers, "%d\n", run(words, count));
        fflush(answers);
    }
    free(line);
    return STATUS_OK;
}
