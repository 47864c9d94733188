/*
 * Heads: loops over passes whose state a run may save in front of every pass (docs/checkpoints.md).
 *
 *   unit, parallel loops --ckpt_points_find--> struct ckpt_points --ckpt_points_print,
 * ckpt_points_edit--> text
 */
#ifndef ORRERY_SCHEDULER_POINTS_H
#define ORRERY_SCHEDULER_POINTS_H

#include "analyzer/analyzer.h"
#include "scheduler/base/text.h"
#include "scheduler/choose/passes.h"

/*
 * A serial loop that runs marked parallel ones, itself or in functions that it calls; the outermost that
 * can be saved. `live`: the variables in scope in front of its body that are not static, then
 * static ones that its function names. `code` not NULL: it cannot be saved, and nothing in it can,
 * because of `why` at `where`, and what would help.
 */
struct ckpt_point {
    const struct loop *loop;
    int nlive;
    const struct variable **live;
    const char *code, *why, *fix;
    struct range where;
};

struct ckpt_points {
    int count;
    struct ckpt_point *items;
};

/* requires: a unit with its functions joined. `loops`: those that run in parallel. */
struct ckpt_points ckpt_points_find(struct unit *unit, int nloops, const struct loop *const *loops);

/* One remark for each loop that cannot be saved. */
void ckpt_points_report(const struct ckpt_points *ckpt_points, struct diag_list *diags);

/* The points' tables: text in front of the file's. */
void ckpt_points_print(struct unit *unit, const struct ckpt_points *ckpt_points, struct text *out);

/* A loop in whose passes those of marked loop `number` may still be put off. */
struct ckpt_point_pending {
    int number;
    const struct plan_passes *passes;
};

/* The calls. Comes after all other edits. */
void ckpt_points_edit(struct unit *unit, const struct ckpt_points *ckpt_points, int npending,
                      const struct ckpt_point_pending *pending, struct text_edits *edits);

/* ---- unsafe.c, points.c ---------------------------------------------------------------------- */

/* What stands against saving it: `head->code` and what goes with it. */
void ckpt_point_unsafe(struct unit *unit, struct ckpt_point *ckpt_point);

/* May the value of this type hold a pointer? */
bool ckpt_point_has_pointers(const struct type *type);

#endif
