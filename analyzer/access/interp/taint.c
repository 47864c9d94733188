/* At which place of the text a value stopped being known. */
#include "analyzer/access/interp/interp.h"

struct range interp_place(struct interp *w, struct range range) {
    struct expr *call = NULL;
    for (const struct frame *f = w->frame; f && f->parent; f = f->parent)
        call = f->call;
    return call ? call->range : range;
}

const struct taint *interp_taint(const struct interp *w, const struct expr *load) {
    int at = load->id < 0 ? -1 : table_get(&w->trace.tainted, (uint64_t)load->id);
    return at < 0 ? NULL : &w->trace.taints[at];
}

struct range interp_taint_place(const struct interp *w, const char *why, struct range otherwise) {
    for (int i = 0; why && i < w->trace.ntaints; ++i)
        if (w->trace.taints[i].why == why)
            return w->trace.taints[i].place;
    return otherwise;
}
