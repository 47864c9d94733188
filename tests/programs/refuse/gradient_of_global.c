/* expect: serial ORR2201 11:9 `add(idx` */
/* the function names the total itself: there is no other it could be told of */
static double total, grad[100];
static void add(int j, double x) {
    grad[j] += x;
    total += x;
}
void f(const int *idx, const double *x, int count) {
#pragma orrery parallel unordered
    for (int i = 0; i < count; i++)
        add(idx[i], x[i]);
}
