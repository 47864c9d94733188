/* expect: parallel tournament unordered
 * dims: b[n], a[n]
 * rotating: T
 *
 * Whole structs copied between rows of one table.
 */
struct row {
    float x[4];
};

void copy(struct row *T, const int *a, const int *b, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        T[a[n]] = T[b[n]];
}
