/*
 * A loop over passes whose state stands in as many kinds of memory as C has: prints a line at the
 * end that depends on all of it. argv: elements, passes, a name.
 * $PAUSE: microseconds to sleep behind each pass.
 */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct node {
    struct node *next;
    long value;
    double *data;
};

struct model {
    long n, steps;
    double *now, *next;
    struct node *list;
    const char *name;
    FILE *closed;
    double history[4];
};

static long total;
static double table[3000];
static unsigned pause_between;
long shared_counter = 7;

static double pass(struct model *m, double rate) {
    static long calls;
    double *now = m->now, *next = m->next, sum = 0;
    long n = m->n;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        next[i] = now[i] * (1 - rate) + rate * table[i % 3000];
        sum += next[i];
    }
    m->now = next;
    m->next = now;
    ++m->steps;
    total += ++calls;
    return sum;
}

/* Every pass adds one, every third takes one away. */
static void change_list(struct model *m, long pass) {
    struct node *node = malloc(sizeof *node);
    node->value = pass * 31;
    node->data = malloc((size_t)(pass % 5 + 1) * 1000 * sizeof(double));
    for (long i = 0; i < (pass % 5 + 1) * 1000; ++i)
        node->data[i] = (double)(pass + i) / 3;
    node->next = m->list;
    m->list = node;
    if (pass % 3 == 2) {
        struct node *gone = node->next;
        node->next = gone->next;
        free(gone->data);
        free(gone);
    }
}

static void train(struct model *m, long passes, double *best) {
    double losses[passes + 1], rate = .5, *grown = NULL;
    double *first = m->now;
    struct {
        long count;
        const char *word;
        struct node *last;
    } local = {0, "word", NULL};
    long k = 0;
    while (k < passes) {
        double sum = pass(m, rate);
        losses[k] = sum;
        if (sum > *best)
            *best = sum;
        m->history[k % 4] = sum;
        change_list(m, k);
        grown = realloc(grown, (size_t)(k + 1) * 100 * sizeof *grown);
        for (int i = 0; i < 100; ++i)
            grown[k * 100 + i] = sum + i;
        local.count += (long)strlen(local.word);
        local.last = m->list;
        table[k % 3000] += rate;
        shared_counter *= 3;
        rate *= .99;
        FILE *log = fopen("log.txt", "a");
        if (log) {
            fprintf(log, "%ld\n", k);
            fclose(log);
        }
        if (pause_between)
            usleep(pause_between);
        ++k;
        printf("pass %ld %.17g\n", k, sum);
    }
    double all = 0;
    for (long i = 0; i < passes; ++i)
        all += losses[i] / (double)(i + 1) + grown[i * 100 + 7];
    for (struct node *node = m->list; node; node = node->next)
        all += (double)node->value + node->data[999];
    printf("result %.17g %ld %ld %ld %.17g %d %s %s\n", all, local.count, total, shared_counter,
           rate, local.last == m->list, m->name, first == m->now ? "even" : "odd");
}

int main(int argc, char **argv) {
    struct model m = {.n = argc > 1 ? atol(argv[1]) : 1000};
    long passes = argc > 2 ? atol(argv[2]) : 10;
    double best = 0;
    if (getenv("PAUSE"))
        pause_between = (unsigned)atol(getenv("PAUSE"));
    m.name = argc > 3 ? argv[3] : "none";
    m.now = malloc((size_t)m.n * sizeof(double));
    m.next = malloc((size_t)m.n * sizeof(double));
    m.closed = fopen("/dev/null", "r");
    for (long i = 0; i < m.n; ++i)
        m.now[i] = (double)i;
    for (int i = 0; i < 3000; ++i)
        table[i] = i;
    train(&m, passes, &best);
    double sum = 0;
    for (long i = 0; i < m.n; ++i)
        sum += m.now[i] / (double)(i + 1);
    printf("end %.17g %ld %.17g %.17g %d\n", best, m.steps, m.history[0] + m.history[3], sum,
           m.closed && fgetc(m.closed) == EOF);
    return 0;
}
