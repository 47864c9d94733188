/* A process that is not Orrery's, with two libraries. What it prints is the same on any number of threads. */
#include "orrery.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

struct rating {
    int user, item;
    float value;
};
double epoch(const struct rating *r, long n, float *W, float *H, int K, float rate);
void scale(double *x, long n, double a);
void gather(double *y, const double *x, const int *at, long n);

enum { N = 60000, USERS = 500, ITEMS = 300, K = 8 };

static struct rating *ratings;
static float *W, *H;
static double loss;
static struct orrery_try lend;

static unsigned long hash(const void *bytes, size_t count) {
    const unsigned char *at = bytes;
    unsigned long h = 5381;
    while (count--)
        h = h * 33 + *at++;
    return h;
}

static int threads(void) {
    char line[128];
    int count = 0;
    FILE *in = fopen("/proc/self/status", "r");
    while (in && fgets(line, sizeof line, in))
        sscanf(line, "Threads: %d", &count);
    fclose(in);
    return count;
}

static void fit(void *passes) {
    for (int i = 0; i < *(int *)passes; ++i)
        loss = epoch(ratings, N, W, H, K, 0.01f);
}

static void fit_and_say(const char *who, int passes) {
    int status = orrery_try(&lend, fit, &passes);
    printf("%s: %d %a %lx %lx %s\n", who, status, loss, hash(W, 4L * USERS * K),
           hash(H, 4L * ITEMS * K), status ? lend.message : "");
    fflush(stdout);
}

/* Two threads at once, each with an array of its own. */
static void *scale_often(void *x) {
    for (int i = 0; i < 200; ++i)
        scale(x, 1000, 0.5);
    return NULL;
}

static void on_interrupt(int number) {
    (void)number;
}

/* A signal in the middle: the second pass does not begin. */
static void interrupted(void *passes) {
    fit(passes);
    raise(SIGINT);
    fit(passes);
}

static void gather_all(void *data) {
    double **x = data;
    static const int at[] = {4, 2, 0, 3, 1};
    gather(x[0], x[1], at, 5);
}

static void forks(void) {
    if (fork() == 0) {
        fit_and_say("child", 1);
        exit(threads() > 1);
    }
    int status = 1;
    wait(&status);
    printf("the child had threads of its own: %s\n", status ? "yes" : "no");
}

/* Any argument: one thread only. */
int main(int argc, char **argv) {
    (void)argv;
    printf("threads at load: %d\n", threads());
    ratings = malloc(N * sizeof *ratings);
    W = malloc(4L * USERS * K), H = malloc(4L * ITEMS * K);
    for (long i = 0; i < N; ++i)
        ratings[i] =
            (struct rating){(int)(orrery_random(1, i) % USERS), (int)(orrery_random(2, i) % ITEMS),
                            (float)orrery_uniform(3, i)};
    for (long i = 0; i < USERS * K; ++i)
        W[i] = .1f * (float)orrery_uniform(4, i);
    for (long i = 0; i < ITEMS * K; ++i)
        H[i] = .1f * (float)orrery_uniform(5, i);
    const struct orrery_memory all[] = {
        {ratings, N * sizeof *ratings}, {W, 4L * USERS * K}, {H, 4L * ITEMS * K}};
    lend = (struct orrery_try){.memory = all, .count = 3};
    fit_and_say("first", 2);

    double *x = calloc(2000, sizeof *x);
    if (argc == 1) {
        pthread_t other;
        pthread_create(&other, NULL, scale_often, x + 1000);
        scale_often(x);
        pthread_join(other, NULL);
    }
    printf("two threads: %lx %lx\n", hash(x, 8000), hash(x + 1000, 8000));

    forks();
    fit_and_say("behind fork", 1);
    ratings[77].item = ITEMS + 5;
    fit_and_say("out of range", 1);
    ratings[77].item = -1;
    fit_and_say("negative", 1);
    ratings[77].item = 3;
    fit_and_say("mended", 1);

    signal(SIGINT, on_interrupt);
    int once = 1;
    lend.signals = 1;
    printf("interrupted: %d\n", orrery_try(&lend, interrupted, &once));
    lend.signals = 0;
    fit_and_say("behind it", 1);

    double *pair[] = {x, x + 1000};
    struct orrery_try nothing = {0};
    printf("unknown: %d %s\n", orrery_try(&nothing, gather_all, pair), nothing.message);
    const struct orrery_memory both[] = {{x, 8000}, {x + 1000, 8000}};
    nothing.memory = both, nothing.count = 2;
    printf("known: %d %g\n", orrery_try(&nothing, gather_all, pair), x[0]);
    const struct orrery_memory over[] = {{x, 16000}, {x + 1000, 8000}};
    nothing.memory = over;
    printf("overlap: %d %s\n", orrery_try(&nothing, gather_all, pair), nothing.message);
    return 0;
}
