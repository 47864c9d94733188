/* emit: 6, one rank */
/* Lengths of inner loops are asked for before the iterations run, and only where the program itself
 * would: the arrays end with unreadable pages. */
#define _DEFAULT_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* `count` numbers right in front of a page that nobody may touch. */
static int *guarded(int count) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = (size_t)count * sizeof(int);
    size_t room = (bytes + page - 1) / page * page;
    char *all = mmap(0, room + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED || mprotect(all + room, page, PROT_NONE))
        exit(1);
    return (int *)(void *)(all + room - bytes);
}

static void under_a_condition(const int *ptr, const double *v, double *out, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        if (i + 1 < n)
            for (int p = ptr[i]; p < ptr[i + 1]; ++p)
                sum += v[p];
        out[i] = sum;
    }
}

static void behind_a_jump(const int *ptr, const int *flag, const double *v, double *out, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        out[i] = 0;
        if (flag[i] < 0)
            continue;
        for (int p = ptr[flag[i]]; p < ptr[flag[i] + 1]; ++p)
            sum += v[p];
        out[i] = sum;
    }
}

static void in_a_loop_without_iterations(const int *ptr, const int *times, const double *v,
                                         double *out, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        for (int k = 0; k < times[i]; ++k)
            for (int p = ptr[i]; p < ptr[i + 1]; ++p)
                sum += v[p];
        out[i] = sum;
    }
}

static void in_a_while(const int *ptr, const double *v, double *out, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        double sum = 0;
        int k = 0;
        while (k < 2 && i + 1 < n) {
            for (int p = ptr[i]; p < ptr[i + 1]; ++p)
                sum += v[p] * k;
            ++k;
        }
        out[i] = sum;
    }
}

static void by_key(const int *ptr, const int *flag, const double *v, double *out, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        if (flag[i] >= 0)
            for (int p = ptr[flag[i]]; p < ptr[flag[i] + 1]; ++p)
                out[flag[i]] = out[flag[i]] * .5 + v[p];
}

static void lengths_that_are_none(const int *flag, double *out, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        for (int p = flag[i]; p < 3 - i; ++p)
            out[i] += p;
}

static void print(const char *what, const double *out, int n) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
        sum += out[i] * (1 + i % 5);
    printf("%s %.17g\n", what, sum);
}

int main(void) {
    enum { N = 600 };
    int *ptr = guarded(N), *flag = guarded(N), *times = guarded(N);
    double *v = malloc(3 * N * sizeof *v), *out = malloc(N * sizeof *out);
    for (int i = 0; i < N; ++i) {
        ptr[i] = i + i / 2;
        flag[i] = i % 3 && i % N < N - 1 ? i : -1;
        times[i] = i < N - 1 ? i % 3 : 0;
        out[i] = 0;
    }
    for (int i = 0; i < 3 * N; ++i)
        v[i] = i % 7;
    under_a_condition(ptr, v, out, N);
    print("condition", out, N);
    behind_a_jump(ptr, flag, v, out, N);
    print("jump", out, N);
    in_a_loop_without_iterations(ptr, times, v, out, N);
    print("loop", out, N);
    in_a_while(ptr, v, out, N);
    print("while", out, N);
    by_key(ptr, flag, v, out, N);
    print("key", out, N);
    lengths_that_are_none(flag, out, N);
    print("none", out, N);
    return 0;
}
