/* expect: parallel tournament unordered
 * dims: a[n], b[n]
 */
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
