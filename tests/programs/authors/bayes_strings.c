/*
 * Naive Bayes over text: words end where isspace says so, and are looked up in a sorted vocabulary.
 * loop: parallel reduction
 */
#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#define NCLASS 3
static const char *vocab[] = {"apple", "ball", "cat", "dog", "egg",
                              "fish",  "goat", "hat", "ink", "jam"};
enum { NV = sizeof vocab / sizeof *vocab };
static long counts[NCLASS][NV], total[NCLASS], docs[NCLASS];
static int lookup(const char *w, size_t len) {
    int lo = 0, hi = NV - 1;
    while (lo <= hi) {
        int mid = (lo + hi) / 2, c = strncmp(w, vocab[mid], len);
        if (c == 0 && vocab[mid][len] == '\0')
            return mid;
        if (c < 0 || (c == 0))
            hi = mid - 1;
        else
            lo = mid + 1;
    }
    return -1;
}
int main(void) {
    int n = 800;
    char **text = malloc(n * sizeof *text);
    int *label = malloc(n * sizeof *label);
    for (int i = 0; i < n; i++) {
        char buf[200] = "";
        for (int k = 0; k < 3 + i % 9; k++) {
            strcat(buf, vocab[(i * 7 + k * k * 3 + i % 3) % NV]);
            strcat(buf, k % 4 == 3 ? " xyz " : " ");
        }
        text[i] = malloc(strlen(buf) + 1);
        strcpy(text[i], buf);
        label[i] = i % NCLASS;
    }
    long unknown = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        const char *s = text[i];
        docs[label[i]]++;
        while (*s) {
            while (*s && isspace((unsigned char)*s))
                s++;
            const char *begin = s;
            while (*s && !isspace((unsigned char)*s))
                s++;
            if (s == begin)
                break;
            int w = lookup(begin, (size_t)(s - begin));
            if (w < 0) {
                unknown++;
                continue;
            }
            counts[label[i]][w]++;
            total[label[i]]++;
        }
    }
    printf("%ld unknown\n", unknown);
    for (int c = 0; c < NCLASS; c++)
        for (int w = 0; w < NV; w++)
            printf("%d %s %.6f\n", c, vocab[w],
                   log((counts[c][w] + 1.) / (total[c] + NV)) + log(docs[c] / (double)n));
}
