#include <stdio.h>

enum { N = 500 };
void fw(int n, int path[N][N]);

static int path[N][N];

int main(void) {
    for (int pass = 0; pass < 4; ++pass) {
        for (int i = 0; i < N; ++i)
            for (int j = 0; j < N; ++j)
                path[i][j] = i == j ? 0 : (i * 7 + j * 13 + pass) % 97 ? 999 : i * j % 7 + 1;
        fw(N, path);
    }
    long sum = 0;
    for (int i = 0; i < N; ++i)
        for (int j = 0; j < N; ++j)
            sum += (long)path[i][j] * (i ^ j);
    printf("%ld\n", sum);
}
