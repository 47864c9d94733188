/* The parameters lie in memory that a library gave out. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    void *(*hidden)(size_t, size_t) = (void *(*)(size_t, size_t))dlsym(RTLD_DEFAULT, "calloc");
    double *w = hidden(1000, sizeof *w);
    for (int pass = 0; pass < 5; ++pass) {
#pragma orrery parallel
        for (int i = 0; i < 1000; ++i)
            w[i] += i * pass;
    }
    printf("end %g\n", w[999]);
    return 0;
}
