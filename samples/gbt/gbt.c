/*
 * Gradient boosted trees for telling two kinds of things apart: every tree takes a step against the
 * gradient of the logistic loss. Trees grow level by level over histograms of binned columns, with
 * the gains and leaves of XGBoost (Chen, Guestrin, KDD 2016).
 *
 * A file has a row of numbers per thing, the last one its kind.
 *
 * Build: cc -O3 gbt.c -o gbt -lorrery-load -lm     or     orrery-cc -O3 gbt.c -o gbt -lm
 */
#include "columns.h"

/* Without Orrery the pragmas below mean nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { DEEPEST = 8, NODES = 1 << (DEEPEST - 1), LEAVES = 1 << DEEPEST };

struct settings {
    int trees, depth, positive, seed, quiet, no_eval;
    double rate, lambda, least, held_out;
    const char *output;
};

#define AT(field) offsetof(struct settings, field)

static const struct option table[] = {
    {"--trees", OPTION_INT, AT(trees), 0, 1e5, "to grow (50)"},
    {"--depth", OPTION_INT, AT(depth), 1, DEEPEST, "of a tree (6)"},
    {"--rate", OPTION_REAL, AT(rate), 0, 10, "how much of a tree's answer counts (0.3)"},
    {"--lambda", OPTION_REAL, AT(lambda), 0, 1e6, "regularization of leaves (1)"},
    {"--least", OPTION_REAL, AT(least), 0, 1e9, "second derivatives that a leaf needs (1)"},
    {"--positive", OPTION_INT, AT(positive), -1e6, 1e6, "the kind to tell from the others (2)"},
    {"--held-out", OPTION_REAL, AT(held_out), 0, .9, "fraction of the rows held out (0.1)"},
    {"--seed", OPTION_INT, AT(seed), 0, 1e9, "of what is held out (1)"},
    {"--no-eval-each-epoch", OPTION_FLAG, AT(no_eval), 0, 1, "held-out loss at the end only"},
    {"--output", OPTION_TEXT, AT(output), 0, 0, "PATH.h5, or PATH: PATH.column.npy ..."},
    {"--quiet", OPTION_FLAG, AT(quiet), 0, 1, "print the last line only"},
};

/* ---- one tree ---- */

/* Node k has the children 2k + 1 and 2k + 2; a row goes left when its bin is at most `bin`. */
struct tree {
    int column[LEAVES - 1], bin[LEAVES - 1];
    float cut[LEAVES - 1], leaf[LEAVES];
};

/* The best way to part the rows of a node by one column; g, h: sums over the left part, and all. */
struct split {
    int bin;
    double gain, g, h, all_g, all_h;
};

/* Sums of the derivatives over the rows of a bin. */
struct sums {
    double g, h;
};

/*
 * What a column has to offer to the nodes of a level, and its histograms of them; less: of those
 * rows of each parent's that are summed.
 */
struct offers {
    struct split node[NODES];
    struct sums sums[NODES][BINS], less[NODES / 2][BINS];
};

/* A row whose derivatives are summed, those, and the parent of its node. */
struct visit {
    int row, parent;
    float g, h;
};

/* Where a node's rows go: those whose byte `bins` behind the first column's is above `bin` go to
 * the second child. The rows of one child have to be summed: whether these are the second's. */
struct way {
    long bins;
    int bin, lesser;
};

/*
 * The rows of which histograms are summed: of two children the one with less; the other has what is
 * left of the parent's. way[k], total[k]: of the node k of the level before, which is the parent;
 * total: the sums over the rows that are summed. Rows are in pieces: count[c] of piece c's are
 * summed, visit[c] says which; part[c]: at the root, the sums over piece c.
 */
struct counted {
    long pieces;
    int *count;
    struct way *way;
    struct visit (*visit)[PIECE];
    struct sums *part, *total;
};

static void part_node(const struct sums *sums, int bins, double lambda, double least,
                      struct split *best) {
    double left_g = 0, left_h = 0;
    best->bin = BINS - 1;
    best->gain = best->all_g = best->all_h = 0;
    for (int b = 0; b < bins; ++b) {
        best->all_g += sums[b].g;
        best->all_h += sums[b].h;
    }
    double whole = best->all_g * best->all_g / (best->all_h + lambda);
    best->g = best->all_g;
    best->h = best->all_h;
    for (int b = 0; b < bins - 1; ++b) {
        left_g += sums[b].g;
        left_h += sums[b].h;
        double right_g = best->all_g - left_g, right_h = best->all_h - left_h;
        double gain =
            left_g * left_g / (left_h + lambda) + right_g * right_g / (right_h + lambda) - whole;
        if (left_h >= least && right_h >= least && gain > best->gain) {
            best->bin = b;
            best->gain = gain;
            best->g = left_g;
            best->h = left_h;
        }
    }
}

