/* Jumps into loops: a loop entered past its header does not run as the header says. */
#include "analyzer/parse/private.h"

#include <string.h>

void parse_jump_label(struct translator *t, const char *name) {
    if (t->loop)
        ARENA_PUSH(t->arena, t->labels, t->nlabels, ((struct jump){name, t->loop}));
}

/* `name` NULL: it may reach every label of the function. */
void parse_jump_goto(struct translator *t, const char *name) {
    ARENA_PUSH(t->arena, t->gotos, t->ngotos, ((struct jump){name, t->loop}));
}

static bool stands_in(const struct loop *inner, const struct loop *outer) {
    while (inner && inner != outer)
        inner = inner->parent;
    return inner == outer;
}

/* All loops around `to` that are not around `from` are entered in their middle. */
static void enter(struct loop *to, const struct loop *from, const char *why) {
    for (; to && !stands_in(from, to); to = to->parent)
        to->why_not = to->why_not ? to->why_not : why;
}

void parse_jump_case(struct translator *t) {
    enter(t->loop, t->switch_loop, "a case of a switch around it jumps into its body");
}

void parse_jump_resolve(struct translator *t) {
    for (int g = 0; g < t->ngotos; ++g)
        for (int l = 0; l < t->nlabels; ++l)
            if (!t->gotos[g].name || strcmp(t->gotos[g].name, t->labels[l].name) == 0)
                enter(t->labels[l].loop, t->gotos[g].loop, "a goto from outside enters its body");
    t->ngotos = t->nlabels = 0;
    t->gotos = t->labels = NULL;
}
