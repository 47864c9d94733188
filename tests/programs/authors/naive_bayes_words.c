/*
 * Naive Bayes: words counted by strtok in the loop, which stays serial, and from lists that a loop before made.
 * loop: serial ORR2219
 * loop: parallel reduction
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define MAXDOC 400
#define HASH 1009
static char *docs[MAXDOC];
static int cls[MAXDOC];
static int counts[2][HASH], totals[2], ndocs[2];
static unsigned hash(const char *s) {
    unsigned h = 5381;
    while (*s)
        h = h * 33 + (unsigned char)*s++;
    return h % HASH;
}
int main(void) {
    char line[256];
    srand(8);
    for (int i = 0; i < MAXDOC; i++) {
        line[0] = 0;
        for (int w = 0; w < 12; w++)
            sprintf(line + strlen(line), "w%d ", rand() % (i % 2 ? 60 : 90));
        docs[i] = strdup(line);
        cls[i] = i % 2;
    }
#pragma orrery parallel
    for (int i = 0; i < MAXDOC; i++) {
        char buf[256];
        strcpy(buf, docs[i]);
        ndocs[cls[i]]++;
        for (char *tok = strtok(buf, " "); tok; tok = strtok(NULL, " ")) {
            counts[cls[i]][hash(tok)]++;
            totals[cls[i]]++;
        }
    }
    int **words = malloc(MAXDOC * sizeof *words), *len = malloc(MAXDOC * sizeof *len);
    for (int i = 0; i < MAXDOC; i++) {
        words[i] = malloc(40 * sizeof(int));
        len[i] = 0;
        char *tok = strtok(docs[i], " ");
        while (tok) {
            words[i][len[i]++] = hash(tok);
            tok = strtok(NULL, " ");
        }
    }
    static int c2[2][HASH];
    int t2[2] = {0};
#pragma orrery parallel
    for (int i = 0; i < MAXDOC; i++)
        for (int k = 0; k < len[i]; k++) {
            c2[cls[i]][words[i][k]]++;
            t2[cls[i]]++;
        }
    int same = 0;
    for (int h = 0; h < HASH; h++)
        same += c2[0][h] == counts[0][h] && c2[1][h] == counts[1][h];
    printf("%d %d %d %d\n", same, totals[0], t2[1], ndocs[1]);
}
