#include "dsm/transport/distance.h"

#include "dsm/transport/messages.h"

#include <math.h>
#include <string.h>

enum { TAG_WAY = 2, TAG_WAYS = 3, PINGS = 6 };

/* ---- the order ---- */

/* Of the groups, the two that are nearest: pairs count by doublings of the least way. */
struct nearest {
    int doublings, a, b;
};

static int doublings_of(double ratio) {
    int count = 0;
    for (; ratio >= 2 && count < 60; ratio /= 2)
        ++count;
    return count;
}

static struct nearest nearest_of(int n, const double *seconds, double least, const int *group) {
    struct nearest nearest = {.doublings = -1};
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n; ++b) {
            int doublings = doublings_of(seconds[a * n + b] / least);
            if (group[a] != group[b] && (nearest.doublings < 0 || doublings < nearest.doublings))
                nearest = (struct nearest){doublings, a, b};
        }
    return nearest;
}

static double least_of(int n, const double *seconds) {
    double least = INFINITY;
    for (int a = 0; a < n; ++a)
        for (int b = a + 1; b < n; ++b)
            least = seconds[a * n + b] < least ? seconds[a * n + b] : least;
    return least;
}

/* A group is called by its lowest number; next[i]: who stands behind i in its group, -1: nobody. */
static void join(int n, int *group, int *next, int front, int back) {
    int last = front;
    while (next[last] >= 0)
        last = next[last];
    next[last] = back;
    for (int i = 0; i < n; ++i)
        group[i] = group[i] == back ? front : group[i];
}

void dsm_distance_order(int n, const double *seconds, int *order) {
    int group[n], next[n];
    double least = least_of(n, seconds);
    for (int i = 0; i < n; ++i) {
        group[i] = i;
        next[i] = -1;
    }
    for (int joins = 1; joins < n; ++joins) {
        struct nearest nearest = nearest_of(n, seconds, least, group);
        int a = group[nearest.a], b = group[nearest.b];
        join(n, group, next, a < b ? a : b, a < b ? b : a);
    }
    for (int at = 0, i = 0; at >= 0; at = next[at])
        order[i++] = at;
}

/* ---- the ways ---- */

/* Whom leader `i` of n talks to in a round of a tournament in which each meets each once (the
 * circle method), -1: nobody. */
static int partner_of(int n, int round, int i) {
    int even = n + n % 2, circle = even - 1;
    int partner = i == circle ? round * (even / 2) % circle : (round + circle - i) % circle;
    if (partner == i)
        partner = circle;
    return partner < n ? partner : -1;
}

/* Seconds of a way; the first message may have to open a connection. */
static double way(int peer, bool first) {
    double least = INFINITY;
    char byte = 0;
    for (int i = 0; i < PINGS; ++i) {
        int64_t begin = dsm_clock();
        for (int turn = 0; turn < 2; ++turn)
            dsm_wait((turn == 0) == first
                         ? dsm_message_send(DSM_BULK, peer, TAG_WAY, &byte, sizeof byte)
                         : dsm_message_receive(DSM_BULK, peer, TAG_WAY, &byte, sizeof byte));
        double seconds = (double)(dsm_clock() - begin) / 2e9;
        if (i > 0 && seconds < least)
            least = seconds;
    }
    return least;
}

/* A leader's ways to those behind it, into its row. */
static void ways_measure(const int *leaders, int n, int me, double *row) {
    for (int round = 0; round < n - 1 + n % 2; ++round) {
        int peer = partner_of(n, round, me);
        if (peer < 0)
            continue;
        double seconds = way(leaders[peer], me < peer);
        row[peer] = seconds > 1e-9 ? seconds : 1e-9;
    }
}

/* Rank 0 has all rows then. */
static void ways_collect(const int *leaders, int n, int me, double *seconds) {
    size_t bytes = (size_t)n * sizeof *seconds;
    if (me > 0)
        dsm_wait(dsm_message_send(DSM_BULK, 0, TAG_WAYS, seconds + me * n, bytes));
    for (int i = 1; me == 0 && i < n; ++i)
        dsm_wait(dsm_message_receive(DSM_BULK, leaders[i], TAG_WAYS, seconds + i * n, bytes));
}

static void nearest_first(int *order, int n, int me) {
    double seconds[n * n];
    int near[n], leaders[n];
    memcpy(leaders, order, sizeof leaders);
    memset(seconds, 0, sizeof seconds);
    ways_measure(leaders, n, me, seconds + me * n);
    ways_collect(leaders, n, me, seconds);
    if (me > 0)
        return;
    dsm_distance_order(n, seconds, near);
    for (int i = 0; i < n; ++i)
        order[i] = leaders[near[i]];
}

void dsm_distance_find(const int *hosts, int *order) {
    int n = 0, me = -1;
    for (int rank = 0; rank < dsm_world.ranks; ++rank) {
        order[rank] = -1;
        if (hosts[rank] != rank)
            continue;
        me = rank == dsm_world.rank ? n : me;
        order[n++] = rank;
    }
    if (n < 3 || n > DSM_DISTANCE_MOST)
        return;
    if (me >= 0)
        nearest_first(order, n, me);
    dsm_broadcast(order, (size_t)dsm_world.ranks * sizeof *order);
}
