#include "tools/tune/tune.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Between the text and its number: blanks, `=`, `:`. */
static bool number_behind(const char *at, double *number) {
    while (isspace((unsigned char)*at) || *at == '=' || *at == ':')
        ++at;
    char *end;
    double value = strtod(at, &end);
    if (end == at)
        return false;
    *number = value;
    return true;
}

bool tune_score(const char *path, const char *text, double *score) {
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    FILE *in = fopen(path, "r");
    for (ssize_t length; in && (length = getline(&line, &room, in)) > 0;) {
        for (ssize_t i = 0; i < length; ++i)
            line[i] = line[i] ? line[i] : ' ';
        for (const char *at = line; (at = strstr(at, text)); ++at)
            found |= number_behind(at + strlen(text), score);
    }
    free(line);
    if (in)
        fclose(in);
    return found && isfinite(*score);
}
