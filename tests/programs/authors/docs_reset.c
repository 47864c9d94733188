/*
 * Topics of documents behind pointers to structures, drawn anew; several ranks have no cut of them.
 * loop: parallel independent
 * says: threads only, several ranks are refused: no way to cut docs->theta into rows by d is known
 */
#include <stdio.h>
#include <stdlib.h>
struct doc {
    int len, *word, *topic;
    double *theta;
};
static void init_topics(struct doc **docs, int nd, int K) {
#pragma orrery parallel
    for (int d = 0; d < nd; d++) {
        for (int k = 0; k < K; k++)
            docs[d]->theta[k] = 0;
        for (int n = 0; n < docs[d]->len; n++) {
            docs[d]->topic[n] = (docs[d]->word[n] * 7 + d) % K;
            docs[d]->theta[docs[d]->topic[n]] += 1;
        }
        for (int k = 0; k < K; k++)
            docs[d]->theta[k] = (docs[d]->theta[k] + .1) / (docs[d]->len + .1 * K);
    }
}
int main(void) {
    int nd = 300, K = 6;
    struct doc **docs = malloc(nd * sizeof *docs);
    for (int d = 0; d < nd; d++) {
        docs[d] = malloc(sizeof **docs);
        docs[d]->len = 5 + d % 20;
        docs[d]->word = malloc(docs[d]->len * sizeof(int));
        docs[d]->topic = malloc(docs[d]->len * sizeof(int));
        docs[d]->theta = malloc(K * sizeof(double));
        for (int n = 0; n < docs[d]->len; n++)
            docs[d]->word[n] = (d * 13 + n * 5) % 97;
    }
    init_topics(docs, nd, K);
    double s = 0;
    for (int d = 0; d < nd; d++)
        for (int k = 0; k < K; k++)
            s = s * .9 + docs[d]->theta[k];
    printf("%.12g\n", s);
    return 0;
}
