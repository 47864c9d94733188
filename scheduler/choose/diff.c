/*
 * Two plan files, loop by loop: what the one says and the other does not.
 */
#include "scheduler/choose/file_form.h"

#include <string.h>

struct side {
    struct plan_form form;
    json_t *root;
    size_t count;
    bool *taken;
};

struct compare {
    struct arena *arena;
    struct side before, after;
    struct plan_change *changes;
    int nchanges;
};

static json_t *loop_at(const struct side *side, size_t i) {
    return json_array_get(json_object_get(side->root, "loops"), i);
}

/* ---- the files ------------------------------------------------------------------------------- */

static bool check_arrays(struct plan_form *form, const json_t *loop) {
    const json_t *list = json_object_get(loop, "arrays");
    bool good = true;
    form_enter(form, "arrays", 0);
    for (size_t i = 0; i < json_array_size(list); ++i) {
        form_enter(form, NULL, (int)i);
        good = form_array(form, json_array_get(list, i)) && good;
        form_leave(form);
    }
    form_leave(form);
    return good;
}

static bool check_loops(struct side *side) {
    bool good = true;
    form_enter(&side->form, "loops", 0);
    for (size_t i = 0; i < side->count; ++i) {
        form_enter(&side->form, NULL, (int)i);
        good = form_loop(&side->form, loop_at(side, i)) &&
               check_arrays(&side->form, loop_at(side, i)) && good;
        form_leave(&side->form);
    }
    form_leave(&side->form);
    return good;
}

static bool open_side(struct side *side, const struct plan_text *from, struct unit *unit,
                      struct diag_list *diags) {
    *side = (struct side){.form = {.unit = unit, .diags = diags, .path = from->name}};
    if (from->text)
        form_take(&side->form, from->text, strlen(from->text));
    else if (!form_open(&side->form))
        return false;
    side->root = form_parse(&side->form);
    if (!side->root || !form_root(&side->form, side->root))
        return false;
    side->count = json_array_size(json_object_get(side->root, "loops"));
    side->taken = arena_alloc(unit->arena, side->count + 1);
    memset(side->taken, 0, side->count + 1);
    return check_loops(side);
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *number_words(struct arena *arena, const json_t *value, bool in_grid) {
    json_int_t number = json_integer_value(value);
    return in_grid && number == 0 ? "auto" : arena_printf(arena, "%lld", (long long)number);
}

/* A grid is "4 x auto", another list "a, b". */
static const char *words_of(struct arena *arena, const json_t *value) {
    if (json_is_string(value))
        return json_string_value(value);
    if (json_is_integer(value))
        return number_words(arena, value, false);
    if (!json_is_array(value))
        return !value || json_is_null(value) ? "none" : json_is_true(value) ? "yes" : "no";
    const char *words = "";
    for (size_t i = 0; i < json_array_size(value); ++i) {
        const json_t *item = json_array_get(value, i);
        bool number = json_is_integer(item);
        words = arena_printf(arena, "%s%s%s", words,
                             i == 0   ? ""
                             : number ? " x "
                                      : ", ",
                             number ? number_words(arena, item, true) : words_of(arena, item));
    }
    return *words ? words : "none";
}

static const char *placement_words(struct arena *arena, const json_t *array) {
    if (!array)
        return "not said";
    const char *dim = form_string(array, "dim");
    return arena_printf(arena, "%s%s%s", form_string(array, "placement"), dim ? " by " : "",
                        dim ? dim : "");
}

/* `train, loop 1 (line 41)`. Both lines where they differ. */
static const char *loop_words(struct arena *arena, const json_t *before, const json_t *after) {
    const json_t *one = before ? before : after;
    long long line = json_integer_value(json_object_get(one, "line"));
    long long then = json_integer_value(json_object_get(after ? after : one, "line"));
    const char *moved = line && then && then != line ? arena_printf(arena, ", now %lld", then) : "";
    const char *place = line ? arena_printf(arena, " (line %lld%s)", line, moved) : "";
    return arena_printf(arena, "%s, loop %lld%s", form_string(one, "function"),
                        (long long)json_integer_value(json_object_get(one, "ordinal")), place);
}

static void add(struct compare *compare, const char *loop, const char *words) {
    struct plan_change change = {loop, words};
    ARENA_PUSH(compare->arena, compare->changes, compare->nchanges, change);
}

static void add_pair(struct compare *compare, const char *loop, const char *what,
                     const char *before, const char *after) {
    if (strcmp(before, after) != 0)
        add(compare, loop, arena_printf(compare->arena, "%s: %s -> %s", what, before, after));
}

/* ---- one loop -------------------------------------------------------------------------------- */

/* Tells which loop it is, is for the reader, or is compared in a way of its own. */
static bool is_apart(const char *field) {
    static const char *const fields[] = {"function", "ordinal", "line", "tokens", "arrays",
                                         "reason",   "grid",    "seed", "why",    "memory"};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; ++i)
        if (strcmp(fields[i], field) == 0)
            return true;
    return false;
}

static void compare_fields(struct compare *compare, const char *loop, json_t *before,
                           json_t *after) {
    const char *field;
    json_t *value;
    json_object_foreach(before, field, value) {
        if (!is_apart(field)) {
            add_pair(compare, loop, field, words_of(compare->arena, value),
                     words_of(compare->arena, json_object_get(after, field)));
        }
    }
    json_object_foreach(after, field, value) {
        if (!is_apart(field) && !json_object_get(before, field))
            add_pair(compare, loop, field, "none", words_of(compare->arena, value));
    }
}

