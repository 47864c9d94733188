#define _GNU_SOURCE
#include "tools/base/ask.h"

#include "tools/base/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ORRERY_MPIEXEC
#define ORRERY_MPIEXEC "mpirun"
#endif

const char *ask_quote(struct arena *arena, const char *word) {
    char *text = arena_alloc(arena, 4 * strlen(word) + 3), *out = text;
    *out++ = '\'';
    for (; *word; ++word)
        if (*word == '\'')
            out = stpcpy(out, "'\\''");
        else
            *out++ = *word;
    *out++ = '\'';
    *out = '\0';
    return text;
}

const char *ask_version(struct arena *arena, const char *program) {
    const char *command = "exec", *at = program, *word;
    while ((word = words_next(arena, &at)))
        command = arena_printf(arena, "%s %s", command, ask_quote(arena, word));
    FILE *in = popen(arena_printf(arena, "%s --version 2>/dev/null </dev/null", command), "r");
    char line[256] = "", rest[256];
    if (in && !fgets(line, sizeof line, in))
        line[0] = '\0';
    while (in && fgets(rest, sizeof rest, in))
        continue;
    if (in && pclose(in) != 0)
        return NULL;
    line[strcspn(line, "\n")] = '\0';
    return line[0] ? arena_strdup(arena, line) : NULL;
}

const char *ask_tool(const char *variable, const char *usual) {
    const char *said = getenv(variable);
    return said && *said ? said : usual;
}

const char *ask_compiler(void) {
    return ask_tool("ORRERY_CC", "cc");
}

const char *ask_launcher(void) {
    return ask_tool("ORRERY_MPIRUN", ORRERY_MPIEXEC);
}