/*
 * Sums the listed rows. Columns two at a time: what is read of a row serves both, and neither waits
 * for sums of the other.
 */
static void sum_up(const struct data *d, int parents, const struct counted *counted,
                   struct offers *offers) {
    const unsigned char *bin = d->bin;
    const int *order = d->order, *count = counted->count;
    const struct visit(*visit)[PIECE] = (const struct visit(*)[PIECE])counted->visit;
    long pieces = counted->pieces, stride = d->rows;
    int pairs = (d->dense + 1) / 2;
#pragma orrery parallel unordered
    for (int pair = 0; pair < pairs; ++pair) {
        struct offers *one = &offers[2 * pair], *two = &offers[2 * pair + 1];
        const unsigned char *first = bin + order[2 * pair] * stride;
        const unsigned char *second = bin + order[2 * pair + 1] * stride;
        for (int k = 0; k < parents; ++k)
            for (int b = 0; b < BINS; ++b) {
                one->less[k][b].g = one->less[k][b].h = 0;
                two->less[k][b].g = two->less[k][b].h = 0;
            }
        for (long c = 0; c < pieces; ++c)
            for (int n = 0; n < count[c]; ++n) {
                const struct visit *v = &visit[c][n];
                one->less[v->parent][first[v->row]].g += v->g;
                one->less[v->parent][first[v->row]].h += v->h;
                two->less[v->parent][second[v->row]].g += v->g;
                two->less[v->parent][second[v->row]].h += v->h;
            }
    }
}

/* For each column the histograms of all nodes of the level, and what it offers to each. */
static void search(const struct data *d, int level, const struct settings *s,
                   const struct counted *counted, struct offers *offers) {
    const unsigned char *bin = d->bin;
    const unsigned short *node = d->node;
    const float *g = d->g, *h = d->h;
    const int *bins = d->bins, *common = d->common, *other = d->other, *order = d->order;
    const struct way *way = counted->way;
    const struct sums *total = counted->total;
    const long *from = d->from;
    long stride = d->rows;
    double lambda = s->lambda, least = s->least;
    int columns = d->columns, dense = d->dense, parents = level ? 1 << (level - 1) : 1;
#pragma orrery parallel unordered
    for (int p = 0; p < columns; ++p) {
        struct offers *o = &offers[p];
        int f = order[p], width = bins[f];
        const unsigned char *column = bin + f * stride;
        for (int k = 0; p >= dense && k < parents; ++k)
            for (int b = 0; b < width; ++b)
                o->less[k][b].g = o->less[k][b].h = 0;
        for (long at = from[f]; at < from[f + 1]; ++at) {
            int row = other[at], k = node[row] / 2;
            if (!level || way[k].lesser == node[row] % 2) {
                o->less[k][column[row]].g += g[row];
                o->less[k][column[row]].h += h[row];
            }
        }
        if (common[f] >= 0)
            for (int k = 0; k < parents; ++k) {
                struct sums rest = total[k];
                for (int b = 0; b < width; ++b) {
                    rest.g -= o->less[k][b].g;
                    rest.h -= o->less[k][b].h;
                }
                o->less[k][common[f]] = rest;
            }
        for (int k = parents - 1; k >= 0; --k)
            for (int b = 0; b < width; ++b) {
                struct sums part = o->less[k][b], all = level ? o->sums[k][b] : part;
                struct sums rest = all;
                rest.g -= part.g;
                rest.h -= part.h;
                o->sums[2 * k][b] = level && way[k].lesser ? rest : part;
                o->sums[2 * k + 1][b] = level && way[k].lesser ? part : rest;
            }
        for (int k = 0; k < 1 << level; ++k)
            part_node(o->sums[k], width, lambda, least, &o->node[k]);
    }
}

/* Of two columns that offer the same, the first one in the file. */
static int is_better(const struct split *split, int column, const struct split *than, int best) {
    return split->gain > than->gain || (split->gain == than->gain && column < best);
}

/* Takes the best offer of each node; on the last level the children become leaves. */
static void choose(const struct data *d, int level, const struct settings *s,
                   const struct offers *offers, struct counted *counted, struct tree *tree) {
    int nodes = 1 << level, first = nodes - 1;
    for (int k = 0; k < nodes; ++k) {
        const struct split *split = &offers[0].node[k];
        int best = d->order[0];
        for (int p = 1; p < d->columns; ++p)
            if (is_better(&offers[p].node[k], d->order[p], split, best)) {
                split = &offers[p].node[k];
                best = d->order[p];
            }
        int second = 2 * split->h > split->all_h;
        counted->way[k] = (struct way){best * d->rows, split->bin, second};
        counted->total[k].g = second ? split->all_g - split->g : split->g;
        counted->total[k].h = second ? split->all_h - split->h : split->h;
        tree->column[first + k] = best;
        tree->bin[first + k] = split->bin;
        tree->cut[first + k] = split->bin < BINS - 1 ? d->cut[best][split->bin] : INFINITY;
        if (level + 1 == s->depth) {
            double right_g = split->all_g - split->g, right_h = split->all_h - split->h;
            tree->leaf[2 * k] = (float)(-s->rate * split->g / (split->h + s->lambda));
            tree->leaf[2 * k + 1] = (float)(-s->rate * right_g / (right_h + s->lambda));
        }
    }
}

