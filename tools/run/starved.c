#include "tools/run/starved.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

/* Deeper than launchers start processes. */
enum { DEPTH = 8 };

/* "RAN WAITED TIMES", in nanoseconds. */
static double thread_seconds(pid_t process, long thread) {
    char path[96];
    unsigned long long waited = 0;
    snprintf(path, sizeof path, "/proc/%d/task/%ld/schedstat", (int)process, thread);
    FILE *in = fopen(path, "r");
    if (!in)
        return 0;
    int got = fscanf(in, "%*u %llu", &waited);
    fclose(in);
    return got == 1 ? 1e-9 * (double)waited : 0;
}

double starved_process(pid_t process) {
    char path[64];
    double seconds = 0;
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *threads = opendir(path);
    if (!threads)
        return -1;
    for (const struct dirent *entry = readdir(threads); entry; entry = readdir(threads)) {
        long thread = strtol(entry->d_name, NULL, 10);
        seconds += thread > 0 ? thread_seconds(process, thread) : 0;
    }
    closedir(threads);
    return seconds;
}

static double most_below(pid_t process, int depth) {
    char path[64];
    double most = starved_process(process);
    long child;
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *in = depth > 0 ? fopen(path, "r") : NULL;
    while (in && fscanf(in, "%ld", &child) == 1) {
        double seconds = most_below((pid_t)child, depth - 1);
        most = seconds > most ? seconds : most;
    }
    if (in)
        fclose(in);
    return most;
}

double starved_family(pid_t process) {
    return most_below(process, DEPTH);
}
