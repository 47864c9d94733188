/*
 * A factorization whose model is larger than a rank's budget: memory.sh. usage: memory USERS HOW OUT
 *   HOW: letters, any of   p  loops set the model, else serial code     n  a norm, with another cut
 *                          r  serial code reads some rows in each pass, and changes one
 *                          s  serial code reads in each pass: some rows, the last one, all of them
 *                          o  the first and the last hundred users rate nothing
 *                          m  sixty ratings a user, of which some change after the first pass
 *                          f  the file is read back, moved, and compared
 *                          w  the model is written and read by one call each, too
 *                          v  ... by writev, and read by readv
 *                          z  ... filled by one call from a device
 *                          b  W and H are one block, and H is the smaller
 *                          k  a user's number counts, too
 *                          t  a thread goes through W while a call waits for a row of it
 */
#define _GNU_SOURCE
#include "model.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/uio.h>
#include <unistd.h>

enum { PASSES = 2, ROW = 32 }; /* ROW: on the second page */

static unsigned mix(unsigned z) {
    z = (z ^ (z >> 16)) * 0x45d9f3bu;
    z = (z ^ (z >> 16)) * 0x45d9f3bu;
    return z ^ (z >> 16);
}

static const float *looked;
static long users;
static int ends[2];

/* Every page of W, then a row for who waits. */
static void *look(void *sum) {
    float row[K];
    for (long i = 0; i < users * K; i += 512)
        *(double *)sum += looked[i];
    for (int k = 0; k < K; ++k)
        row[k] = (float)k * .25f;
    return write(ends[1], row, sizeof row) == sizeof row ? sum : NULL;
}

/* A row of W comes through a pipe. */
static int row_read(float *row) {
    pthread_t thread;
    double sum = 0;
    void *got = NULL;
    looked = row - ROW * K;
    row[0] += 1;
    if (pipe(ends) || pthread_create(&thread, NULL, look, &sum) ||
        read(ends[0], row, K * sizeof *row) != K * sizeof *row || pthread_join(thread, &got))
        return 0;
    printf("sum %.6f\n", sum);
    return got != NULL;
}

/* At the end of the file, back from there by two calls, and one that finds less than it wants. */
static int call_once(int file, float *W, size_t bytes) {
    off_t end = lseek(file, 0, SEEK_END);
    if (write(file, W, bytes) != (ssize_t)bytes)
        return 0;
    W[3] = W[bytes / sizeof *W - 1] = 5;
    if (pread(file, W, bytes, end) != (ssize_t)bytes || W[3] == 5 ||
        W[bytes / sizeof *W - 1] == 5 || pwrite(file, W, bytes, end + 8) != (ssize_t)bytes)
        return 0;
    return lseek(file, end + 16, SEEK_SET) == end + 16 &&
           read(file, W, bytes) == (ssize_t)bytes - 8;
}

/* Both ends of W and nothing of H, there and back in another order, and what a file has no more. */
static int vectors_call(int file, float *W, size_t all, float *H) {
    ssize_t half = (ssize_t)(all / 2 * sizeof *W);
    struct iovec there[] = {{W + all / 2, (size_t)half}, {H, 0}, {W, (size_t)half}};
    struct iovec back[] = {{W, (size_t)half}, {W + all / 2, (size_t)half}};
    off_t end = lseek(file, 0, SEEK_END);
    return writev(file, there, 3) == 2 * half && preadv(file, back, 2, end) == 2 * half &&
           pwritev(file, back, 2, end + 4) == 2 * half &&
           lseek(file, end + 8, SEEK_SET) == end + 8 && readv(file, back, 2) == 2 * half - 4;
}

/* From the front and the back, with steps and without. */
static double rows_read(const float *W, long count) {
    double sum = W[count * K - 1];
    for (long u = 0; u < count; u += 61)
        sum += W[u * K] * (double)(u % 7);
    for (long i = 0; i < count * K; ++i)
        sum += W[i] * (double)(i % 5);
    for (long u = count - 1; u >= 0; u -= 1009)
        sum += W[u * K + 3] * (double)(u % 3);
    return sum;
}

