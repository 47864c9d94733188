/* expect: serial ORR3130 8:16 `draws` */
/* says: every worker would count with `draws` from the same start */
static unsigned draws;
void f(unsigned *x, long n) {
#pragma orrery parallel unordered relax(draws)
    for (long i = 0; i < n; ++i) {
        draws += 1;
        x[i] = draws * 2654435761u >> 7;
    }
}
