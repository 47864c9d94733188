/* The best split over several features: a largest gain, its place in two scalars, and a copy of a struct.
 * loop: parallel reduction
 * result: same
 */
#include <stdio.h>
#include <stdlib.h>

typedef struct { double left, right; int bins; } stats;

int main(void) {
    int n = 90;
    stats *s = malloc(n * sizeof *s), best_stats = {0, 0, 0};
    int *feature = malloc(n * sizeof *feature);
    for (int i = 0; i < n; i++) s[i] = (stats){i * 37 % 41, i * 11 % 29, i % 8}, feature[i] = i / 8;
    double best = -1;
    int best_feature = -1, best_at = -1;
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        double gain = s[i].left * s[i].left + s[i].right * s[i].right;
        if (gain > best) {
            best = gain;
            best_feature = feature[i];
            best_at = i;
            best_stats = s[i];
        }
    }
    printf("%.1f %d %d %.1f %.1f %d\n", best, best_feature, best_at, best_stats.left, best_stats.right, best_stats.bins);
    return 0;
}