/* -log of the probability that a score gives to what is the case. */
static double loss_of(double score, float label) {
    double margin = label > 0 ? score : -score;
    return margin > 0 ? log1p(exp(-margin)) : log1p(exp(margin)) - margin;
}

/* Every row goes on to a child of its node, and is listed if its histograms have to be summed. */
static void go_on(struct data *d, struct counted *counted) {
    const unsigned char *bin = d->bin;
    const struct way *way = counted->way;
    const float *g = d->g, *h = d->h;
    unsigned short *node = d->node;
    int *count = counted->count;
    struct visit(*visit)[PIECE] = counted->visit;
    long rows = d->kept, pieces = counted->pieces;
#pragma orrery parallel unordered
    for (long c = 0; c < pieces; ++c) {
        long first = c * PIECE, here = rows - first < PIECE ? rows - first : PIECE;
        int n = 0;
        for (long m = 0; m < here; ++m) {
            long i = first + m;
            int k = node[i], second = bin[way[k].bins + i] > way[k].bin;
            node[i] = (unsigned short)(2 * k + second);
            visit[c][n].row = (int)i;
            visit[c][n].parent = k;
            visit[c][n].g = g[i];
            visit[c][n].h = h[i];
            n += way[k].lesser == second;
        }
        count[c] = n;
    }
}

/* The same to a leaf. */
static void end(struct data *d, const struct counted *counted) {
    const unsigned char *bin = d->bin;
    const struct way *way = counted->way;
    unsigned short *node = d->node;
    long rows = d->kept;
#pragma orrery parallel unordered
    for (long i = 0; i < rows; ++i) {
        int k = node[i];
        node[i] = (unsigned short)(2 * k + (bin[way[k].bins + i] > way[k].bin));
    }
}

/*
 * At the leaves rows have new scores and derivatives, and are back at the root. Returns the sum of
 * the losses.
 */
static double renew(struct data *d, const struct tree *tree) {
    const float *label = d->label, *leaf = tree->leaf;
    float *score = d->score, *g = d->g, *h = d->h;
    unsigned short *node = d->node;
    long rows = d->kept;
    double loss = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < rows; ++i) {
        float now = score[i] + leaf[node[i]], small = expf(now > 0 ? -now : now);
        float p = (now > 0 ? 1 : small) / (1 + small), wrong = label[i] > 0 ? -now : now;
        score[i] = now;
        g[i] = p - label[i];
        h[i] = p * (1 - p);
        loss += (wrong > 0 ? wrong : 0) + logf(1 + small);
        node[i] = 0;
    }
    return loss;
}

/* At the root all rows are listed. */
static void start(const struct data *d, struct counted *counted) {
    const float *g = d->g, *h = d->h;
    int *count = counted->count;
    struct visit(*visit)[PIECE] = counted->visit;
    struct sums *part = counted->part;
    long rows = d->kept, pieces = counted->pieces;
#pragma orrery parallel unordered
    for (long c = 0; c < pieces; ++c) {
        long first = c * PIECE, here = rows - first < PIECE ? rows - first : PIECE;
        double all_g = 0, all_h = 0;
        for (long m = 0; m < here; ++m) {
            visit[c][m].row = (int)(first + m);
            visit[c][m].parent = 0;
            visit[c][m].g = g[first + m];
            visit[c][m].h = h[first + m];
            all_g += g[first + m];
            all_h += h[first + m];
        }
        count[c] = (int)here;
        part[c].g = all_g;
        part[c].h = all_h;
    }
    counted->total[0].g = counted->total[0].h = 0;
    for (long c = 0; c < pieces; ++c) {
        counted->total[0].g += part[c].g;
        counted->total[0].h += part[c].h;
    }
}

static double grow(struct data *d, const struct settings *s, struct counted *counted,
                   struct offers *offers, struct tree *tree) {
    start(d, counted);
    for (int level = 0; level < s->depth; ++level) {
        sum_up(d, level ? 1 << (level - 1) : 1, counted, offers);
        search(d, level, s, counted, offers);
        choose(d, level, s, offers, counted, tree);
        if (level + 1 < s->depth)
            go_on(d, counted);
    }
    end(d, counted);
    return renew(d, tree) / (double)d->kept;
}

