/* Asking other programs what they are. */
#ifndef ORRERY_TOOLS_ASK_H
#define ORRERY_TOOLS_ASK_H

#include "analyzer/analyzer.h"

/*
 * The first line that `program --version` prints, with its newline gone; NULL when it cannot be run
 * or says nothing. `program`: words as in ORRERY_CC.
 */
const char *ask_version(struct arena *arena, const char *program);

/* A path as one word of `program` above. */
const char *ask_quote(struct arena *arena, const char *path);

/* The program that a variable names, else the usual one. */
const char *ask_tool(const char *variable, const char *usual);

/* The host compiler (words: ORRERY_CC, default cc), the launcher (a path: ORRERY_MPIRUN, default
 * the one of the build). */
const char *ask_compiler(void);
const char *ask_launcher(void);

#endif
