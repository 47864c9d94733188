/*
 * Which bytes of an object does an iteration write for certain? Exact over affine subscripts and
 * conditions (isl); what is not understood is not written.
 */
#ifndef ORRERY_ANALYZER_ACCESS_MUST_WRITE_H
#define ORRERY_ANALYZER_ACCESS_MUST_WRITE_H

#include "analyzer/access/access.h"

struct must_write;

struct must_write *must_write_new(const struct trace *t);
void must_write_free(struct must_write *must_write);

/* Guards without which what was said to hold does not: loops that have to run at least once. */
void must_write_guards(struct must_write *must_write, struct object *object);

/*
 * BEFORE: every byte that `ref` may touch has been written by then in the same iteration.
 * AFTER: every byte is written again later in the same iteration, by one of the writes that
 * `counts` admits.
 * ALWAYS: every byte that `ref` may touch in one iteration is written by every other one.
 */
enum must_write_when { MUST_WRITE_BEFORE, MUST_WRITE_AFTER, MUST_WRITE_ALWAYS };

bool must_write_holds(struct must_write *must_write, int ref, enum must_write_when when,
                      bool (*counts)(const struct trace *t, const struct ref *write));

/* What `ref` touches does not lie in front of what the object's pointer points to. */
bool must_write_from_base(struct must_write *must_write, int ref);

/* BEFORE once more, without isl:
 * the bytes lie in one stretch that a loop, or memset, has filled. */
bool must_write_flat(const struct trace *t, int ref);

/* ALWAYS, in the same way. */
bool must_write_flat_always(const struct trace *t, int ref);

/* How many loops both stand in. */
int must_write_common_loops(const struct ref *a, const struct ref *b);

/* As must_write_from_base, by the least offset. */
bool must_write_flat_from_base(const struct trace *t, int ref);

/*
 * At least one write of the object comes before `read` in the text of the iteration; the last one.
 */
const struct ref *must_write_last_write(const struct trace *t, int read);

#endif
