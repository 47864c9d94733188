#include "tools/run/starved.h"

#include "tools/run/family.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

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

static void most_take(void *data, pid_t process) {
    double *most = data, seconds = starved_process(process);
    *most = seconds > *most ? seconds : *most;
}

double starved_family(pid_t process) {
    double most = -1;
    family_each(process, most_take, &most);
    return most;
}
