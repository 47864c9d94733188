/* expect: serial ORR2201 15:9 `note(x` */
/* a second function names the variable through a macro: it keeps that name, and sets the same one */
static double total;
#define TOTAL total
static void note(double x) {
    TOTAL = x;
}
static void add(double x) {
    total += x;
}
void f(const double *restrict x, int n) {
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        add(x[i]);
        note(x[i]);
    }
}
