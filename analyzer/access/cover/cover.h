/*
 * Which bytes of an object does an iteration write for certain? Exact over affine subscripts and
 * conditions (isl); what is not understood is not written.
 */
#ifndef ORRERY_ANALYZER_ACCESS_COVER_H
#define ORRERY_ANALYZER_ACCESS_COVER_H

#include "analyzer/access/access.h"

struct cover;

struct cover *cover_new(const struct trace *t);
void cover_free(struct cover *cover);

/* Guards without which what was said to hold does not: loops that have to run at least once. */
void cover_guards(struct cover *cover, struct object *object);

/*
 * BEFORE: every byte that `ref` may touch has been written by then in the same iteration.
 * AFTER: every byte is written again later in the same iteration, by one of the writes that
 * `counts` admits.
 * ALWAYS: every byte that `ref` may touch in one iteration is written by every other one.
 */
enum cover_when { COVER_BEFORE, COVER_AFTER, COVER_ALWAYS };

bool cover_holds(struct cover *cover, int ref, enum cover_when when,
                 bool (*counts)(const struct trace *t, const struct ref *write));

/* What `ref` touches does not lie in front of what the object's pointer points to. */
bool cover_from_base(struct cover *cover, int ref);

/* BEFORE once more, without isl:
 * the bytes lie in one stretch that a loop, or memset, has filled. */
bool cover_flat(const struct trace *t, int ref);

/* As cover_from_base, by the least offset. */
bool cover_flat_from_base(const struct trace *t, int ref);

/*
 * At least one write of the object comes before `read` in the text of the iteration; the last one.
 */
const struct ref *cover_last_write(const struct trace *t, int read);

#endif