/* What is left out at the end is 0. */
static const char *grid_words(struct arena *arena, const json_t *loop) {
    json_t *grid = json_deep_copy(json_object_get(loop, "grid"));
    size_t size = json_array_size(grid);
    while (size > 0 && json_integer_value(json_array_get(grid, size - 1)) == 0)
        json_array_remove(grid, --size);
    const char *words = size > 0 ? words_of(arena, grid) : "auto";
    json_decref(grid);
    return words;
}

static const char *seed_words(struct arena *arena, const json_t *loop) {
    const json_t *seed = json_object_get(loop, "seed");
    return seed ? words_of(arena, seed) : arena_printf(arena, "%u", PLAN_SEED);
}

static const json_t *array_named(const json_t *loop, const char *name) {
    const json_t *list = json_object_get(loop, "arrays");
    for (size_t i = 0; i < json_array_size(list); ++i) {
        const json_t *array = json_array_get(list, i);
        const char *other = form_string(array, "name");
        if (other && strcmp(other, name) == 0)
            return array;
    }
    return NULL;
}

static void compare_arrays(struct compare *compare, const char *loop, const json_t *before,
                           const json_t *after) {
    const json_t *lists[] = {json_object_get(before, "arrays"), json_object_get(after, "arrays")};
    for (int side = 0; side < 2; ++side) {
        for (size_t i = 0; i < json_array_size(lists[side]); ++i) {
            const char *name = form_string(json_array_get(lists[side], i), "name");
            if (side == 0 || !array_named(before, name)) {
                add_pair(compare, loop, arena_printf(compare->arena, "array %s", name),
                         placement_words(compare->arena, array_named(before, name)),
                         placement_words(compare->arena, array_named(after, name)));
            }
        }
    }
}

static const char *reason_words(const json_t *loop) {
    const char *code = form_string(json_object_get(loop, "reason"), "code");
    return code ? code : "";
}

static void compare_loops(struct compare *compare, json_t *before, json_t *after) {
    struct arena *arena = compare->arena;
    const char *loop = loop_words(arena, before, after);
    if (strcmp(form_string(before, "tokens"), form_string(after, "tokens")) != 0)
        add(compare, loop, "the loop itself: other tokens, its plan does not fit the other");
    compare_fields(compare, loop, before, after);
    add_pair(compare, loop, "grid", grid_words(arena, before), grid_words(arena, after));
    add_pair(compare, loop, "seed", seed_words(arena, before), seed_words(arena, after));
    compare_arrays(compare, loop, before, after);
    const char *reason = reason_words(before), *now = reason_words(after);
    if (*reason && *now)
        add_pair(compare, loop, "reason", reason, now);
}

/* ---- all loops ------------------------------------------------------------------------------- */

static bool same_text(const json_t *a, const json_t *b, const char *field) {
    return strcmp(form_string(a, field), form_string(b, field)) == 0;
}

/* By tokens and position, then by tokens, then by position. */
static bool is_same(const json_t *a, const json_t *b, int way) {
    bool place = json_equal(json_object_get(a, "ordinal"), json_object_get(b, "ordinal"));
    return same_text(a, b, "function") && (way == 1 || place) &&
           (way == 2 || same_text(a, b, "tokens"));
}

static void match_all(struct compare *compare, size_t *partner) {
    struct side *before = &compare->before, *after = &compare->after;
    for (int way = 0; way < 3; ++way) {
        for (size_t i = 0; i < before->count; ++i) {
            for (size_t j = 0; j < after->count && !before->taken[i]; ++j) {
                if (!after->taken[j] && is_same(loop_at(before, i), loop_at(after, j), way)) {
                    before->taken[i] = after->taken[j] = true;
                    partner[i] = j;
                }
            }
        }
    }
}

static void compare_all(struct compare *compare) {
    struct side *before = &compare->before, *after = &compare->after;
    struct arena *arena = compare->arena;
    size_t *partner = arena_alloc(arena, (before->count + 1) * sizeof *partner);
    match_all(compare, partner);
    for (size_t i = 0; i < before->count; ++i) {
        if (before->taken[i]) {
            compare_loops(compare, loop_at(before, i), loop_at(after, partner[i]));
        } else {
            add(compare, loop_words(arena, loop_at(before, i), NULL),
                arena_printf(arena, "only in %s: %s", before->form.path,
                             form_string(loop_at(before, i), "strategy")));
        }
    }
    for (size_t j = 0; j < after->count; ++j) {
        if (!after->taken[j]) {
            add(compare, loop_words(arena, NULL, loop_at(after, j)),
                arena_printf(arena, "only in %s: %s", after->form.path,
                             form_string(loop_at(after, j), "strategy")));
        }
    }
}

int plan_compare(struct unit *unit, const struct plan_text *before, const struct plan_text *after,
                 struct diag_list *diags, struct plan_change **changes) {
    struct compare compare = {.arena = unit->arena};
    bool good = open_side(&compare.before, before, unit, diags);
    good = open_side(&compare.after, after, unit, diags) && good;
    if (good)
        compare_all(&compare);
    json_decref(compare.before.root);
    json_decref(compare.after.root);
    *changes = compare.changes;
    return good ? compare.nchanges : -1;
}
