/*
 * PageRank (Brin, Page, 1998) by power iteration: the share of time that a walk along a graph's
 * edges spends at each node, when it jumps to any node now and then. Edges come from a file of
 * lines `from to`, or are made: R-MAT (Chakrabarti, Zhan, Faloutsos, SDM 2004).
 *
 * Build: cc -O3 pagerank.c -o pagerank -lorrery-load -lm   or   orrery-cc -O3 pagerank.c -o ...
 */
#include "../common/data.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* Edges into node i come from the nodes from[p], begin[i] <= p < begin[i + 1]. */
struct graph {
    int nodes;
    long edges;
    long *begin;
    int *from, *out; /* out[i]: how many edges leave i */
};

struct settings {
    int passes, scale, degree, seed, top, quiet;
    double damping, tolerance;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--passes", OPTION_INT, AT(passes), 0, 1e6, "at most (100)"},
    {"--damping", OPTION_REAL, AT(damping), 0, 1, "chance to go along an edge (0.85)"},
    {"--tolerance", OPTION_REAL, AT(tolerance), 0, 1, "ends when so little moves (1e-9)"},
    {"--scale", OPTION_INT, AT(scale), 1, 30, "2^scale nodes are made (16)"},
    {"--degree", OPTION_INT, AT(degree), 1, 1000, "edges per node that are made (16)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of the graph (1)"},
    {"--top", OPTION_INT, AT(top), 0, 1e6, "nodes to print (0)"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.rank.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the graph ---- */

/* In each of `scale` steps a quarter of the matrix of edges is chosen. */
static struct orrery_rating draw_edge(const struct settings *s, uint64_t number) {
    struct orrery_rating e = {0, 0, 1};
    for (int level = 0; level < s->scale; ++level) {
        double u = uniform((uint64_t)s->seed, number * (uint64_t)s->scale + (uint64_t)level);
        e.row = 2 * e.row + (u >= .76);
        e.column = 2 * e.column + ((u >= .57 && u < .76) || u >= .95);
    }
    return e;
}

static struct orrery_ratings make_edges(const struct settings *s) {
    struct orrery_ratings all = {.rows = 1 << s->scale, .columns = 1 << s->scale};
    all.count = ((long)s->degree) << s->scale;
    all.entry = make(NULL, (size_t)all.count, sizeof *all.entry);
    for (long n = 0; n < all.count; ++n)
        all.entry[n] = draw_edge(s, (uint64_t)n);
    return all;
}

/* Sorts the edges by the node that they lead to, those of a node in the order of the file. */
static struct graph sort_edges(const struct orrery_ratings *all) {
    struct graph g = {.nodes = all->rows > all->columns ? all->rows : all->columns,
                      .edges = all->count};
    size_t nodes = (size_t)g.nodes;
    g.begin = make(NULL, nodes + 1, sizeof *g.begin);
    g.from = make(NULL, (size_t)g.edges, sizeof *g.from);
    g.out = make(NULL, nodes, sizeof *g.out);
    memset(g.begin, 0, (nodes + 1) * sizeof *g.begin);
    memset(g.out, 0, nodes * sizeof *g.out);
    for (long n = 0; n < g.edges; ++n) {
        ++g.begin[all->entry[n].column];
        ++g.out[all->entry[n].row];
    }
    long before = 0;
    for (int i = 0; i <= g.nodes; ++i) {
        long here = g.begin[i];
        g.begin[i] = before;
        before += here;
    }
    for (long n = 0; n < g.edges; ++n)
        g.from[g.begin[all->entry[n].column]++] = all->entry[n].row;
    for (int i = g.nodes; i > 0; --i)
        g.begin[i] = g.begin[i - 1];
    g.begin[0] = 0;
    return g;
}

static struct graph read_graph(const char *path, const struct settings *s) {
    struct orrery_ratings all = {0};
    if (path)
        loaded(orrery_load_ratings(path, &all));
    else
        all = make_edges(s);
    if (all.count == 0)
        data_empty(path, "edges");
    struct graph g = sort_edges(&all);
    free(all.entry);
    return g;
}

/* ---- the walk ---- */

/* share: what a node hands to each one that it leads to; stuck: the rank of nodes without edges. */
struct walk {
    double *rank, *share, *next;
    double stuck;
};

static struct walk start(const struct graph *g) {
    size_t nodes = (size_t)g->nodes;
    struct walk w = {.rank = make(NULL, nodes, sizeof(double)),
                     .share = make(NULL, nodes, sizeof(double)),
                     .next = make(NULL, nodes, sizeof(double))};
    for (int i = 0; i < g->nodes; ++i) {
        w.rank[i] = 1. / g->nodes;
        w.share[i] = g->out[i] ? w.rank[i] / g->out[i] : 0;
        w.next[i] = 0;
        w.stuck += g->out[i] ? 0 : w.rank[i];
    }
    return w;
}

/* One step of the walk; returns how much of it changed place. */
static double step(const struct graph *g, struct walk *w, double damping) {
    const long *begin = g->begin;
    const int *from = g->from, *out = g->out;
    double *rank = w->rank, *next = w->next;
    const double *share = w->share;
    double jump = (1 - damping + damping * w->stuck) / g->nodes, moved = 0, stuck = 0;
    int nodes = g->nodes;
#pragma orrery parallel unordered
    for (int i = 0; i < nodes; ++i) {
        double sum = 0;
        for (long p = begin[i]; p < begin[i + 1]; ++p)
            sum += share[from[p]];
        double now = jump + damping * sum;
        moved += fabs(now - rank[i]);
        rank[i] = now;
        next[i] = out[i] ? now / out[i] : 0;
        stuck += out[i] ? 0 : now;
    }
    w->next = w->share;
    w->share = next;
    w->stuck = stuck;
    return moved;
}

/* ---- what comes out ---- */

struct place {
    double rank;
    int node;
};

static int higher(const void *a, const void *b) {
    const struct place *x = a, *y = b;
    return x->rank != y->rank ? (x->rank < y->rank) - (x->rank > y->rank) : x->node - y->node;
}

static void print_top(const double *rank, int nodes, int top, int first) {
    struct place *all = make(NULL, (size_t)nodes, sizeof *all);
    for (int i = 0; i < nodes; ++i)
        all[i] = (struct place){rank[i], i};
    qsort(all, (size_t)nodes, sizeof *all, higher);
    for (int i = 0; i < top && i < nodes; ++i)
        printf("node %d  rank %.6f\n", all[i].node + first, all[i].rank);
    free(all);
}

static void walk_on(const struct settings *s, const struct graph *g, struct walk *w) {
    struct report report = {.quiet = s->quiet, .names = {"moved", "rank in all"}};
    double moved = 1;
    while (report.passes < s->passes && moved > s->tolerance) {
        double begin = clock_seconds(), all = 0;
        moved = step(g, w, s->damping);
        double seconds = clock_seconds() - begin;
        for (int i = 0; i < g->nodes; ++i)
            all += w->rank[i];
        report_pass(&report, moved, all, seconds);
    }
    report_end(&report);
}

int main(int argc, char **argv) {
    struct settings s = {
        .passes = 100, .scale = 16, .degree = 16, .seed = 1, .damping = .85, .tolerance = 1e-9};
    const char *path = options_parse(argc, argv, "pagerank [options] [EDGES]",
                                     sizeof table / sizeof *table, table, &s);
    struct graph g = read_graph(path, &s);
    if (!s.quiet)
        printf("%d nodes, %ld edges\n", g.nodes, g.edges);
    struct walk w = start(&g);
    walk_on(&s, &g, &w);
    print_top(w.rank, g.nodes, s.top, path ? 1 : 0);
    if (s.output) {
        struct orrery_model_array rank = model_array("rank", ORRERY_NPY_DOUBLE, w.rank, g.nodes, 1);
        model_save(s.output, 1, &rank);
    }
    free(g.begin);
    free(g.from);
    free(g.out);
    free(w.rank);
    free(w.share);
    free(w.next);
    return 0;
}
