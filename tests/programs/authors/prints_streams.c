/*
 * Progress and warnings of a marked loop, by all functions of the C library that print, to three streams.
 * loop: parallel reduction
 * loop: serial ORR2211
 * ranks: 2
 */
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int n = 2000;
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y), s = 0;
    FILE *log = tmpfile();
    const char *name[] = {"even", "odd"};
    for (int i = 0; i < n; i++)
        x[i] = i % 17;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        y[i] = 2 * x[i] + 1;
        s += y[i];
        if (i % 100 == 0) {
            printf("row %d of %s: %g\n", i, i % 3 ? "some" : "none", y[i]);
            fprintf(stderr, "%s%% %5.2f\n", "more", y[i]);
            puts("a line");
            fflush(stdout);
            fputs("name:", log);
            putchar('0' + i / 100 % 10);
            (void)fputc('\n', log);
            putc('-', stdout);
            fprintf(log, "%d\n", i);
        }
    }
    printf("%g\n", s);
    rewind(log);
    for (int c = getc(log); c != EOF; c = getc(log))
        putchar(c);
    /* whose text is it? */
#pragma orrery parallel
    for (int i = 0; i < 3; i++) {
        y[i] = i;
        printf("%s\n", name[i % 2]);
    }
    printf("%g\n", y[2]);
    return 0;
}
