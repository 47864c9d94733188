/* ORR2305 */
/* Types and constants that macros declare inside of the function. */
#define PAIR typedef struct { int a, b; } pair
void fill(int *restrict a, int n) {
    PAIR;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        pair p = {i, 2};
        a[i] = p.a + p.b;
    }
}
