/* Text that is empty is no flush; what a stream's buffer holds when the program aborts is lost. usage: ends_flushes [BUFFER] */
#include <stdio.h>
#include <stdlib.h>

static int a[9000];
static char buffer[1 << 16];

int main(int argc, char **argv) {
    if (argc > 1)
        setvbuf(stdout, buffer, _IOFBF, (size_t)atol(argv[1]));
    printf("pending ");
#pragma orrery parallel
    for (int i = 0; i < 9000; i++) {
        a[i] = i * 3;
        if (i % 100 == 0)
            printf("%s", i > 1000 ? "" : "x");
        if (i % 10 == 0 && i > 8000)
            puts("a line of some length, which is not longer than others, but not much shorter "
                 "than they");
        if (i == 8990)
            fprintf(stderr, "row %d\n", i);
    }
    abort();
}
