/* Collapsed Gibbs sampling for LDA: counts by document, by word, and totals by topic that all tokens share;
 * the numbers are drawn per token from a counter, so only the totals stand in the way.
 * loop: serial ORR2112|ORR2105|ORR2111
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#define T 8
#define DOCS 20
#define WORDS 50
#define TOKENS 600

struct token { int doc, word, topic; };
static struct token tok[TOKENS];
static int nd[DOCS][T], nw[WORDS][T], nk[T];

static double uniform(uint64_t seed, uint64_t n) {
    uint64_t z = seed + n * 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return (double)((z ^ (z >> 31)) >> 11) / 9007199254740992.0;
}

int main(void) {
    for (int n = 0; n < TOKENS; n++) {
        tok[n] = (struct token){n % DOCS, (n * 17 + n / DOCS) % WORDS, n % T};
        nd[tok[n].doc][tok[n].topic]++, nw[tok[n].word][tok[n].topic]++, nk[tok[n].topic]++;
    }
    for (int sweep = 0; sweep < 3; sweep++) {
#pragma orrery parallel unordered
        for (int n = 0; n < TOKENS; n++) {
            int d = tok[n].doc, w = tok[n].word, z = tok[n].topic;
            double cum[T], total = 0;
            nd[d][z]--, nw[w][z]--, nk[z]--;
            for (int t = 0; t < T; t++) {
                total += (nd[d][t] + 0.1) * (nw[w][t] + 0.01) / (nk[t] + 0.01 * WORDS);
                cum[t] = total;
            }
            double u = uniform((uint64_t)sweep, (uint64_t)n) * total;
            z = 0;
            while (z < T - 1 && cum[z] < u)
                z++;
            tok[n].topic = z;
            nd[d][z]++, nw[w][z]++, nk[z]++;
        }
    }
    long check = 0;
    for (int t = 0; t < T; t++)
        check += (long)nk[t] * (t + 1);
    printf("%ld\n", check);
    return 0;
}
