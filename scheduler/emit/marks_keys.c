/* What an iteration tells of itself: the values of its keys, and whether checks of the run hold. */
#include "scheduler/base/text.h"
#include "scheduler/emit/marks_private.h"

/* The text speaks of variables of the program only. */
static bool can_be_told(const struct loop_facts *facts) {
    return facts->loop->canonical && !facts->by_number && facts->ninductions == 0;
}

/* `a && b` in front of a key: when it may be evaluated, and a row is touched through it. */
static void print_when(struct arena *arena, const struct symbol *symbol, struct text *out) {
    for (int i = 0; i < symbol->nguards; ++i)
        text_print(out, "%s(%s) && ", symbol->sense[i] ? "" : "!",
                   expr_print(arena, symbol->guards[i]));
    if (symbol->row_guard)
        text_print(out, "(%s) && ", expr_print(arena, symbol->row_guard));
}

/* An iteration without the key says so by the least number. */
static void print_key(struct arena *arena, const struct symbol *symbol, struct text *out) {
    text_print(out, ", (");
    print_when(arena, symbol, out);
    text_print(out, "1) ? (long)(%s) : (-0x7fffffffffffffffL - 1)",
               expr_print(arena, symbol->expr));
}

static const char *needed_text(struct arena *arena, const struct guard *guard) {
    return guard->when
               ? arena_printf(arena, "(!(%s) || (%s))", expr_print(arena, guard->when), guard->text)
               : arena_printf(arena, "(%s)", guard->text);
}

/* Those of a loop's head are asked in its first iteration. Returns how many there are. */
static int print_guards(struct arena *arena, const struct loop_facts *facts, enum guard_kind kind,
                        const char *unless, struct text *out) {
    int count = 0;
    for (int i = 0; i < facts->nguards; ++i) {
        if (facts->guards[i].kind != kind || facts->guards[i].assumed)
            continue;
        text_print(out, "%s%s", count++ ? " && " : unless, needed_text(arena, &facts->guards[i]));
    }
    text_print(out, count ? ")" : "");
    return count;
}

void marks_ask(struct marks *marks, struct marked_loop *marked, const struct plan *plan) {
    const struct analysis *analysis = plan->analysis;
    struct arena *arena = marks->unit->arena;
    struct text keys, guards;
    if (marked->why_not || !can_be_told(analysis->facts))
        return;
    text_start(&keys, arena);
    text_start(&guards, arena);
    int count = print_guards(arena, analysis->facts, GUARD_CONDITION,
                             " && (__orrery_accesses_asked < 3 || ", &guards);
    count += print_guards(arena, analysis->facts, GUARD_KEY_RANGE, " && (", &guards);
    for (int d = 0; d < analysis->ndims && marked->nkeys < MARKED_KEYS; ++d) {
        if (analysis->dims[d].kind != DIM_KEY)
            continue;
        marked->keys[marked->nkeys++] = d;
        print_key(arena, analysis->dims[d].symbol, &keys);
    }
    marked->asks = count > 0 || marked->nkeys > 0;
    marked->told = arena_printf(arena, "1%s, %d%s", guards.bytes, marked->nkeys, keys.bytes);
}
