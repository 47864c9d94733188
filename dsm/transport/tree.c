#include "dsm/transport/tree.h"

#include <stdbool.h>

/* Some of the ranks, in order: the leaders, or those of one host. */
struct line {
    const int *hosts;
    int ranks, host;
};

enum { LEADERS = -1 };

static int host_of(const struct line *line, int rank) {
    return line->hosts ? line->hosts[rank] : 0;
}

static bool is_in(const struct line *line, int rank) {
    int host = host_of(line, rank);
    return line->host == LEADERS ? host == rank : host == line->host;
}

/* The rank that stands at place `at`, -1: none. */
static int rank_at(const struct line *line, int at) {
    for (int rank = 0; rank < line->ranks; ++rank)
        if (is_in(line, rank) && at-- == 0)
            return rank;
    return -1;
}

static int place_of(const struct line *line, int rank) {
    int at = 0;
    for (int other = 0; other < rank; ++other)
        at += is_in(line, other);
    return at;
}

static void pass_on(struct dsm_tree *tree, int rank) {
    if (rank >= 0)
        tree->after[tree->count++] = rank;
}

/* The rank's neighbours in the line. */
static void join_chain(struct dsm_tree *tree, const struct line *line, int rank) {
    int at = place_of(line, rank);
    if (at > 0)
        tree->before = rank_at(line, at - 1);
    pass_on(tree, rank_at(line, at + 1));
}

/* Place p has it from p without its lowest bit, and tells p + every bit below that one. */
static void join_doubling(struct dsm_tree *tree, const struct line *line, int rank) {
    int at = place_of(line, rank), bit = 1;
    while (bit < line->ranks && !(at & bit))
        bit <<= 1;
    if (at > 0)
        tree->before = rank_at(line, at - bit);
    for (bit >>= 1; bit > 0; bit >>= 1)
        pass_on(tree, rank_at(line, at + bit));
}

static void tree_make(struct line all, int rank, struct dsm_tree *tree,
                      void (*join)(struct dsm_tree *tree, const struct line *line, int rank)) {
    struct line host = all;
    host.host = host_of(&all, rank);
    *tree = (struct dsm_tree){.before = -1};
    if (is_in(&all, rank))
        join(tree, &all, rank);
    join(tree, &host, rank);
}

void dsm_tree_chain(const int *hosts, int ranks, int rank, struct dsm_tree *tree) {
    tree_make((struct line){hosts, ranks, LEADERS}, rank, tree, join_chain);
}

void dsm_tree_doubling(const int *hosts, int ranks, int rank, struct dsm_tree *tree) {
    tree_make((struct line){hosts, ranks, LEADERS}, rank, tree, join_doubling);
}
