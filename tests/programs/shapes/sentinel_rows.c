/* Documents as rows of word ids that end in -1, 32 per line; a topic mixture per document by a few EM rounds.
 * loop: parallel independent
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

#define LINE 32
#define TOPICS 3
#define VOCAB 40

static short docs[50][LINE];
static double beta[TOPICS][VOCAB];
static double gamma_[50][TOPICS];

static void infer(const short *line, double *mix) {
    for (int t = 0; t < TOPICS; t++) mix[t] = 1.0 / TOPICS;
    for (int round = 0; round < 4; round++) {
        double next[TOPICS] = {0.1, 0.1, 0.1}, sum = 0;
        for (const short *w = line; *w >= 0; w++) {
            double p[TOPICS], z = 0;
            for (int t = 0; t < TOPICS; t++) z += p[t] = mix[t] * beta[t][*w];
            for (int t = 0; t < TOPICS; t++) next[t] += p[t] / z;
        }
        for (int t = 0; t < TOPICS; t++) sum += next[t];
        for (int t = 0; t < TOPICS; t++) mix[t] = next[t] / sum;
    }
}

int main(void) {
    for (int d = 0; d < 50; d++) {
        int n = 3 + d % (LINE - 4);
        for (int i = 0; i < n; i++) docs[d][i] = (short)((d * 3 + i * i) % VOCAB);
        docs[d][n] = -1;
    }
    for (int t = 0; t < TOPICS; t++)
        for (int w = 0; w < VOCAB; w++) beta[t][w] = (1 + (w + t * 13) % 9) / 200.0;
    #pragma orrery parallel
    for (int d = 0; d < 50; d++)
        infer(docs[d], gamma_[d]);
    for (int d = 0; d < 50; d += 9) printf("%.10f %.10f\n", gamma_[d][0], gamma_[d][2]);
    return 0;
}
