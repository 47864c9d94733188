/*
 * A thread ends the program while a loop runs.
 * one rank
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { N = 1 << 20 };
static double a[N];

static void *ends(void *data) {
    (void)data;
    usleep(200000);
    printf("done\n");
    exit(0);
}

__attribute__((noinline)) static void pass(int n) {
    for (int i = 0; i < n; i++)
        a[i] = a[i] * .5 + i;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, ends, NULL);
    for (;;)
        pass(N);
}
