/* expect: serial ORR2105 11:9 `S[a[n]]` */
/* says: which elements of S the iterations touch is not known: a bit-field shares its bytes */
/* two bit-fields in one byte: writing one rewrites the other */
struct flags {
    unsigned low : 4, high : 4;
};

void pass(struct flags *S, const int *a, const int *b, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        S[a[n]].low = n & 15;
        S[b[n]].high = n & 15;
    }
}
