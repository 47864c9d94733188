/* The innermost loop by its strides, tiles by what is used again. */
#include "scheduler/transform/profit.h"

/*
 * What one iteration of an innermost loop costs by an access, in parts of an element that comes from
 * a cache line in use: one from a line of its own, which keeps the loop from vector instructions,
 * too; and a store to the same element in every iteration, which waits for the one before.
 */
enum { COST_STRIDED = 8, COST_UNIT = 1, COST_SAME_STORE = 4, COST_SAME = 0 };

/* Iterations of a tile: of the innermost loop, so that rows stay in the first caches while vectors
 * are long; of the others. */
enum { TILE_INNERMOST = 256, TILE = 32 };

/* ---- strides --------------------------------------------------------------------------------- */

static long coefficient(const struct nest *nest, const struct subscript *sub, int loop) {
    for (int i = 0; i < sub->value.nterms; ++i)
        if (nest_loop_of(nest, sub->value.terms[i].symbol) == loop)
            return sub->value.terms[i].coeff;
    return 0;
}

static bool moves(const struct nest *nest, const struct access *a, int loop) {
    for (int i = 0; i < a->nsubs; ++i)
        if (coefficient(nest, &a->subs[i], loop) != 0)
            return true;
    return false;
}

static bool is_strided(const struct nest *nest, const struct access *a, int loop) {
    for (int i = 0; i + 1 < a->nsubs; ++i)
        if (coefficient(nest, &a->subs[i], loop) != 0)
            return true;
    long last = a->nsubs > 0 ? coefficient(nest, &a->subs[a->nsubs - 1], loop) : 0;
    return last > 1 || last < -1;
}

static int cost_of(const struct nest *nest, const struct access *a, int loop) {
    if (is_strided(nest, a, loop))
        return COST_STRIDED;
    if (moves(nest, a, loop))
        return COST_UNIT;
    return a->write ? COST_SAME_STORE : COST_SAME;
}

static int cost(const struct nest *nest, const struct nest_statement *s, int loop) {
    int sum = 0;
    for (int i = 0; i < s->naccesses; ++i)
        sum += cost_of(nest, s->accesses[i].access, loop);
    return sum;
}

static bool strides(const struct nest *nest, const struct nest_statement *s, int loop) {
    for (int i = 0; i < s->naccesses; ++i)
        if (is_strided(nest, s->accesses[i].access, loop))
            return true;
    return false;
}

/* ---- the innermost loop ---------------------------------------------------------------------- */

/* The statements that have a band for their innermost one: bands inside come first. */
static bool is_innermost(const struct order *order, int band, int statement) {
    if (order->bands[band].members[0].counts[statement] == ORDER_NONE)
        return false;
    for (int b = 0; b < band; ++b)
        if (order->bands[b].members[0].counts[statement] != ORDER_NONE)
            return false;
    return true;
}

static int cost_inside(const struct nest *nest, const struct order *order, int band, int member) {
    int sum = 0;
    for (int s = 0; s < nest->nstatements; ++s)
        if (is_innermost(order, band, s))
            sum += cost(nest, &nest->statements[s], order->bands[band].members[member].counts[s]);
    return sum;
}

static int cost_now(const struct nest *nest, const struct order *order, int band) {
    int sum = 0;
    for (int s = 0; s < nest->nstatements; ++s)
        if (is_innermost(order, band, s)) {
            const struct nest_statement *statement = &nest->statements[s];
            sum += cost(nest, statement, statement->loops[statement->nloops - 1]);
        }
    return sum;
}

static bool strides_inside(const struct nest *nest, const struct order *order, int band,
                           int member) {
    for (int s = 0; s < nest->nstatements; ++s)
        if (is_innermost(order, band, s) &&
            strides(nest, &nest->statements[s], order->bands[band].members[member].counts[s]))
            return true;
    return false;
}

/* ---- reuse ----------------------------------------------------------------------------------- */

/* A loop of the band other than the innermost one uses elements again that another one moves. */
static bool reuses(const struct nest *nest, const struct order_band *band, int statement,
                   int innermost) {
    const struct nest_statement *s = &nest->statements[statement];
    for (int m = 0; m < band->nmembers; ++m)
        for (int i = 0; m != innermost && i < s->naccesses; ++i) {
            const struct access *a = s->accesses[i].access;
            if (a->nsubs > 1 && !moves(nest, a, band->members[m].counts[statement]))
                return true;
        }
    return false;
}

/* ---- choices --------------------------------------------------------------------------------- */

