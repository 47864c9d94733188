/* expect: serial ORR2400 10:24 `K[i - 1][w - weight[i]]` */
/* the loop inside goes down: what is needed stands at a later position, unless weights are negative */
void knapsack(int n, int room, const int *restrict weight, const int *restrict worth, int (*restrict K)[1001]) {
#pragma orrery parallel
    for (int i = 1; i <= n; ++i)
        for (int w = room; w >= 0; --w) {
            int most = K[i - 1][w];
            if (weight[i] <= w) {
                int with =
                       K[i - 1][w - weight[i]] + worth[i];
                if (with > most)
                    most = with;
            }
            K[i][w] = most;
        }
}
