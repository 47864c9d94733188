/* usage: load plain|THREADS FILE: reads a file of coordinates, prints the seconds. With ON_RANKS a
 * program of orrery-cc, whose ranks read it. */
#include <orrery.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int threads = 1;

#ifdef ON_RANKS
static void be_parallel(void) {
    int x[100];
    ORRERY_PARALLEL()
    for (int i = 0; i < 100; ++i)
        x[i] = i;
    if (x[99] != 99)
        abort();
}
#else
int orrery_load_threads(void) {
    return threads;
}

static void be_parallel(void) {
}
#endif

/* What one writes: every number of every line by strtof, into an array that grows. */
static long plain(const char *path) {
    FILE *in = fopen(path, "r");
    char line[512];
    float *value = NULL;
    long count = 0, capacity = 0;
    while (in && fgets(line, sizeof line, in)) {
        char *at = line, *end;
        if (line[0] == '#' || line[0] == '\n')
            continue;
        for (;; at = end) {
            float number = strtof(at, &end);
            if (end == at)
                break;
            if (count == capacity)
                value = realloc(value, sizeof *value * (size_t)(capacity = 2 * capacity + 1024));
            if (!value)
                exit(1);
            value[count++] = number;
        }
    }
    if (in)
        fclose(in);
    free(value);
    return count;
}

int main(int argc, char **argv) {
    struct timespec from, to;
    struct orrery_tensor tensor;
    long numbers;
    if (argc != 3)
        return 2;
    be_parallel();
    clock_gettime(CLOCK_MONOTONIC, &from);
    if (strcmp(argv[1], "plain") == 0) {
        numbers = plain(argv[2]);
    } else {
        threads = atoi(argv[1]);
        if (orrery_load_tensor(argv[2], &tensor) != 0) {
            fprintf(stderr, "%s\n", orrery_load_error());
            return 1;
        }
        numbers = tensor.count * (tensor.ways + 1);
    }
    clock_gettime(CLOCK_MONOTONIC, &to);
    fprintf(stderr, "%s: %ld numbers\n", argv[1], numbers);
    printf("%.6f\n",
           (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) * 1e-9);
    return numbers ? 0 : 1;
}
