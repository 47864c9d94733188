/*
 * What the verdict of a loop says of two places at which its iterations met.
 *
 *   places, memory -> the objects of both sides -> for each pair of objects: roles, vectors, checks
 *
 * Each distance of a conflict needs an excuse of its own; one that any pair of objects gives counts.
 */
#include "tools/verify/accesses.h"

#include <stdlib.h>
#include <string.h>

/* As in runtime/accesses/watch.h. */
enum { KEYS = 4, CROSS = 2 * KEYS };
enum { KEY_EQUAL = 1, KEY_GREATER = 2 };

/* The objects that each side of a conflict may be in. `folds`: those of which both sides are a
 * reduction's accesses; `blind`: of one side at least nothing is known; `variable`: the first object of
 * the variable that the memory is, or -1. */
struct sides {
    size_t count;
    bool *source, *sink, *folds;
    bool blind;
    long variable;
};

struct verdict {
    enum excuse excuse;
    enum met_role role;
    const char *object;
};

/* ---- the table ------------------------------------------------------------------------------- */

static const json_t *list_of(const struct seen_loop *loop, const char *name) {
    return json_object_get(loop->claim, name);
}

static long long number(const json_t *list, size_t index) {
    return json_integer_value(json_array_get(list, index));
}

/* A text of item `index` of a list of the claim. */
static const char *item(const struct seen_loop *loop, const char *list, size_t index, size_t part) {
    const char *text =
        json_string_value(json_array_get(json_array_get(list_of(loop, list), index), part));
    return text ? text : "";
}

static const char *object_name(const struct seen_loop *loop, size_t object) {
    return item(loop, "objects", object, 0);
}

static bool object_has(const struct seen_loop *loop, size_t object, char role) {
    return strchr(item(loop, "objects", object, 1), role) != NULL;
}

/* The first object of the variable that an object is, or is a part of; -1: a pointer leads to it. */
static long variable_of(const struct seen_loop *loop, size_t object) {
    return (long)number(json_array_get(list_of(loop, "objects"), object), 2);
}

/* ---- objects of a place ---------------------------------------------------------------------- */

static const char *base_name(const char *path) {
    const char *slash = path ? strrchr(path, '/') : NULL;
    return slash ? slash + 1 : path ? path : "";
}

/* The access stands on the line of the place, `slack` lines around included. */
static bool stands_at(const struct seen_loop *loop, const json_t *access, struct text_place place,
                      int slack) {
    const json_t *files = json_object_get(loop->unit, "files");
    const char *file = json_string_value(json_array_get(files, (size_t)number(access, 0)));
    return place.file && strcmp(base_name(file), base_name(place.file)) == 0 &&
           place.line >= number(access, 1) - slack && place.line <= number(access, 3) + slack;
}

static long long place_number(long long line, long long column) {
    return line << 20 | column;
}

/*
 * How near the access is to the place's column: compilers name the place of a load by a column
 * inside of it, that of a store by the operator behind it. An access inside of another begins
 * later. 0: its line alone speaks for it.
 */
static long long nearness(const json_t *access, struct text_place place) {
    enum { BLANKS = 2 };
    long long at = place_number(place.line, place.column);
    long long begin = place_number(number(access, 1), number(access, 2));
    long long end = place_number(number(access, 3), number(access, 4));
    bool behind = json_is_true(json_array_get(access, 6)) && at >= end && at <= end + BLANKS;
    return place.column > 0 && ((begin <= at && at < end) || behind) ? begin : 0;
}

/* Is it one of those that are asked for: reads or writes, `reduces`: of a reduction? */
static bool is_asked(const json_t *access, bool write, bool reduces) {
    return json_is_true(json_array_get(access, 6)) == write &&
           (!reduces || json_is_true(json_array_get(access, 7)));
}

