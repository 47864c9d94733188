/* Rows of unlike length read by one index that runs over all of them: it carries from row to row.
 * loop: serial ORR2201
 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int docs = 40, idx = 0, total = 0;
    int *len = malloc(docs * sizeof *len);
    for (int d = 0; d < docs; d++) total += len[d] = 1 + d % 7;
    int *word = malloc(total * sizeof *word);
    double *weight = malloc(50 * sizeof *weight), *score = calloc(docs, sizeof *score);
    for (int i = 0; i < total; i++) word[i] = i * 7 % 50;
    for (int w = 0; w < 50; w++) weight[w] = w * .01;
#pragma orrery parallel
    for (int d = 0; d < docs; d++)
        for (int j = 0; j < len[d]; j++) {
            score[d] += weight[word[idx]];
            idx++;
        }
    printf("%.3f %.3f\n", score[0], score[docs - 1]);
    return 0;
}
