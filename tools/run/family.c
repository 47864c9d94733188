#define _GNU_SOURCE
#include "tools/run/family.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Deeper than launchers start processes. */
enum { DEPTH = 8 };

static void each_below(pid_t process, int depth, void (*each)(void *data, pid_t process),
                       void *data) {
    char path[64];
    long child;
    each(data, process);
    snprintf(path, sizeof path, "/proc/%d/task/%d/children", (int)process, (int)process);
    FILE *in = depth > 0 ? fopen(path, "r") : NULL;
    while (in && fscanf(in, "%ld", &child) == 1)
        each_below((pid_t)child, depth - 1, each, data);
    if (in)
        fclose(in);
}

void family_each(pid_t process, void (*each)(void *data, pid_t process), void *data) {
    each_below(process, DEPTH, each, data);
}

/* ---- who is stopped -------------------------------------------------------------------------- */

char family_state(pid_t process) {
    char path[64], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)process);
    FILE *in = fopen(path, "r");
    if (!in)
        return '\0';
    text[fread(text, 1, sizeof text - 1, in)] = '\0';
    fclose(in);
    const char *state = strrchr(text, ')');
    return state && state[1] ? state[2] : '\0';
}

/* What the launcher told the process: its rank, -1 = it is none. Variables stand in
 * /proc/PID/environ one behind the other, each with a 0 at its end. */
static int rank_of(pid_t process) {
    static const char *const names[] = {"OMPI_COMM_WORLD_RANK=", "PMI_RANK="};
    char path[64], *one = NULL;
    size_t room = 0;
    int rank = -1;
    snprintf(path, sizeof path, "/proc/%d/environ", (int)process);
    FILE *in = fopen(path, "r");
    while (in && rank < 0 && getdelim(&one, &room, '\0', in) > 0)
        for (size_t i = 0; i < sizeof names / sizeof *names; ++i)
            if (strncmp(one, names[i], strlen(names[i])) == 0)
                rank = atoi(one + strlen(names[i]));
    free(one);
    if (in)
        fclose(in);
    return rank;
}

static void stopped_look(void *data, pid_t process) {
    int *rank = data;
    if (*rank < 0 && family_state(process) == 'T')
        *rank = rank_of(process);
}

int family_stopped(pid_t launcher) {
    int rank = -1;
    family_each(launcher, stopped_look, &rank);
    return rank;
}
