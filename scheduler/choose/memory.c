/*
 * What a rank has of the arrays of a planned loop, as formulas. The runtime counts the same in
 * numbers when the loop starts (runtime/execute/needs.c).
 */
#include "scheduler/choose/memory.h"
#include "scheduler/plan/parts.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- C text to read -------------------------------------------------------------------------- */

/* Length of the cast to a long type at `at`, 0: there is none. */
static size_t cast_length(const char *at) {
    static const char *const casts[] = {"(long)", "(unsigned long)", "(size_t)"};
    for (size_t i = 0; i < sizeof casts / sizeof *casts; ++i)
        if (strncmp(at, casts[i], strlen(casts[i])) == 0)
            return strlen(casts[i]);
    return 0;
}

/* Without casts to long and without the suffixes of numbers: "(long)K * 4L" is "K * 4". */
static const char *readable(struct arena *arena, const char *text) {
    char *out = arena_alloc(arena, strlen(text) + 1), *to = out;
    while (*text) {
        bool number = isdigit((unsigned char)*text);
        size_t cast = cast_length(text), length = 1;
        while (lex_is_name_byte(*text) && lex_is_name_byte(text[length]))
            ++length;
        size_t kept = length;
        while (number && kept > 1 && strchr("uUlL", text[kept - 1]))
            --kept;
        if (!cast) {
            memcpy(to, text, kept);
            to += kept;
        }
        text += cast ? cast : length;
    }
    *to = 0;
    return out;
}

/* In parentheses where it is more than a product. */
static const char *factor(struct arena *arena, const char *text) {
    int depth = 0;
    for (const char *at = text; *at; ++at) {
        bool arrow = at[0] == '-' && at[1] == '>';
        depth += (*at == '(') - (*at == ')');
        if (depth == 0 && !lex_is_name_byte(*at) && !strchr(" *.>[])", *at) && !arrow)
            return arena_printf(arena, "(%s)", text);
    }
    return text;
}

static bool number_in(const char *text, long *number) {
    char *end;
    *number = strtol(text, &end, 10);
    return end != text && !*end;
}

static const char *product(struct arena *arena, const char *a, const char *b) {
    long x, y, xy;
    bool first = number_in(a, &x), second = number_in(b, &y);
    if (first && second && !__builtin_mul_overflow(x, y, &xy))
        return arena_printf(arena, "%ld", xy);
    if (first && x == 1)
        return b;
    return arena_printf(arena, "%s * %s", factor(arena, a), factor(arena, b));
}

/* ---- sizes ----------------------------------------------------------------------------------- */

/* Rows: as many as the tables have entries. */
static const char *size_by_dims(struct arena *arena, const struct object *object) {
    const struct object_dim *dims = object->dims;
    int tables = object->ntables;
    const char *stride = object->ndims > tables ? dims[tables].stride_text : NULL;
    const char *size = stride ? readable(arena, stride) : NULL;
    for (int d = tables; size && d >= 0; --d) {
        const char *extent = dims[d].extent_text;
        size = extent ? product(arena, size, readable(arena, extent)) : NULL;
    }
    return size;
}

/* All of the object; NULL: not known by a name. */
static const char *size_of(struct arena *arena, const struct object *object) {
    const char *size =
        object->size_text ? readable(arena, object->size_text) : size_by_dims(arena, object);
    if (!size && object->kind == OBJECT_POINTER && object->ntables == 0)
        size = arena_printf(arena, "bytes(%s)", object->name);
    return size ? factor(arena, size) : NULL;
}

/* ---- what a rank has ------------------------------------------------------------------------- */

static const struct reduction *reduction_of(const struct plan *plan, const struct object *object) {
    const struct loop_facts *facts = plan->analysis->facts;
    for (int i = 0; i < facts->nreductions; ++i)
        if (facts->reductions[i].object == object)
            return &facts->reductions[i];
    return NULL;
}

/* Bytes of a number that a merge has beside each element (runtime/execute/needs.c): places, sums
 * and gains. */
static double element_of(const struct object *object) {
    return object->element && object->element->size > 0 ? (double)object->element->size : 8;
}

/* A copy per row of the grid, or per worker when it is scratch; relaxed and buffered arrays have a
 * snapshot, too, and 5 bytes of sums and marks per element. */
