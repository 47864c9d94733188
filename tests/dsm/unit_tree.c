/* Whom ranks pass a broadcast on to: everybody has it once, between hosts it goes once to each. */
#include "dsm/transport/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 70 };

typedef void maker(const int *hosts, int ranks, int rank, struct dsm_tree *tree);

struct layout {
    int hosts[MOST], ranks, nhosts, largest;
};

/* Rank r on the host of one before it, or on a new one. */
static struct layout draw(unsigned seed) {
    struct layout layout = {.ranks = 1 + (int)(seed % MOST)};
    int sizes[MOST] = {0};
    for (int rank = 0; rank < layout.ranks; ++rank) {
        seed = seed * 1664525u + 1013904223u;
        int at = rank ? (int)((seed >> 8) % (unsigned)rank) : 0;
        bool fresh = rank == 0 || (seed >> 28) < 4;
        layout.hosts[rank] = fresh ? rank : layout.hosts[at];
        int size = ++sizes[layout.hosts[rank]];
        layout.nhosts += fresh;
        layout.largest = size > layout.largest ? size : layout.largest;
    }
    return layout;
}

static int doublings(int n) {
    int steps = 0;
    while (1 << steps < n)
        ++steps;
    return steps;
}

static const int *hosts_of(const struct layout *layout) {
    return layout->nhosts > 1 ? layout->hosts : NULL;
}

/* Returns how many ranks `rank` passes it on to, itself counted, and how deep that goes. */
static int walk(const struct layout *layout, maker *make, int rank, int *far, int *depth) {
    struct dsm_tree tree;
    int total = 1, deepest = 0;
    make(hosts_of(layout), layout->ranks, rank, &tree);
    for (int c = 0; c < tree.count; ++c) {
        struct dsm_tree child;
        int below = 0;
        make(hosts_of(layout), layout->ranks, tree.after[c], &child);
        assert_int_equal(child.before, rank);
        *far += layout->hosts[rank] != layout->hosts[tree.after[c]];
        total += walk(layout, make, tree.after[c], far, &below);
        deepest = below + 1 > deepest ? below + 1 : deepest;
    }
    *depth = deepest;
    return total;
}

static void check(maker *make, bool chain) {
    for (unsigned seed = 0; seed < 300; ++seed) {
        struct layout layout = draw(seed);
        struct dsm_tree root;
        int far = 0, depth = 0, most;
        make(hosts_of(&layout), layout.ranks, 0, &root);
        assert_int_equal(root.before, -1);
        assert_int_equal(walk(&layout, make, 0, &far, &depth), layout.ranks);
        assert_int_equal(far, layout.nhosts - 1);
        most = chain ? layout.nhosts + layout.largest
                     : doublings(layout.nhosts) + doublings(layout.largest);
        assert_true(depth <= most);
    }
}

static void chain(void **state) {
    (void)state;
    check(dsm_tree_chain, true);
    struct dsm_tree tree;
    const int hosts[] = {0, 1, 0, 1, 4};
    dsm_tree_chain(hosts, 5, 1, &tree);
    assert_int_equal(tree.before, 0);
    assert_int_equal(tree.count, 2);
    assert_int_equal(tree.after[0], 4);
    assert_int_equal(tree.after[1], 3);
}

static void doubling(void **state) {
    (void)state;
    check(dsm_tree_doubling, false);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(chain), cmocka_unit_test(doubling)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
