/*
 * The checks of `orrery doctor`. Each looks at one thing that Orrery stands on and adds one
 * finding, or none when there is nothing to say.
 */
#ifndef ORRERY_TOOLS_DOCTOR_H
#define ORRERY_TOOLS_DOCTOR_H

#include "analyzer/analyzer.h"

#include <stdbool.h>

/* GOOD: there and working. NOTE: works, something is worth knowing.
 * WRONG: something will not work. */
enum doctor_state { DOCTOR_GOOD, DOCTOR_NOTE, DOCTOR_WRONG };

/* `name`: a word or two. `text`: what was found. `advice`: what to do, NULL when nothing. */
struct doctor_finding {
    enum doctor_state state;
    const char *name, *text, *advice;
};

/* `folder`: temporary, for what the checks compile and run. */
struct doctor {
    struct arena *arena;
    const char *folder;
    int count;
    struct doctor_finding *findings;
};

/* Makes all checks and prints what they found. An exit status: 1: something needed does not work. */
int doctor_run(struct arena *arena, bool json);

void doctor_say(struct doctor *doctor, enum doctor_state state, const char *name, const char *text,
                const char *advice);

/* doctor_machine.c: what is there, looked at only. */
void doctor_files(struct doctor *doctor);
void doctor_variables(struct doctor *doctor);
void doctor_limits(struct doctor *doctor);
void doctor_optional(struct doctor *doctor);

/* doctor_try.c: what works, tried: libclang and its headers on a text; the compiler, threads
 * and ranks on a program. */
void doctor_libclang(struct doctor *doctor);
void doctor_program(struct doctor *doctor);

#endif
