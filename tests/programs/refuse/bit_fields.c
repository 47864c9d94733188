/* expect: serial ORR2201 11:13 `s->low` */
/* two bit-fields in one byte: writing one rewrites the other */
struct flags {
    unsigned low : 4, high : 4;
};

void pass(struct flags *s, const int *restrict x, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        if (x[n] > 0)
            s->low = 1;
        else
            s->high = 1;
    }
}
