/*
 * Runs a command and appends the most memory that it, or any child of it, had resident, in KiB.
 *
 *   usage: peak FILE COMMAND [ARGUMENT ...]     exit status: the command's
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

int main(int argc, char **argv) {
    int status;
    struct rusage usage;
    if (argc < 3) {
        fprintf(stderr, "usage: peak FILE COMMAND [ARGUMENT ...]\n");
        return 2;
    }
    pid_t child = fork();
    if (child == 0) {
        execvp(argv[2], argv + 2);
        perror(argv[2]);
        _exit(127);
    }
    if (child < 0 || wait4(child, &status, 0, &usage) < 0) {
        perror("peak");
        return 2;
    }
    FILE *file = fopen(argv[1], "a");
    if (!file || fprintf(file, "%ld\n", usage.ru_maxrss) < 0 || fclose(file)) {
        perror(argv[1]);
        return 2;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
