/*
 * Marked loops that threads of the program reach.
 * says: reached by a thread of the program
 * marked: reached by a thread of the program
 */
#include <pthread.h>
#include <stdio.h>

static double a[5000], b[5000];

static void *change(void *data) {
    double *p = data;
#pragma orrery parallel
    for (int i = 0; i < 5000; i++)
        p[i] = p[i] * 2 + i;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, a);
    pthread_join(thread, NULL);
    change(b);
    double s = 0;
    for (int i = 0; i < 5000; i++)
        s = s * .9 + a[i] - b[i] * .5;
    printf("%.17g\n", s);
    return 0;
}
