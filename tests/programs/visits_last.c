/*
 * What some iterations set, in passes that go round the grid several times: the value is that of the last
 * one in one order of all iterations, the order in which rows and columns count them. Prints `in order`.
 */
#include <stdio.h>
#include <stdlib.h>

#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { USERS = 60, ITEMS = 40, COUNT = 20000 };

struct visit {
    int user, item, flag;
};

static int by_user[USERS], by_item[ITEMS], nth_of_user[COUNT], nth_of_item[COUNT];

/* Flagged iterations behind the last one, of its user or of its item: there can be none. */
static int behind(const struct visit *v, long last) {
    int count = 0;
    for (long i = 0; i < COUNT; ++i)
        count += v[i].flag && ((v[i].user == v[last].user && nth_of_user[i] > nth_of_user[last]) ||
                               (v[i].item == v[last].item && nth_of_item[i] > nth_of_item[last]));
    return count;
}

int main(void) {
    struct visit *v = malloc(COUNT * sizeof *v);
    unsigned long seed = 7;
    int bad = 0;
    for (int round = 0; round < 60; ++round) {
        long last = -1;
        for (long i = 0; i < COUNT; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            v[i] = (struct visit){(int)(seed >> 33) % USERS, (int)(seed >> 43) % ITEMS, 0};
            v[i].flag = v[i].item == 0 && seed >> 57 == 0;
        }
#pragma orrery parallel unordered
        for (long i = 0; i < COUNT; ++i) {
            nth_of_user[i] = ++by_user[v[i].user];
            nth_of_item[i] = ++by_item[v[i].item];
            if (v[i].flag)
                last = i;
        }
        bad += last >= 0 && behind(v, last) > 0;
    }
    printf("%s\n", bad ? "out of order" : "in order");
    free(v);
    return bad != 0;
}
