#ifndef ORRERY_ANALYZER_PARSE_OPTIONS_H
#define ORRERY_ANALYZER_PARSE_OPTIONS_H

/*
 * How to parse. `args` are the compiler's arguments that matter to parsing (-I -D -U -std -include
 * -f -m -O ...), without the input and without -c/-o. `text`, when not NULL, is used instead of the
 * file's content.
 */
struct parse_options {
    const char *file;
    int nargs;
    const char *const *args;
    const char *text;
};

#endif
