/* expect: serial ORR2203 11:17 `next_id()` */
/* the called function keeps a count */
static int next_id(void) {
    static int last;
    return last++;
}

void label(int *id, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        id[n] = next_id();
}
