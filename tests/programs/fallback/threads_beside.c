/*
 * A thread of the program reaches a marked loop while one of main's runs in parallel.
 * says: reached by a thread of the program
 * marked: reached by a thread of the program
 */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static double a[64], b[5000];

static void *change(void *data) {
    double *p = data;
    usleep(50000);
#pragma orrery parallel
    for (int i = 0; i < 5000; i++)
        p[i] = p[i] * 2 + i;
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, change, b);
#pragma orrery parallel
    for (int i = 0; i < 64; i++)
        for (int k = 0; k < 3000000; k++)
            a[i] = a[i] * .999 + i;
    pthread_join(thread, NULL);
    double s = 0;
    for (int i = 0; i < 5000; i++)
        s = s * .9 + a[i % 64] - b[i] * .5;
    printf("%.17g\n", s);
    return 0;
}