/* ---- all trees ---- */

/* Adds the tree to the held-out rows' scores. */
static void apply(struct data *d, int depth, const struct tree *tree) {
    const unsigned char *bin = d->bin;
    float *score = d->score;
    long kept = d->kept, rows = d->rows;
#pragma orrery parallel unordered
    for (long i = kept; i < rows; ++i) {
        int at = 0;
        for (int level = 0; level < depth; ++level)
            at = 2 * at + 1 + (bin[tree->column[at] * rows + i] > tree->bin[at]);
        score[i] += tree->leaf[at - ((1 << depth) - 1)];
    }
}

static double held_out_loss(const struct data *d, double *correct) {
    const float *score = d->score, *label = d->label;
    long kept = d->kept, rows = d->rows;
    double loss = 0, right = 0, count = (double)(rows - kept);
#pragma orrery parallel unordered
    for (long i = kept; i < rows; ++i) {
        loss += loss_of(score[i], label[i]);
        right += (score[i] > 0) == (label[i] > 0);
    }
    *correct = right / count;
    return loss / count;
}

static void save(const struct settings *s, const struct tree *trees) {
    long nodes = (1 << s->depth) - 1, leaves = nodes + 1;
    int *column = make(NULL, (size_t)(s->trees * nodes), sizeof *column);
    float *cut = make(NULL, (size_t)(s->trees * nodes), sizeof *cut);
    float *leaf = make(NULL, (size_t)(s->trees * leaves), sizeof *leaf);
    for (int t = 0; t < s->trees; ++t) {
        memcpy(column + t * nodes, trees[t].column, (size_t)nodes * sizeof *column);
        memcpy(cut + t * nodes, trees[t].cut, (size_t)nodes * sizeof *cut);
        memcpy(leaf + t * leaves, trees[t].leaf, (size_t)leaves * sizeof *leaf);
    }
    struct orrery_model_array arrays[] = {
        model_array("column", ORRERY_NPY_INT32, column, s->trees, nodes),
        model_array("cut", ORRERY_NPY_FLOAT, cut, s->trees, nodes),
        model_array("leaf", ORRERY_NPY_FLOAT, leaf, s->trees, leaves)};
    model_save(s->output, 3, arrays);
    free(column);
    free(cut);
    free(leaf);
}

static void train(const struct settings *s, struct data *d) {
    struct tree *trees = make(NULL, (size_t)s->trees + 1, sizeof *trees);
    struct offers *offers = make(NULL, (size_t)d->columns + 1, sizeof *offers);
    long pieces = (d->kept + PIECE - 1) / PIECE;
    struct counted counted = {.pieces = pieces,
                              .count = make(NULL, (size_t)pieces, sizeof(int)),
                              .visit = make(NULL, (size_t)pieces, sizeof *counted.visit),
                              .part = make(NULL, (size_t)pieces, sizeof *counted.part),
                              .way = make(NULL, NODES, sizeof *counted.way),
                              .total = make(NULL, NODES, sizeof *counted.total)};
    struct report report = {.quiet = s->quiet};
    double correct = NAN;
    memset(trees, 0, ((size_t)s->trees + 1) * sizeof *trees);
    renew(d, &trees[s->trees]);
    for (int t = 0; t < s->trees; ++t) {
        double begin = clock_seconds();
        double loss = grow(d, s, &counted, offers, &trees[t]);
        double seconds = clock_seconds() - begin;
        int wanted = !s->no_eval || t + 1 == s->trees;
        apply(d, s->depth, &trees[t]);
        report_pass(&report, loss, wanted ? held_out_loss(d, &correct) : NAN, seconds);
    }
    if (!s->quiet)
        printf("%.4f of the held-out rows are told apart\n", correct);
    report_end(&report);
    if (s->output)
        save(s, trees);
    free(trees);
    free(offers);
    free(counted.count);
    free(counted.visit);
    free(counted.part);
    free(counted.total);
    free(counted.way);
}

int main(int argc, char **argv) {
    struct settings s = {.trees = 50,
                         .depth = 6,
                         .positive = 2,
                         .seed = 1,
                         .rate = .3,
                         .lambda = 1,
                         .least = 1,
                         .held_out = .1};
    const char *path =
        options_parse(argc, argv, "gbt [options] ROWS", sizeof table / sizeof *table, table, &s);
    if (!path) {
        options_usage(stderr, "gbt [options] ROWS", sizeof table / sizeof *table, table);
        return 2;
    }
    struct data d = read_data(path, s.held_out, s.seed, s.positive);
    if (!s.quiet)
        printf("%ld rows, %ld held out, %d columns\n", d.kept, d.rows - d.kept, d.columns);
    train(&s, &d);
    free_data(&d);
    return 0;
}