/* Marks the objects that may be read, or written, at a place: by the accesses that are nearest. */
static void find_objects(const struct seen_loop *loop, struct text_place place, bool write,
                         bool reduces, int slack, bool *found) {
    const json_t *accesses = list_of(loop, "accesses");
    long long nearest = 0;
    for (size_t i = 0; slack == 0 && i < json_array_size(accesses); ++i) {
        const json_t *access = json_array_get(accesses, i);
        long long near = is_asked(access, write, false) && stands_at(loop, access, place, 0)
                             ? nearness(access, place)
                             : 0;
        nearest = near > nearest ? near : nearest;
    }
    for (size_t i = 0; i < json_array_size(accesses); ++i) {
        const json_t *access = json_array_get(accesses, i);
        if (is_asked(access, write, reduces) && stands_at(loop, access, place, slack) &&
            (nearest == 0 || nearness(access, place) == nearest))
            found[number(access, 5)] = true;
    }
}

static bool source_writes(const struct met *met) {
    return met->kind == MET_FLOW || met->kind == MET_OUTPUT;
}

/* The first object of the variable that the memory is, -1: not known. A name that two variables have
 * tells none. */
static long variable_of_memory(const struct seen_loop *loop, const struct met *met) {
    const json_t *variables = list_of(loop, "variables");
    long found = -1;
    if (met->variable >= 0)
        return (long)number(json_array_get(variables, (size_t)met->variable), 2);
    for (size_t i = 0; *met->symbol && i < json_array_size(list_of(loop, "objects")); ++i) {
        long variable = variable_of(loop, i);
        if (variable < 0 || strcmp(object_name(loop, i), met->symbol) != 0)
            continue;
        if (found >= 0 && found != variable)
            return -1;
        found = variable;
    }
    return found;
}

/* Memory of one variable is no other variable's. */
static void narrow(const struct seen_loop *loop, const struct met *met, struct sides *sides) {
    sides->variable = variable_of_memory(loop, met);
    for (size_t i = 0; sides->variable >= 0 && i < sides->count; ++i)
        if (variable_of(loop, i) >= 0 && variable_of(loop, i) != sides->variable)
            sides->source[i] = sides->sink[i] = false;
}

static bool has_any(const bool *found, size_t count) {
    return memchr(found, true, count) != NULL;
}

/* Where no access stands on a line, those of the lines around are asked. `folds`: of the accesses
 * found, those of a reduction. */
static void side_of(const struct seen_loop *loop, struct text_place place, bool write, size_t count,
                    bool *found, bool *folds) {
    enum { AROUND = 3 };
    find_objects(loop, place, write, false, 0, found);
    int slack = has_any(found, count) ? 0 : AROUND;
    if (slack)
        find_objects(loop, place, write, false, slack, found);
    find_objects(loop, place, write, true, slack, folds);
}

static struct sides sides_of(struct arena *arena, const struct seen_loop *loop,
                             const struct met *met) {
    struct sides sides = {.count = json_array_size(list_of(loop, "objects"))};
    bool *parts[4];
    for (int i = 0; i < 4; ++i)
        parts[i] = arena_alloc(arena, sides.count + 1);
    sides.source = parts[0];
    sides.sink = parts[1];
    side_of(loop, met->source, source_writes(met), sides.count, sides.source, parts[2]);
    side_of(loop, met->sink, met->kind != MET_FLOW, sides.count, sides.sink, parts[3]);
    narrow(loop, met, &sides);
    sides.folds = parts[2];
    for (size_t i = 0; i < sides.count; ++i)
        sides.folds[i] = parts[2][i] && parts[3][i];
    sides.blind = !has_any(sides.source, sides.count) || !has_any(sides.sink, sides.count);
    return sides;
}

/* ---- vectors --------------------------------------------------------------------------------- */

/* May the difference have this sign (-1, 0, 1)? */
static bool admits_sign(const json_t *entry, int sign) {
    const char *text = json_string_value(entry);
    if (!text) {
        long long wanted = json_integer_value(entry);
        return sign == (wanted > 0) - (wanted < 0);
    }
    return *text == '*' || (sign > 0 && strchr(text, '+')) || (sign < 0 && strchr(text, '-')) ||
           (sign == 0 && *text == '0');
}

