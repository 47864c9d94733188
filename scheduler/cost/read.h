/* Reading JSON with complaints that name the member. */
#ifndef ORRERY_SCHEDULER_COST_READ_H
#define ORRERY_SCHEDULER_COST_READ_H

#include "analyzer/analyzer.h"

#include <jansson.h>
#include <stdbool.h>

/* `why` is set at the first complaint and stays. */
struct reader {
    struct arena *arena;
    const char *file, *why;
};

/* The root object when the file is JSON and has this schema, else NULL. The caller drops it. */
json_t *reader_open(struct reader *reader, const char *path, const char *schema);

/* Notes "FILE: WHERE: what is wrong" and returns false. */
bool reader_complain(struct reader *reader, const char *where, const char *wrong);

/* Member `name` of `object` as a number >= `least`;
 * `preset` when it may be absent (NAN: may not). */
double reader_number(struct reader *reader, const json_t *object, const char *where,
                     const char *name, double least, double preset);

/* A string in the arena, or `preset` (NULL: must be there). */
const char *reader_text(struct reader *reader, const json_t *object, const char *where,
                        const char *name, const char *preset);

/* An array, or NULL with a complaint. */
const json_t *reader_list(struct reader *reader, const json_t *object, const char *where,
                          const char *name);

#endif
