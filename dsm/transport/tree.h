/*
 * Whom a rank has a broadcast from, and whom it passes it on to. What goes between hosts goes there
 * once: each host has a leader, its first rank, and only leaders have it from another host.
 */
#ifndef ORRERY_DSM_TREE_H
#define ORRERY_DSM_TREE_H

/* By doubling, 31 hosts and 31 ranks of a host at most follow. */
enum { DSM_TREE_MOST = 64 };

/* `before`: the rank it comes from, -1: it begins here. after[0 .. count): where it goes to, ranks
 * on other hosts, which take longest, first. */
struct dsm_tree {
    int before, count, after[DSM_TREE_MOST];
};

/*
 * For rank `rank`; hosts[r]: the first rank of r's host, NULL: one host has all. Rank 0 begins.
 * chain: leaders one behind the other, in each host its ranks: what is long, in pieces. A rank
 * passes on to at most two. doubling: who has it tells one more in each step, leaders each other
 * first: what is short.
 */
void dsm_tree_chain(const int *hosts, int ranks, int rank, struct dsm_tree *tree);
void dsm_tree_doubling(const int *hosts, int ranks, int rank, struct dsm_tree *tree);

#endif