static int best_inside(const struct nest *nest, const struct order *order, int band) {
    int best = order->bands[band].nmembers - 1;
    for (int m = best; m >= 0; --m)
        if (cost_inside(nest, order, band, m) < cost_inside(nest, order, band, best))
            best = m;
    return best;
}

static void choose_orders(const struct order_band *band, int innermost,
                          struct order_choice *choice) {
    int inner = 0, outer = 0;
    for (int m = 0; m < band->nmembers; ++m)
        if (m != innermost)
            choice->inner[inner++] = m;
    choice->inner[inner] = innermost;
    for (int m = 0; m < band->nmembers; ++m)
        if (band->members[m].is_parallel)
            choice->outer[outer++] = m;
    for (int m = 0; m < band->nmembers; ++m)
        if (!band->members[m].is_parallel)
            choice->outer[outer++] = m;
}

static bool is_any_innermost(const struct nest *nest, const struct order *order, int band) {
    for (int s = 0; s < nest->nstatements; ++s)
        if (is_innermost(order, band, s))
            return true;
    return false;
}

static void keep(const struct order_band *band, struct order_choice *choice) {
    *choice = (struct order_choice){.tile = {0}};
    for (int m = 0; m < band->nmembers; ++m)
        choice->inner[m] = choice->outer[m] = m;
}

/* Three loops and more are tiled when something is used again; of two the innermost, so that what
 * it sums up stays; both when one of their arrays is passed the wrong way either way. */
static bool choose_tiles(const struct nest *nest, const struct order *order, int band,
                         int innermost, struct order_choice *choice) {
    const struct order_band *b = &order->bands[band];
    bool again = false,
         better = cost_inside(nest, order, band, innermost) < cost_now(nest, order, band);
    bool wrong = strides_inside(nest, order, band, innermost);
    for (int s = 0; s < nest->nstatements; ++s)
        again |= is_innermost(order, band, s) && reuses(nest, b, s, innermost);
    for (int m = 0; m < b->nmembers; ++m)
        if (m == innermost)
            choice->tile[m] = wrong ? TILE : TILE_INNERMOST;
        else if (wrong || (b->nmembers > 2 && again))
            choice->tile[m] = TILE;
    return better || wrong || (b->nmembers > 2 && again);
}

/* ---- for threads ----------------------------------------------------------------------------- */

/* Iterations that a thread takes of an innermost loop, all of the loops around it inside: its part of
 * a row stays in the first cache. */
enum { STRIP = 512 };

/* The parallel loop that comes first, of several one that is not the innermost; -1: there is none. */
static int parallel_of(const struct order_band *band, int innermost) {
    int found = band->members[innermost].is_parallel ? innermost : -1;
    for (int m = 0; m < band->nmembers; ++m)
        if (m != innermost && band->members[m].is_parallel)
            return m;
    return found;
}

/* Around `first` the others as they are; the innermost one in strips where it is the parallel one. */
static void choose_strips(const struct order_band *band, int innermost, int first,
                          struct order_choice *choice) {
    int inner = 0;
    if (first != innermost)
        choice->inner[inner++] = first;
    for (int m = 0; m < band->nmembers; ++m)
        if (m != innermost && m != first)
            choice->inner[inner++] = m;
    choice->inner[inner] = innermost;
    if (first == innermost)
        choice->tile[innermost] = STRIP;
}

bool profit_choose_parallel(const struct nest *nest, struct order *order) {
    bool any = false;
    for (int b = 0; b < order->nbands; ++b) {
        const struct order_band *band = &order->bands[b];
        keep(band, &order->choices[b]);
        if (!band->is_permutable || band->nmembers < 2 || !is_any_innermost(nest, order, b))
            continue;
        const int innermost = best_inside(nest, order, b);
        const int first = parallel_of(band, innermost);
        if (first < 0)
            continue;
        choose_strips(band, innermost, first, &order->choices[b]);
        any = true;
    }
    return any;
}

/* ---- for the caches -------------------------------------------------------------------------- */

bool profit_choose(const struct nest *nest, struct order *order) {
    bool pays = false;
    for (int b = 0; b < order->nbands; ++b) {
        const struct order_band *band = &order->bands[b];
        keep(band, &order->choices[b]);
        if (!band->is_permutable || band->nmembers < 2 || !is_any_innermost(nest, order, b))
            continue;
        int innermost = best_inside(nest, order, b);
        struct order_choice choice = order->choices[b];
        choose_orders(band, innermost, &choice);
        if (!choose_tiles(nest, order, b, innermost, &choice))
            continue;
        order->choices[b] = choice;
        pays = true;
    }
    return pays;
}