/* `distance` 0: forwards, but how far is not known. */
static bool admits_distance(const json_t *entry, int64_t distance, int sense) {
    if (json_is_integer(entry) && distance != 0)
        return json_integer_value(entry) == distance * sense;
    return admits_sign(entry, sense);
}

static bool admits_key(const json_t *entry, uint32_t keys, long long key, int sense) {
    uint32_t compared = key < 0 ? 0 : keys >> 2 * key & 3;
    if (compared == 0)
        return true;
    return admits_sign(entry, compared == KEY_EQUAL ? 0 : compared == KEY_GREATER ? sense : -sense);
}

/* `sense` -1: the verdict's source is the later iteration. */
static bool admits(const struct seen_loop *loop, const json_t *vector,
                   const struct met_vector *seen, int sense) {
    const json_t *dims = list_of(loop, "dims");
    for (size_t d = 0; d < json_array_size(dims); ++d) {
        const json_t *entry = json_array_get(vector, 3 + d);
        long long dim = number(dims, d);
        if (dim == -1 ? !admits_distance(entry, seen->distance, sense)
                      : !admits_key(entry, seen->keys, dim, sense))
            return false;
    }
    return true;
}

/* Of an unordered loop one vector, with a write as its source, stands for both orders. */
static bool admits_kind(const struct seen_loop *loop, const json_t *vector, enum met_kind kind,
                        const struct met_vector *seen) {
    enum { FLOW, ANTI, OUTPUT };
    long long own = number(vector, 2);
    bool unordered = strcmp(accesses_claim(loop, "order"), "unordered") == 0;
    int wanted = kind == MET_FLOW ? FLOW : kind == MET_OUTPUT ? OUTPUT : ANTI;
    if (own == wanted && admits(loop, vector, seen, 1))
        return true;
    return unordered && ((own == FLOW && wanted == ANTI) || (own == OUTPUT && wanted == OUTPUT)) &&
           admits(loop, vector, seen, -1);
}

/* Wherever iterations meet in this object, one of these keys of one is that of the other. */
static bool is_crossed(const struct seen_loop *loop, size_t object, uint32_t keys) {
    const json_t *crossings = list_of(loop, "crossings"), *pairs = NULL;
    for (size_t i = 0; i < json_array_size(crossings); ++i)
        if (number(json_array_get(crossings, i), 0) == (long long)object)
            pairs = json_array_get(json_array_get(crossings, i), 1);
    for (size_t i = 0; keys && i < json_array_size(pairs); ++i) {
        const json_t *pair = json_array_get(pairs, i);
        long long x = number(pair, 0), y = number(pair, 1);
        bool known = keys >> 2 * x & 3 && keys >> 2 * y & 3;
        if (!known || keys >> (CROSS + KEYS * x + y) & 1 || keys >> (CROSS + KEYS * y + x) & 1)
            return true;
    }
    return !pairs || !keys;
}

static bool is_kept(const struct seen_loop *loop, size_t object, enum met_kind kind,
                    const struct met_vector *seen) {
    const json_t *vectors = list_of(loop, "vectors");
    for (size_t i = 0; i < json_array_size(vectors); ++i) {
        const json_t *vector = json_array_get(vectors, i);
        if (number(vector, 0) == (long long)object && number(vector, 1) == (long long)object &&
            admits_kind(loop, vector, kind, seen))
            return is_crossed(loop, object, seen->keys);
    }
    return false;
}

/* Two objects that may overlap: whatever meets there is kept. */
static bool may_overlap(const struct seen_loop *loop, size_t a, size_t b) {
    const json_t *vectors = list_of(loop, "vectors");
    for (size_t i = 0; i < json_array_size(vectors); ++i) {
        const json_t *vector = json_array_get(vectors, i);
        size_t x = (size_t)number(vector, 0), y = (size_t)number(vector, 1);
        if ((x == a && y == b) || (x == b && y == a))
            return true;
    }
    return false;
}