static const char *copies_text(const struct plan *plan, const struct object *object,
                               const char *size) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    const struct reduction *reduction = reduction_of(plan, object);
    if (!reduction)
        return arena_printf(arena, "%s * threads", size);
    double more = reduction_is_merged(reduction) ? 1 + 5 / element_of(object) : 0;
    return arena_printf(arena, "%s * (%g + grid_rows / ranks)", size, 1 + more);
}

/* A rank's part with 6 bytes per element, and marks (docs/served.md). */
static const char *served_text(struct arena *arena, const struct object *object, const char *size) {
    return arena_printf(arena, "%s * %g / ranks + %s / 16", size, 1 + 6 / element_of(object), size);
}

/* Stages do not cut it, nor do rows of a wavefront that all touch the same elements. */
static bool stays_whole(const struct plan *plan, const struct plan_array *array) {
    if (array->placement == PLACE_ALIGNED)
        return false;
    return plan->pipe || ((plan->wave || plan->by_sections) &&
                          !plan_goes_along(plan->analysis->facts, array->object));
}

/* Every rank has a copy of what is written, and is told what others change. */
static bool hears(const struct plan *plan) {
    return strategy_executor(plan->strategy) == ORRERY_LEVELS;
}

struct plan_memory plan_memory(const struct plan *plan, const struct plan_array *array) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    const char *size = size_of(arena, array->object);
    struct plan_memory memory = {.bytes = size, .whole = true};
    switch (array->placement) {
    case PLACE_RESIDENT:
    case PLACE_ROTATING:
    case PLACE_ALIGNED:
        memory.whole = stays_whole(plan, array);
        if (size && !memory.whole)
            memory.bytes = arena_printf(arena, "%s / ranks", size);
        memory.word = array->placement == PLACE_ALIGNED && !array->shape ? "records" : NULL;
        break;
    case PLACE_PRIVATE:
        memory.bytes = size ? copies_text(plan, array->object, size) : NULL;
        memory.word = "copies";
        break;
    case PLACE_SERVED:
        memory.bytes = size ? served_text(arena, array->object, size) : NULL;
        memory.whole = false;
        break;
    case PLACE_REPLICATED:
    case PLACE_UNPLACED:
        memory.word = array->placement == PLACE_UNPLACED && !hears(plan) ? "one rank only" : NULL;
        break;
    }
    return memory;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *with(const struct plan *plan, const char *text, const struct plan_array *array) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    struct plan_memory memory = plan_memory(plan, array);
    const char *word = memory.word ? memory.word : memory.whole ? "whole" : NULL;
    return arena_printf(arena, "%s%s%s: %s%s%s%s", text ? text : "", text ? "; " : "",
                        plan_array_name(arena, array->object),
                        memory.bytes ? memory.bytes : "known when the loop starts",
                        word ? " (" : "", word ? word : "", word ? ")" : "");
}

const char *plan_memory_text(const struct plan *plan) {
    const struct access *unplaced = facts_unplaced(plan->analysis->facts);
    const char *text = NULL;
    for (int i = 0; i < plan->narrays; ++i)
        text = with(plan, text, &plan->arrays[i]);
    return unplaced ? arena_printf(plan->analysis->facts->unit->arena, "%s%s%s: one rank only",
                                   text ? text : "", text ? "; " : "", unplaced->text)
                    : text;
}

const char *plan_threads_only(const struct plan *plan) {
    struct arena *arena = plan->analysis->facts->unit->arena;
    const struct access *unplaced = facts_unplaced(plan->analysis->facts);
    if (unplaced)
        return arena_printf(arena, "what memory `%s` reaches is not known, so no other rank has it",
                            unplaced->text);
    for (int i = 0; i < plan->narrays && !hears(plan); ++i) {
        const struct plan_array *array = &plan->arrays[i];
        if (array->placement == PLACE_UNPLACED)
            return array->why ? array->why
                              : arena_printf(arena, "%s cannot be cut",
                                             plan_array_name(arena, array->object));
    }
    return NULL;
}

const char *plan_memory_whole(const struct plan *plan) {
    const char *text = NULL;
    bool cut = false;
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        bool whole = plan_memory(plan, array).whole;
        cut = cut || (!whole && array->placement != PLACE_ALIGNED);
        text = whole && array->placement != PLACE_UNPLACED ? with(plan, text, array) : text;
    }
    return cut ? text : NULL;
}
