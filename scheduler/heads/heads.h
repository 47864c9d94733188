/*
 * Heads: loops over passes whose state a run may save in front of every pass (docs/checkpoints.md).
 *
 *   unit, parallel loops --heads_find--> struct heads --heads_print, heads_edit--> text
 */
#ifndef ORRERY_SCHEDULER_HEADS_H
#define ORRERY_SCHEDULER_HEADS_H

#include "analyzer/analyzer.h"
#include "scheduler/base/text.h"
#include "scheduler/plan/passes.h"

/*
 * A serial loop that runs parallel ones, itself or in functions that it calls; the outermost that
 * can be saved. `live`: the variables in scope in front of its body that are not static, then
 * static ones that its function names. `code` not NULL: it cannot be saved, and nothing in it can,
 * because of `why` at `where`, and what would help.
 */
struct head {
    const struct loop *loop;
    int nlive;
    const struct variable **live;
    const char *code, *why, *fix;
    struct range where;
};

struct heads {
    int count;
    struct head *items;
};

/* requires: a unit with its functions joined. `loops`: those that run in parallel. */
struct heads heads_find(struct unit *unit, int nloops, const struct loop *const *loops);

/* One remark for each loop that cannot be saved. */
void heads_report(const struct heads *heads, struct diag_list *diags);

/* The heads' tables: text in front of the file's. */
void heads_print(struct unit *unit, const struct heads *heads, struct text *out);

/* A loop in whose passes those of marked loop `number` may still be put off. */
struct head_pending {
    int number;
    const struct plan_passes *passes;
};

/* The calls. Comes after all other edits. */
void heads_edit(struct unit *unit, const struct heads *heads, int npending,
                const struct head_pending *pending, struct text_edits *edits);

/* ---- harm.c, heads.c ---- */

/* What stands against saving it: `head->code` and what goes with it. */
void head_harm(struct unit *unit, struct head *head);

/* May the value of this type hold a pointer? */
bool head_points(const struct type *type);

bool head_is_inside(const struct range *inner, const struct stmt *outer);

#endif