/* ---- checks ---------------------------------------------------------------------------------- */

/* A check that the run would make, and of which it is not known that it holds. */
static bool is_open(const struct seen_loop *loop, const json_t *check) {
    return !json_is_true(json_array_get(check, 2)) || loop->told == 0 || loop->failed > 0;
}

static bool is_checked(const struct seen_loop *loop, size_t a, size_t b) {
    const json_t *checks = list_of(loop, "checks");
    for (size_t i = 0; i < json_array_size(checks); ++i) {
        const json_t *check = json_array_get(checks, i);
        long long x = number(check, 0), y = number(check, 1);
        bool about = x < 0 || (x == (long long)a && y == (long long)b) ||
                     (x == (long long)b && y == (long long)a) ||
                     (x == y && (x == (long long)a || x == (long long)b));
        if (about && is_open(loop, check))
            return true;
    }
    return false;
}

/* One that is about all objects. */
static bool is_all_checked(const struct seen_loop *loop) {
    const json_t *checks = list_of(loop, "checks");
    for (size_t i = 0; i < json_array_size(checks); ++i)
        if (number(json_array_get(checks, i), 0) < 0 && is_open(loop, json_array_get(checks, i)))
            return true;
    return false;
}

/* ---- excuses --------------------------------------------------------------------------------- */

/* No iteration sees what another one left. That the reader had written first is not known of
 * iterations long ago. */
static bool is_own(enum met_kind kind, const struct met_vector *seen) {
    return kind == MET_OUTPUT || kind == MET_ANTI_OWN ||
           (kind == MET_ANTI && seen->iterations[0] < 0);
}

static int rank(enum excuse excuse) {
    return excuse == EXCUSE_CLAIMED ? 2 : excuse == EXCUSE_GUARDED ? 1 : 0;
}

static void consider(struct verdict *best, enum met_role role, const char *object) {
    struct verdict own = {EXCUSE_CLAIMED, role, object};
    if (role == ROLE_NONE || role == ROLE_GUARDED)
        own.excuse = role == ROLE_NONE ? EXCUSE_NONE : EXCUSE_GUARDED;
    if (!best->object || rank(own.excuse) > rank(best->excuse))
        *best = own;
}

/* The run would look at the object and another one, or at two iterations in it. */
static bool is_guarded(const struct seen_loop *loop, size_t object, const struct sides *sides) {
    for (size_t b = 0; sides->blind && b < sides->count; ++b)
        if (is_checked(loop, object, b))
            return true;
    return is_checked(loop, object, object);
}

/* One object on both sides. */
static enum met_role role_of_object(const struct seen_loop *loop, size_t object,
                                    const struct sides *sides, const struct met *met,
                                    const struct met_vector *seen) {
    bool kept = accesses_is_parallel(loop) ? is_kept(loop, object, met->kind, seen)
                                           : object_has(loop, object, 'c');
    return kept                                                       ? ROLE_KEPT
           : object_has(loop, object, 'r') && sides->folds[object]    ? ROLE_REDUCTION
           : object_has(loop, object, 'x')                            ? ROLE_RELAXED
           : object_has(loop, object, 'p') && is_own(met->kind, seen) ? ROLE_PRIVATE
           : is_guarded(loop, object, sides)                          ? ROLE_GUARDED
                                                                      : ROLE_NONE;
}

static enum met_role role_of_two(const struct seen_loop *loop, size_t a, size_t b) {
    return may_overlap(loop, a, b) ? ROLE_KEPT : is_checked(loop, a, b) ? ROLE_GUARDED : ROLE_NONE;
}

/* A variable that no access of the analysis speaks of: counters, what a pipeline hands on. */
static enum met_role role_of_variable(const char *roles, const struct met *met,
                                      const struct met_vector *seen) {
    return strchr(roles, 'c')                              ? ROLE_KEPT
           : strchr(roles, 'r')                            ? ROLE_REDUCTION
           : strchr(roles, 'x')                            ? ROLE_RELAXED
           : strchr(roles, 'i')                            ? ROLE_MOVED
           : strchr(roles, 'p') && is_own(met->kind, seen) ? ROLE_PRIVATE
                                                           : ROLE_NONE;
}

