/*
 * Batons that move by the rows that are touched, as runtime/execute/touched.c lists them: how many
 * bytes go from which rank to which in a pass, and when they are there.
 */
#include "scheduler/cost/machine.h"

/* Where the run still does it, and from when on it pays (runtime/share/rows.c). */
enum { MOST_RANKS = 64, WORTH_OF = 4, WORTH = 3 };

/* The ranks that a baton visits, home first and last; no more than room for who comes once. */
struct ring {
    int ranks[MOST_RANKS + 2], n;
    bool once;
};

static void comes_by(struct ring *ring, int rank) {
    if (ring->n && ring->ranks[ring->n - 1] == rank)
        return;
    if (ring->n == MOST_RANKS + 2)
        ring->once = false;
    else
        ring->ranks[ring->n++] = rank;
}

static void ring_close(struct ring *ring) {
    if (ring->n)
        comes_by(ring, ring->ranks[0]);
    for (int i = 1; i < ring->n - 1; ++i)
        for (int j = 0; j < i; ++j)
            ring->once = ring->once && ring->ranks[i] != ring->ranks[j];
}

static struct ring *rings_make(struct arena *arena, const struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    size_t bytes = (size_t)(loop->nbatons + 1) * sizeof(struct ring);
    struct ring *rings = arena_alloc(arena, bytes);
    for (long b = 0; b < loop->nbatons; ++b)
        rings[b].once = true;
    for (long i = 0; i < loop->nsteps; ++i)
        for (int k = 0; k < loop->steps[i].nbatons; ++k)
            comes_by(&rings[loop->steps[i].batons[k]], (int)machine->rank_of[loop->steps[i].row]);
    for (long b = 0; b < loop->nbatons; ++b)
        ring_close(&rings[b]);
    return rings;
}

static bool crosses(const struct machine *machine, int from, int to) {
    bool inside = machine_node(machine, from) == machine_node(machine, to);
    return !inside || !machine_shares(machine);
}

static uint64_t ranks_of(const struct machine *machine, uint64_t rows) {
    uint64_t ranks = 0;
    for (long row = 0; row < machine->loop->rows && row < 64; ++row)
        if (rows >> row & 1)
            ranks |= UINT64_C(1) << machine->rank_of[row];
    return ranks;
}

/* Rows of the baton that cross whole and by rows; `moves[from * ranks + to]` counts the latter. */
struct crossings {
    double whole, touched;
};

static struct crossings baton_moves(const struct machine *machine, long b, const struct ring *ring,
                                    double *moves) {
    const struct cost_touch *touched = machine->loop->touched[b];
    struct crossings count = {0, 0};
    for (long i = 0; i < machine->loop->ntouched[b]; ++i) {
        uint64_t ranks = ranks_of(machine, touched[i].rows);
        int at = ring->n ? ring->ranks[0] : 0;
        for (int r = 1; r < ring->n; ++r) {
            int to = ring->ranks[r];
            if (crosses(machine, ring->ranks[r - 1], to))
                count.whole += touched[i].count;
            if (to == at || (r < ring->n - 1 && !(ranks >> to & 1)))
                continue;
            count.touched += crosses(machine, at, to) ? touched[i].count : 0;
            moves[at * machine->ranks + to] += touched[i].count;
            at = to;
        }
    }
    return count;
}

static double rows_of(const struct cost_loop *loop, long b) {
    double rows = 0;
    for (long i = 0; i < loop->ntouched[b]; ++i)
        rows += loop->touched[b][i].count;
    return rows;
}

/* The parts of one dim, batons `first` to `end`: do they move by rows, and how? */
static void dim_make(struct arena *arena, struct machine *machine, const struct ring *rings,
                     long first, long end) {
    const struct cost_loop *loop = machine->loop;
    size_t cells = (size_t)(machine->ranks * machine->ranks);
    struct crossings all = {0, 0};
    for (long b = first; b < end; ++b)
        if (!rings[b].once)
            return;
    double **moves = arena_alloc(arena, (size_t)(end - first + 1) * sizeof *moves);
    for (long b = first; b < end; ++b) {
        moves[b - first] = arena_alloc(arena, cells * sizeof **moves);
        struct crossings one = baton_moves(machine, b, &rings[b], moves[b - first]);
        double rows = rows_of(loop, b), bytes = rows > 0 ? loop->baton_bytes[b] / rows : 0;
        for (size_t i = 0; i < cells; ++i)
            moves[b - first][i] *= bytes;
        all.whole += one.whole;
        all.touched += one.touched;
    }
    for (long b = first; b < end && all.touched * WORTH_OF < all.whole * WORTH; ++b)
        machine->moves[b] = moves[b - first];
}

void cost_touched_make(struct arena *arena, struct machine *machine) {
    const struct cost_loop *loop = machine->loop;
    size_t batons = (size_t)loop->nbatons + 1;
    machine->moves = arena_alloc(arena, batons * sizeof *machine->moves);
    if (!loop->touched || machine->ranks < 2 || machine->ranks > MOST_RANKS)
        return;
    machine->left = arena_alloc(arena, batons * (size_t)machine->ranks * sizeof *machine->left);
    struct ring *rings = rings_make(arena, machine);
    long first = 0;
    for (int d = 1; d < loop->ndims; first += loop->parts[d++])
        if (first + loop->parts[d] <= loop->nbatons)
            dim_make(arena, machine, rings, first, first + loop->parts[d]);
}

/* ---- in a pass ---- */

double cost_touched_arrival(struct machine *machine, long b, long to, double time) {
    const double *moves = machine->moves[b], *left = machine->left + b * machine->ranks;
    double latest = 0;
    for (long from = 0; from < machine->ranks; ++from) {
        if (moves[from * machine->ranks + to] <= 0)
            continue;
        double here =
            machine_arrival(machine, from, to, left[from], moves[from * machine->ranks + to]);
        latest = here > latest ? here : latest;
        machine->messages += machine->loop->baton_messages[b];
    }
    return latest > 0 ? latest : time;
}

double cost_touched_handling(const struct machine *machine, long b, long rank, bool out) {
    double seconds = 0;
    for (long peer = 0; peer < machine->ranks; ++peer) {
        long from = out ? rank : peer, to = out ? peer : rank;
        double bytes = machine->moves[b][from * machine->ranks + to];
        bool inside = machine_node(machine, from) == machine_node(machine, to);
        const struct cost_link *link =
            inside ? &machine->cluster->within : &machine->cluster->between;
        if (bytes > 0 && machine->without != LATENCY)
            seconds += machine->loop->baton_messages[b] * link->overhead +
                       (inside && machine_shares(machine) ? 0 : bytes * link->per_byte);
    }
    return seconds;
}
