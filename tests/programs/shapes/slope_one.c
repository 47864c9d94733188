/* Slope One: differences between all pairs of a user's items, summed into two square tables.
 * loop: parallel reduction
 * result: near 1e-9
 */
#include <stdio.h>
#include <string.h>
#define ITEMS 15
struct rated { int item; float stars; };
struct user { int count; struct rated list[6]; };
static struct user users[40];
static struct { double diff[ITEMS][ITEMS]; int freq[ITEMS][ITEMS]; } so;

int main(void) {
    for (int u = 0; u < 40; u++) {
        users[u].count = 2 + u % 5;
        for (int i = 0; i < users[u].count; i++) users[u].list[i] = (struct rated){(u * 3 + i * 4) % ITEMS, (float)(1 + (u + i) % 5)};
    }
    memset(&so, 0, sizeof so);
#pragma orrery parallel unordered
    for (int u = 0; u < 40; u++)
        for (int a = 0; a < users[u].count; a++)
            for (int b = 0; b < users[u].count; b++) {
                const struct rated *p = &users[u].list[a], *q = &users[u].list[b];
                so.diff[p->item][q->item] += p->stars - q->stars;
                so.freq[p->item][q->item]++;
            }
    for (int i = 0; i < ITEMS; i += 4) printf("%.6f %d\n", so.diff[i][(i + 4) % ITEMS], so.freq[i][(i + 4) % ITEMS]);
    return 0;
}
