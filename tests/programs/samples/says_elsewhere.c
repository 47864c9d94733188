/* A thread of the program's own calls a function that a marked loop prints by, while that loop runs. */
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static double a[3000];
static int often = 20;

static void say(int i) {
    if (i < 0 || i % 1000 == 999)
        fputs("row\n", stderr);
}

static void *other(void *nothing) {
    for (int i = 0; i < often; i++) {
        say(-1 - i);
        usleep(1000);
    }
    return nothing;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
#pragma orrery parallel
    for (int i = 0; i < 3000; i++) {
        double s = i;
        for (int k = 0; k < 4000; k++)
            s = s * .999 + 1;
        a[i] = s;
        say(i);
    }
    pthread_join(thread, NULL);
    printf("%g\n", a[5]);
    return 0;
}
