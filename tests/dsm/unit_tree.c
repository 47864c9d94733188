/* Whom ranks pass a broadcast on to: everybody has it once, between hosts it goes once to each, and
 * between racks once to each. */
#include "dsm/transport/distance.h"
#include "dsm/transport/tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MOST = 70 };

typedef void maker(const struct dsm_hosts *hosts, int rank, struct dsm_tree *tree);

struct layout {
    int hosts[MOST], order[MOST], ranks, nhosts, largest;
};

/* The hosts' first ranks, all but rank 0 in any order. */
static void order_draw(struct layout *layout, unsigned seed) {
    int n = 0;
    for (int rank = 0; rank < layout->ranks; ++rank)
        if (layout->hosts[rank] == rank)
            layout->order[n++] = rank;
    for (int i = n - 1; i > 1; --i) {
        seed = seed * 1664525u + 1013904223u;
        int at = 1 + (int)((seed >> 8) % (unsigned)i), rank = layout->order[i];
        layout->order[i] = layout->order[at];
        layout->order[at] = rank;
    }
    while (n < layout->ranks)
        layout->order[n++] = -1;
}

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
    order_draw(&layout, seed);
    return layout;
}

static int doublings(int n) {
    int steps = 0;
    while (1 << steps < n)
        ++steps;
    return steps;
}

static struct dsm_hosts hosts_of(const struct layout *layout) {
    return (struct dsm_hosts){.ranks = layout->ranks,
                              .hosts = layout->nhosts > 1 ? layout->hosts : NULL,
                              .order = layout->ranks % 2 ? layout->order : NULL};
}

/* Returns how many ranks `rank` passes it on to, itself counted, and how deep that goes. */
static int walk(const struct layout *layout, maker *make, int rank, int *far, int *depth) {
    struct dsm_tree tree;
    int total = 1, deepest = 0;
    struct dsm_hosts hosts = hosts_of(layout);
    make(&hosts, rank, &tree);
    for (int c = 0; c < tree.count; ++c) {
        struct dsm_tree child;
        int below = 0;
        make(&hosts, tree.after[c], &child);
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
        struct dsm_hosts hosts = hosts_of(&layout);
        make(&hosts, 0, &root);
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
    dsm_tree_chain(&(struct dsm_hosts){5, hosts, NULL}, 1, &tree);
    assert_int_equal(tree.before, 0);
    assert_int_equal(tree.count, 2);
    assert_int_equal(tree.after[0], 4);
    assert_int_equal(tree.after[1], 3);
}

static void doubling(void **state) {
    (void)state;
    check(dsm_tree_doubling, false);
}

/* Runs of one value in the order; values that there are. */
static int pieces(int n, const int *order, const int *of) {
    int count = 1;
    for (int i = 1; i < n; ++i)
        count += of[order[i]] != of[order[i - 1]];
    return count;
}

static int kinds(int n, const int *of) {
    int count = 0;
    for (int i = 0; i < n; ++i) {
        bool before = false;
        for (int j = 0; j < i; ++j)
            before |= of[j] == of[i];
        count += !before;
    }
    return count;
}

/* Hosts in racks, racks in rooms, by lot; ways are up to 1.9 times as long as others of their kind.
 * In the order each rack, and each room, is one piece. */
static void racks(void **state) {
    (void)state;
    for (unsigned seed = 1; seed < 400; ++seed) {
        int n = 2 + (int)(seed % 40), rack[n], room[n], order[n];
        double *seconds = calloc((size_t)(n * n), sizeof *seconds);
        unsigned x = seed * 2654435761u;
        for (int i = 0; i < n; ++i) {
            x = x * 1664525u + 1013904223u;
            rack[i] = (int)(x >> 24) % 6;
            room[i] = rack[i] % 2;
        }
        for (int a = 0; a < n; ++a)
            for (int b = a + 1; b < n; ++b) {
                x = x * 1664525u + 1013904223u;
                double kind = room[a] != room[b] ? 64 : rack[a] != rack[b] ? 8 : 1;
                seconds[a * n + b] = kind * (1 + 0.9 * (x >> 8) / (1 << 24));
            }
        seconds[1] = room[0] != room[1] ? 64 : rack[0] != rack[1] ? 8 : 1;
        dsm_distance_order(n, seconds, order);
        free(seconds);
        assert_int_equal(order[0], 0);
        assert_true(pieces(n, order, rack) == kinds(n, rack));
        assert_true(pieces(n, order, room) == kinds(n, room));
    }
}

/* As far from each other as one likes: by number. */
static void equals(void **state) {
    (void)state;
    double seconds[25];
    int order[5];
    for (int i = 0; i < 25; ++i)
        seconds[i] = 1e-4 * (1 + i % 3 * 0.4);
    dsm_distance_order(5, seconds, order);
    for (int i = 0; i < 5; ++i)
        assert_int_equal(order[i], i);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(chain), cmocka_unit_test(doubling),
                                       cmocka_unit_test(racks), cmocka_unit_test(equals)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