int main(int argc, char **argv) {
    if (argc < 4)
        return 2;
    const char *how = argv[2];
    bool joined = strchr(how, 'b') != NULL;
    long idle = strchr(how, 'o') ? 100 : 0;
    users = atol(argv[1]);
    long items = joined ? users / 32 : users / 4, nnz = strchr(how, 'm') ? 60 * users : users;
    struct rating *r = malloc((size_t)nnz * sizeof *r);
    float *W = calloc((size_t)(joined ? users + items : users) * K, sizeof *W);
    float *H = joined ? W + users * K : malloc((size_t)items * K * sizeof *H);
    if (!r || !W || !H)
        return 3;
    for (long n = 0; n < nnz; ++n)
        r[n] = (struct rating){(int)(idle + mix(2 * n + 1) % (users - 2 * idle)),
                               (int)(mix(2 * n + 2) % items), (mix(n) % 1000) * .001f};
    if (strchr(how, 'p')) {
#pragma orrery parallel
        for (long u = 0; u < users; ++u)
            for (int k = 0; k < K; ++k)
                W[u * K + k] = ((u * K + k) % 1009 + 1) * 1e-4f;
    } else {
        for (long i = 0; i < users * K; ++i)
            W[i] = (i % 1009 + 1) * 1e-4f;
    }
    memset(H, 0, (size_t)items * K * sizeof *H);
    for (long i = 0; i < items * K; ++i)
        H[i] += (i % 1013 + 1) * 1e-4f;
    for (int pass = 0; pass < PASSES; ++pass) {
        double loss = train_numbered(r, nnz, strchr(how, 'k') ? 1e-6f : 0, W, H);
        printf("pass %d rmse %.9f\n", pass, sqrt(loss / nnz));
        if (strchr(how, 'm') && pass == 0) {
            r[5].item = r[nnz / 2].item;
            r[nnz - 7].value = 2;
        }
        double seen = 0;
        for (long u = users - 1; strchr(how, 'r') && u >= 0; u -= 97)
            seen += W[u * K];
        if (strchr(how, 's'))
            printf("read %.6f\n", rows_read(W, users));
        if (strchr(how, 'r')) {
            W[users / 2 * K] = 1;
            printf("seen %.6f\n", seen);
        }
    }
    if (strchr(how, 'n'))
        printf("norm %.6f\n", norm_of(W, users));
    if (strchr(how, 't') && !row_read(W + ROW * K))
        return 8;
    FILE *f = fopen(argv[3], "w+b");
    size_t all = (size_t)(users * K);
    if (!f || fwrite(W, sizeof *W, all, f) != all ||
        fwrite(H, sizeof *H, (size_t)items * K, f) != (size_t)items * K)
        return 4;
    if (strchr(how, 'f')) {
        memcpy(H, W + 5, (size_t)items * K * sizeof *H);
        rewind(f);
        if (fread(W, K * sizeof *W, (size_t)users, f) != (size_t)users)
            return 5;
        puts(memcmp(H, W + 5, (size_t)items * K * sizeof *H) ? "other" : "equal");
    }
    fflush(stdout);
    if (strchr(how, 'w') && !call_once(fileno(f), W, all * sizeof *W))
        return 6;
    if (strchr(how, 'v') && !vectors_call(fileno(f), W, all, H))
        return 6;
    int zeros = strchr(how, 'z') ? open("/dev/zero", O_RDONLY) : -1;
    if (zeros >= 0 && read(zeros, W, all * sizeof *W) < 0)
        return 6;
    if (fclose(f))
        return 7;
    struct rusage used;
    if (getenv("PEAK") && getrusage(RUSAGE_SELF, &used) == 0)
        fprintf(stderr, "peak %ld\n", used.ru_maxrss);
    free(r);
    free(W);
    if (!joined)
        free(H);
    return 0;
}
