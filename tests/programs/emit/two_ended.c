/* emit: 9, one rank */
/* Loops whose variables come towards each other. Each says what they hold afterwards. */
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 700, ROW = 33, ROWS = 40 };

static void turn(float *a, int n) {
    int i = 0, j = n - 1;
#pragma orrery parallel
    while (i < j) {
        float t = a[i];
        a[i] = a[j];
        a[j] = t;
        i++;
        j--;
    }
    printf("%d %d\n", i, j);
}

static void turn_sizes(float *a, size_t n) {
    size_t low = 0, high = n - 1;
#pragma orrery parallel
    while (high > low) {
        float t = a[low];
        a[low++] = a[high] + 1;
        a[high--] = t;
    }
    printf("%zu %zu\n", low, high);
}

static void between(float *a, int low, int high) {
#pragma orrery parallel
    while (low <= high) {
        float t = a[low];
        a[low] = a[high] + 1;
        if (low != high)
            a[high] = t * 2;
        ++low, --high;
    }
    printf("%d %d\n", low, high);
}

static void uneven(float *a, int n) {
    int i = 0, j = n - 1;
#pragma orrery parallel
    while (i < j) {
        a[i] += a[j];
        i++;
        j -= 3;
    }
    printf("%d %d\n", i, j);
}

static void in_pairs(float *a, long n) {
    long i = 1, j = n;
#pragma orrery parallel
    while (j - 1 >= i + 2) {
        a[i] -= 1;
        i += 2;
        j -= 2;
    }
    printf("%ld %ld\n", i, j);
}

static void in_the_body(float *a, int n) {
    int j = n - 1;
#pragma orrery parallel
    for (int i = 0; i < j; i++) {
        a[i] += a[j];
        j--;
    }
    printf("%d\n", j);
}

static long together(const float *a, long n, long down) {
    long sum = 0;
#pragma orrery parallel
    for (long i = 2; i < down; i++, down--)
        sum += (long)a[i] * (i + down) % 7;
    return sum * 10 + down % 10 + n;
}

static void rows(float *table, int n, int length) {
#pragma orrery parallel
    for (int r = 0; r < n; r++) {
        float *a = table + (long)r * length;
        int i = 0, j = length - 1;
        while (i < j) {
            float t = a[i];
            a[i] = a[j];
            a[j] = t;
            i++;
            j--;
        }
        a[i] += (float)(i - j);
    }
}

static void words(char (*word)[16], const int *length, int n) {
#pragma orrery parallel
    for (int w = 0; w < n; w++) {
        int i = 0, j = length[w] - 1;
        while (i < j) {
            char t = word[w][i];
            word[w][i++] = word[w][j];
            word[w][j--] = t;
        }
    }
}

static long mixed;

static void mix(const float *a, int n) {
    for (int i = 0; i < n; i++)
        mixed = (mixed * 31 + (long)a[i]) % 1000003;
    printf("%ld\n", mixed);
}

int main(void) {
    float *a = malloc(N * sizeof *a), *table = malloc(ROWS * ROW * sizeof *table);
    static char word[ROWS][16];
    int length[ROWS];
    for (int i = 0; i < N; i++)
        a[i] = (float)(i * 37 % 101);
    for (int i = 0; i < ROWS * ROW; i++)
        table[i] = (float)(i * 11 % 53);
    for (int i = 0; i < ROWS; i++) {
        length[i] = i % 16;
        for (int k = 0; k < 15; k++)
            word[i][k] = (char)('a' + (i + k) % 26);
    }
    for (int n = 1; n < N; n += n < 9 ? 1 : 230) {
        turn(a, n);
        turn_sizes(a, (size_t)n);
        between(a, n / 3, n - 1);
        uneven(a, n);
        in_pairs(a, n);
        in_the_body(a, n);
        printf("%ld\n", together(a, n, n - 1));
        mix(a, N);
    }
    turn(a, 0);
    rows(table, ROWS, ROW);
    rows(table, ROWS * 3, ROW / 3);
    words(word, length, ROWS);
    mix(table, ROWS * ROW);
    for (int i = 0; i < ROWS; i += 7)
        printf("%s\n", word[i]);
    free(a);
    free(table);
    return 0;
}
