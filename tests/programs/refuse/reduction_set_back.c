/* expect: serial ORR2201 10:13 `seen = 0` */
/* says: `seen` would be a reduction (the sum at line 8) but for this: it is set here */
/* a count that starts again at every mark */
long since_mark(const int *mark, long count) {
    long seen = 0;
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n) {
        seen++;
        if (mark[n])
            seen = 0;
    }
    return seen;
}
