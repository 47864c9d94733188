/* expect: serial ORR2111 13:32 `w[x[n].place[k]]` */
/* says: every iteration touches many elements of w, chosen by x[n].place[k] */
/* each example has its own list of places, which may be anywhere */
struct example {
    int count;
    int *place;
    float *value;
};
void pass(float *w, const struct example *x, float rate, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        for (int k = 0; k < x[n].count; ++k)
            w[x[n].place[k]] = w[x[n].place[k]] * rate + x[n].value[k];
}
