/* Parameters in linked lists of a chained hash table: which node an iteration touches is found by walking.
 * loop: serial ORR2105|ORR2205|ORR2204|ORR2108
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct node { char key[8]; double w; struct node *next; };

static struct node *table[16];

static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s) h = h * 33 + (unsigned char)*s++;
    return h % 16;
}

static struct node *find(const char *key) {
    for (struct node *p = table[hash(key)]; p; p = p->next)
        if (strcmp(p->key, key) == 0) return p;
    return NULL;
}

int main(void) {
    char (*names)[8] = malloc(100 * sizeof *names);
    double *y = malloc(100 * sizeof *y);
    for (int i = 0; i < 100; i++) {
        snprintf(names[i], 8, "f%d", i % 23);
        y[i] = i % 5;
        if (!find(names[i])) {
            struct node *n = malloc(sizeof *n);
            memcpy(n->key, names[i], 8);
            n->w = 0;
            n->next = table[hash(names[i])];
            table[hash(names[i])] = n;
        }
    }
#pragma orrery parallel unordered
    for (int i = 0; i < 100; i++) {
        struct node *n = find(names[i]);
        n->w += 0.1 * (y[i] - n->w);
    }
    printf("%.6f\n", find("f3")->w);
    return 0;
}
