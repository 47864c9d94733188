/*
 * Embedding of a graph's nodes in one table: the two ends of an edge are drawn together, pairs that
 * are no edges are pushed apart (logistic loss over edges and fixed negative samples).
 * Edges come from a file of lines `from to`, or are made: communities of nodes whose
 * edges mostly stay inside.
 *
 * Build: cc -O3 embed.c -o embed -lorrery-load -lm     or     orrery-cc -O3 embed.c -o embed -lm
 */
#include "../common/data.h"

/* Without Orrery the one pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

/* An edge (label 1), or a pair of nodes drawn at random (label 0). */
struct pair {
    int from, to;
    float label;
};

struct graph {
    struct pair *pair;
    long count;
    int nodes;
};

struct settings {
    int rank, epochs, negatives, nodes, edges, communities, seed, quiet, no_eval, joint;
    double rate, lambda, held_out;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--rank", OPTION_INT, AT(rank), 1, 4096, "K: numbers per node (32)"},
    {"--epochs", OPTION_INT, AT(epochs), 0, 1e6, "passes over the pairs (10)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 1e6, "learning rate (0.05)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 1e6, "regularization (0.02)"},
    {"--negatives", OPTION_INT, AT(negatives), 0, 100, "pairs drawn per edge (3)"},
    {"--joint", OPTION_FLAG, AT(joint), 0, 1,
     "an edge and five samples are one step, as in skip-gram"},
    {"--nodes", OPTION_INT, AT(nodes), 2, 1e9, "of a graph that is made (20000)"},
    {"--edges", OPTION_INT, AT(edges), 1, 1e9, "of a graph that is made (300000)"},
    {"--communities", OPTION_INT, AT(communities), 1, 1e9, "of a graph that is made (50)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the pairs held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of the graph, initial values, samples (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out loss at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.E.npy, PATH.bias.npy"},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- the graph ---- */

static void add_pair(struct graph *graph, long *capacity, int from, int to, float label) {
    if (graph->count == *capacity)
        graph->pair =
            make(graph->pair, (size_t)(*capacity += *capacity / 2 + 1024), sizeof *graph->pair);
    graph->pair[graph->count++] = (struct pair){from, to, label};
}

/* Entries of an adjacency matrix, whatever their value. */
static struct graph read_graph(const char *path, long *capacity) {
    struct orrery_ratings in;
    struct graph out = {0};
    loaded(orrery_load_ratings(path, &in));
    if (in.count == 0)
        data_empty(path, "edges");
    out.nodes = in.rows > in.columns ? in.rows : in.columns;
    for (long n = 0; n < in.count; ++n)
        add_pair(&out, capacity, in.entry[n].row, in.entry[n].column, 1);
    free(in.entry);
    return out;
}

/* A node of the community, the first ones more often than the last. */
static int draw_node(const struct settings *settings, int community, double chance) {
    int n = settings->nodes, c = settings->communities;
    int members = (n - community + c - 1) / c;
    return community + c * (int)(members * chance * chance);
}

static struct graph make_graph(const struct settings *settings, long *capacity) {
    struct graph out = {.nodes = settings->nodes};
    uint64_t seed = (uint64_t)settings->seed + 10;
    int c = settings->communities < settings->nodes ? settings->communities : settings->nodes;
    struct settings used = *settings;
    used.communities = c;
    for (int e = 0; e < settings->edges; ++e) {
        uint64_t at = (uint64_t)e * 5;
        int home = (int)(c * uniform(seed, at)), other = (int)(c * uniform(seed, at + 1));
        int away = uniform(seed, at + 2) < .2 ? other : home;
        add_pair(&out, capacity, draw_node(&used, home, uniform(seed, at + 3)),
                 draw_node(&used, away, uniform(seed, at + 4)), 1);
    }
    return out;
}

static void add_negatives(const struct settings *settings, struct graph *graph, long *capacity) {
    long edges = graph->count;
    for (long i = 0; i < edges * settings->negatives; ++i) {
        uint64_t seed = (uint64_t)settings->seed + 20, at = (uint64_t)i;
        int from = graph->pair[i % edges].from;
        add_pair(graph, capacity, from, (int)(graph->nodes * uniform(seed, at)), 0);
    }
}

/* Puts the pairs into a random order, and the last of them aside: returned. */
static struct graph split(struct graph *graph, double fraction, uint64_t seed) {
    struct graph held = *graph;
    for (long n = graph->count - 1; n > 0; --n) {
        long other = (long)(hash(seed, (uint64_t)n) % (uint64_t)(n + 1));
        struct pair one = graph->pair[n];
        graph->pair[n] = graph->pair[other];
        graph->pair[other] = one;
    }
    held.count = (long)(fraction * (double)graph->count);
    graph->count -= held.count;
    held.pair = graph->pair + graph->count;
    return held;
}

/* Leaves out what is no edge. */
static void keep_edges(struct graph *graph) {
    long kept = 0;
    for (long n = 0; n < graph->count; ++n)
        if (graph->pair[n].label > .5f)
            graph->pair[kept++] = graph->pair[n];
    graph->count = kept;
}

/* ---- the model ---- */

/* -log of the probability that the model gives to what is the case; `score`: of an edge. */
static float loss_of(float score, float label) {
    float signed_score = label > .5f ? score : -score;
    return signed_score > 0 ? log1pf(expf(-signed_score))
                            : log1pf(expf(signed_score)) - signed_score;
}

static double held_out_loss(const struct graph *test, const float *E, const float *bias, int K) {
    double sum = 0;
    for (long n = 0; n < test->count; ++n) {
        const struct pair *x = &test->pair[n];
        const float *a = E + (size_t)x->from * K, *b = E + (size_t)x->to * K;
        float score = bias[x->from] + bias[x->to];
        for (int k = 0; k < K; ++k)
            score += a[k] * b[k];
        sum += loss_of(score, x->label);
    }
    return test->count ? sum / (double)test->count : NAN;
}

/*
 * Skip-gram's step (Mikolov and others, 2013) in one table: an edge's ends are drawn together, and
 * five nodes pushed away from the first. Rows are K numbers and a bias. Nodes that are in very many
 * edges have copies under Orrery.
 */
static double joint_pass(const struct graph *data, float *E, int K, float rate, float lambda,
                         unsigned long seed) {
    const struct pair *x = data->pair;
    const unsigned long nodes = (unsigned long)data->nodes;
    const int row = K + 1;
    double loss = 0;
#pragma orrery parallel unordered target(cpu)
    for (long n = 0; n < data->count; ++n) {
        float *a = E + (size_t)x[n].from * (size_t)row;
        for (int s = 0; s <= 5; ++s) {
            unsigned long other = s == 0 ? (unsigned long)x[n].to
                                         : orrery_random(seed, (unsigned long)(n * 5 + s)) % nodes;
            float *b = E + (size_t)other * (size_t)row;
            float score = a[K] + b[K], label = s == 0;
            for (int k = 0; k < K; ++k)
                score += a[k] * b[k];
            loss += loss_of(score, label) / 6;
            float g = label - 1 / (1 + expf(-score));
            a[K] += rate * g;
            b[K] += rate * g;
            for (int k = 0; k < K; ++k) {
                float ak = a[k], bk = b[k];
                a[k] += rate * (g * bk - lambda * ak);
                b[k] += rate * (g * ak - lambda * bk);
            }
        }
    }
    return loss;
}

/* The table of rows with a bias, as two. */
static void joint_split(const float *rows, int nodes, int K, float *E, float *bias) {
    for (long i = 0; i < nodes; ++i) {
        memcpy(E + i * K, rows + i * (K + 1), (size_t)K * sizeof *E);
        bias[i] = rows[i * (K + 1) + K];
    }
}

static void save_model(const struct settings *settings, int nodes, const float *E,
                       const float *bias) {
    struct orrery_model_array arrays[] = {
        model_array("E", ORRERY_NPY_FLOAT, E, nodes, settings->rank),
        model_array("bias", ORRERY_NPY_FLOAT, bias, nodes, 1)};
    model_save(settings->output, 2, arrays);
}

static void train_joint(const struct settings *settings, const struct graph *data,
                        const struct graph *test) {
    int K = settings->rank;
    size_t n = (size_t)data->nodes;
    float *rows = make(NULL, n * ((size_t)K + 1), sizeof *rows);
    float *E = make(NULL, n * (size_t)K, sizeof *E), *bias = make(NULL, n, sizeof *bias);
    struct report report = {.quiet = settings->quiet, .train = NAN, .held_out = NAN};
    for (size_t i = 0; i < n * ((size_t)K + 1); ++i)
        rows[i] = i % ((size_t)K + 1) == (size_t)K
                      ? 0
                      : (float)((uniform((uint64_t)settings->seed + 2, i) - .5) / sqrt(K));
    for (int epoch = 0; epoch < settings->epochs; ++epoch) {
        double start = clock_seconds();
        double loss = joint_pass(data, rows, K, (float)settings->rate, (float)settings->lambda,
                                 (unsigned long)settings->seed);
        double seconds = clock_seconds() - start;
        joint_split(rows, data->nodes, K, E, bias);
        report_pass(&report, loss / (double)data->count, held_out_loss(test, E, bias, K), seconds);
    }
    report_end(&report);
    if (settings->output)
        save_model(settings, data->nodes, E, bias);
    free(rows);
    free(E);
    free(bias);
}

static void train(const struct settings *settings, const struct graph *data,
                  const struct graph *test) {
    const struct pair *x = data->pair;
    int K = settings->rank;
    float rate = (float)settings->rate, lambda = (float)settings->lambda;
    size_t n_values = (size_t)data->nodes * (size_t)K;
    float *E = make(NULL, n_values, sizeof *E);
    float *bias = make(NULL, (size_t)data->nodes, sizeof *bias);
    struct report report = {.quiet = settings->quiet, .train = NAN, .held_out = NAN};
    for (size_t i = 0; i < n_values; ++i)
        E[i] = (float)((uniform((uint64_t)settings->seed + 2, i) - .5) / sqrt(K));
    memset(bias, 0, (size_t)data->nodes * sizeof *bias);

    for (int epoch = 0; epoch < settings->epochs; ++epoch) {
        double loss = 0, start = clock_seconds();
#pragma orrery parallel unordered
        for (long n = 0; n < data->count; ++n) {
            float *a = E + (size_t)x[n].from * K, *b = E + (size_t)x[n].to * K;
            float score = bias[x[n].from] + bias[x[n].to];
            for (int k = 0; k < K; ++k)
                score += a[k] * b[k];
            loss += loss_of(score, x[n].label);
            float g = x[n].label - 1 / (1 + expf(-score));
            bias[x[n].from] += rate * g;
            bias[x[n].to] += rate * g;
            for (int k = 0; k < K; ++k) {
                float ak = a[k], bk = b[k];
                a[k] += rate * (g * bk - lambda * ak);
                b[k] += rate * (g * ak - lambda * bk);
            }
        }
        double seconds = clock_seconds() - start;
        int wanted = !settings->no_eval || epoch + 1 == settings->epochs;
        report_pass(&report, loss / (double)data->count,
                    wanted ? held_out_loss(test, E, bias, K) : NAN, seconds);
    }
    report_end(&report);
    if (settings->output)
        save_model(settings, data->nodes, E, bias);
    free(E);
    free(bias);
}

int main(int argc, char **argv) {
    struct settings settings = {.rank = 32,
                                .epochs = 10,
                                .negatives = 3,
                                .nodes = 20000,
                                .edges = 300000,
                                .communities = 50,
                                .seed = 1,
                                .rate = .05,
                                .lambda = .02,
                                .held_out = .1};
    const char *path = options_parse(argc, argv, "embed [options] [EDGES]",
                                     sizeof table / sizeof *table, table, &settings);
    long capacity = 0;
    struct graph data = path ? read_graph(path, &capacity) : make_graph(&settings, &capacity);
    add_negatives(&settings, &data, &capacity);
    struct graph test = split(&data, settings.held_out, (uint64_t)settings.seed + 1);
    if (settings.joint)
        keep_edges(&data);
    if (!settings.quiet)
        printf("%ld pairs, %ld held out, %d nodes, rank %d\n", data.count, test.count, data.nodes,
               settings.rank);
    if (settings.joint)
        train_joint(&settings, &data, &test);
    else
        train(&settings, &data, &test);
    free(data.pair);
    return 0;
}