static struct verdict verdict_of(const struct seen_loop *loop, const struct sides *sides,
                                 const struct met *met, const struct met_vector *seen) {
    struct verdict best = {EXCUSE_NONE, ROLE_NONE, NULL};
    if (met->variable >= 0)
        consider(&best,
                 role_of_variable(item(loop, "variables", (size_t)met->variable, 1), met, seen),
                 item(loop, "variables", (size_t)met->variable, 0));
    for (size_t a = 0; a < sides->count; ++a) {
        bool source = sides->source[a], sink = sides->sink[a];
        bool same = sides->variable >= 0 && variable_of(loop, a) == sides->variable;
        if ((source && sink) || (sides->blind && (source || sink || same)))
            consider(&best, role_of_object(loop, a, sides, met, seen), object_name(loop, a));
        for (size_t b = 0; source && b < sides->count; ++b)
            if (a != b && sides->sink[b])
                consider(&best, role_of_two(loop, a, b), object_name(loop, a));
    }
    return best;
}

/* Something in the loop may meet: then a conflict of unknown objects says nothing. */
static bool claims_any(const struct seen_loop *loop) {
    for (size_t i = 0; i < json_array_size(list_of(loop, "objects")); ++i)
        if (*item(loop, "objects", i, 1))
            return true;
    return json_array_size(list_of(loop, "guards")) > 0;
}

/* ---- words ----------------------------------------------------------------------------------- */

static const char *role_words(enum met_role role) {
    static const char *const words[] = {
        [ROLE_KEPT] = "a dependence that the plan keeps",
        [ROLE_REDUCTION] = "a reduction",
        [ROLE_RELAXED] = "relaxed or buffered",
        [ROLE_MOVED] = "moved in equal steps",
        [ROLE_PRIVATE] = "private to an iteration",
        [ROLE_GUARDED] = "guarded: the run would look first",
    };
    return words[role];
}

/* What the verdict claims of an object otherwise, where a conflict is none of that. */
static const char *claim_words(const struct seen_loop *loop, const char *object) {
    for (size_t i = 0; object && i < json_array_size(list_of(loop, "objects")); ++i) {
        if (strcmp(object_name(loop, i), object) != 0)
            continue;
        if (object_has(loop, i, 'c'))
            return "no vector of the verdict allows it";
        if (object_has(loop, i, 'r'))
            return "it is no access of the reduction";
        if (object_has(loop, i, 'p'))
            return "an iteration does not write it first";
    }
    return NULL;
}

static void settle(const struct seen_loop *loop, const struct sides *sides, struct met *met) {
    bool known = has_any(sides->source, sides->count) || has_any(sides->sink, sides->count) ||
                 met->variable >= 0;
    met->why = met->role ? role_words(met->role) : claim_words(loop, met->object);
    if (met->excuse == EXCUSE_NONE && is_all_checked(loop)) {
        met->excuse = EXCUSE_GUARDED;
        met->why = "the loop is guarded: the run would look first";
    }
    if (met->excuse == EXCUSE_NONE && !known && claims_any(loop)) {
        met->excuse = EXCUSE_UNPLACED;
        met->why = "not known which of the loop's objects this is";
    }
}

void accesses_excuse(struct arena *arena, const struct seen_loop *loop, struct met *met) {
    const struct sides sides = sides_of(arena, loop, met);
    for (int i = 0; i < met->nvectors; ++i) {
        struct verdict own = verdict_of(loop, &sides, met, &met->vectors[i]);
        if (i > 0 && rank(own.excuse) >= rank(met->excuse))
            continue;
        met->excuse = own.excuse;
        met->role = own.role;
        met->object = own.object;
        met->shown = i;
    }
    settle(loop, &sides, met);
}
