/*
 * A loop over passes in a function that is called for every line of a file: its second and third
 * entries are saved, too. Variables of the caller change through a pointer.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct fit {
    double best, *weight;
    long passes;
};

static double data[2000];

static void train(struct fit *fit, double rate, long *total) {
    for (int pass = 0; pass < 5; ++pass) {
        double *w = fit->weight, sum = 0;
#pragma orrery parallel
        for (int i = 0; i < 2000; ++i) {
            w[i] += rate * (data[i] - w[i]);
            sum += w[i];
        }
        fit->best = sum > fit->best ? sum : fit->best;
        ++fit->passes;
        *total += pass;
        printf("pass %ld\n", fit->passes);
    }
}

int main(int argc, char **argv) {
    FILE *lines = fopen(argc > 1 ? argv[1] : "rates.txt", "r");
    double rate, results[8] = {0};
    long total = 0;
    int count = 0;
    struct fit fit = {.weight = calloc(2000, sizeof(double))};
    for (int i = 0; i < 2000; ++i)
        data[i] = i % 17;
    while (lines && count < 8 && fscanf(lines, "%lf", &rate) == 1) {
        train(&fit, rate, &total);
        results[count++] = fit.best;
    }
    printf("end %.17g %.17g %.17g %ld %ld\n", results[0], results[1], results[2], total,
           fit.passes);
    return 0;
}
