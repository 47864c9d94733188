/*
 * Learning from a stream: every record is seen once, in order. Running statistics standardize it,
 * random Fourier features (Rahimi and Recht) of a few inputs each are made of it, logistic
 * regressions with AdaGrad at several rates learn from it, and the one that was best of late is
 * judged on each record before it has learned from it.
 *
 * Build: cc -O3 stream.c -o stream -lm     or     orrery-cc -O3 stream.c -o stream -lm
 */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Without Orrery the pragma below means nothing, and that is all right. */
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

enum { INPUTS = 24, FEATURES = 32, NEAR = 4, RATES = 6, MOST_RECORDS = 10000000 };

struct options {
    const char *output;
    long records, seed;
};

/* What the stream leaves behind. */
struct model {
    double mean[INPUTS], spread[INPUTS];
    double weight[RATES][FEATURES], square[RATES][FEATURES], loss[RATES];
    double drift[INPUTS];
};

/* Feature f: of the NEAR inputs from f % INPUTS on, `project` of each, and `phase`. Drawn once. */
static double project[FEATURES * NEAR], phase[FEATURES];
static const double rate[RATES] = {.01, .03, .1, .3, 1, 3};
static struct model model;

static void usage(FILE *stream) {
    fputs("usage: stream [options]\n"
          "  --records N    records of the generated stream (200000)\n"
          "  --seed N       of the stream and the features (1)\n"
          "  --output FILE  write the model: running means and variances, weights, drifts\n",
          stream);
}

static long parse_number(const char *option, const char *text, long least, long most) {
    char *end;
    errno = 0;
    long value = text ? strtol(text, &end, 10) : 0;
    if (!text || end == text || *end || errno || value < least || value > most) {
        fprintf(stderr, "error: %s %s: expected a number from %ld to %ld\n", option,
                text ? text : "", least, most);
        exit(2);
    }
    return value;
}

static struct options parse_options(int argc, char **argv) {
    struct options o = {.records = 200000, .seed = 1};
    for (int i = 1; i < argc; ++i) {
        const char *arg = argv[i], *next = i + 1 < argc ? argv[i + 1] : NULL;
        if (strcmp(arg, "--records") == 0) {
            o.records = parse_number(arg, next, 1, MOST_RECORDS), ++i;
        } else if (strcmp(arg, "--seed") == 0) {
            o.seed = parse_number(arg, next, 0, 1000000000), ++i;
        } else if (strcmp(arg, "--output") == 0 && next) {
            o.output = next, ++i;
        } else if (strcmp(arg, "--help") == 0) {
            usage(stdout);
            exit(0);
        } else {
            fprintf(stderr, "error: unknown option '%s', or it needs a value\n", arg);
            usage(stderr);
            exit(2);
        }
    }
    return o;
}

/* Number `i` of a stream of its own, in [0, 1): the finalizer of SplitMix64. */
static double uniform(unsigned long seed, unsigned long i) {
    unsigned long x = (seed + 1) * 0x9e3779b97f4a7c15UL + i * 0xbf58476d1ce4e5b9UL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9UL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebUL;
    x ^= x >> 31;
    return (double)(x >> 11) / 9007199254740992.0;
}

static void draw_features(unsigned long seed) {
    for (int f = 0; f < FEATURES; ++f) {
        phase[f] = 6.283185307179586 * uniform(seed ^ 0x5eed, (unsigned long)f);
        for (int k = 0; k < NEAR; ++k) {
            unsigned long number = (unsigned long)(f * NEAR + k);
            project[f * NEAR + k] = 2 * (uniform(seed, number) - uniform(seed + 7, number));
        }
    }
}

/* Sensors of different scales that drift slowly, and a label that is no linear function of them. */
static void generate(unsigned long seed, long n, double *records, double *labels) {
    for (long i = 0; i < n; ++i) {
        double inside = 0;
        for (int k = 0; k < INPUTS; ++k) {
            double u = 2 * uniform(seed + 100, (unsigned long)(i * INPUTS + k)) - 1;
            records[i * INPUTS + k] = (k + 1) * u + 1e-5 * (double)i * (k % 3);
            inside += k < 4 ? u * u : 0;
        }
        labels[i] = inside > 1.2;
    }
}

/* Returns how often the model was right; `average`: squared error of late. */
static double learn(const double *restrict records, const double *restrict labels, long n,
                    double *average) {
    double seen = 0, right = 0, late = 1;
#pragma orrery parallel
    for (long i = 0; i < n; ++i) {
        double x[INPUTS], z[FEATURES], e[RATES];
        seen += 1;
        for (int k = 0; k < INPUTS; ++k) {
            double d = records[i * INPUTS + k] - model.mean[k];
            model.mean[k] += d / seen;
            model.spread[k] += d * (records[i * INPUTS + k] - model.mean[k]);
            x[k] = d / sqrt(1e-9 + model.spread[k] / seen);
        }
        for (int f = 0; f < FEATURES; ++f) {
            double sum = phase[f];
            for (int k = 0; k < NEAR; ++k) {
                sum += project[f * NEAR + k] * x[(f + k) % INPUTS];
            }
            z[f] = cos(sum);
        }
        for (int k = 0; k < INPUTS; ++k) {
            model.drift[k] = fmax(0, model.drift[k] + x[k] - .5);
        }
        for (int r = 0; r < RATES; ++r) {
            double p = 0;
            for (int f = 0; f < FEATURES; ++f) {
                p += model.weight[r][f] * z[f];
            }
            e[r] = labels[i] - 1 / (1 + exp(-p));
        }
        int best = 0;
        for (int r = 1; r < RATES; ++r) {
            best = model.loss[r] < model.loss[best] ? r : best;
        }
        right += fabs(e[best]) < .5;
        late = .999 * late + .001 * e[best] * e[best];
        for (int r = 0; r < RATES; ++r) {
            for (int f = 0; f < FEATURES; ++f) {
                double g = e[r] * z[f];
                model.square[r][f] += g * g;
                model.weight[r][f] += rate[r] * g / sqrt(1e-6 + model.square[r][f]);
            }
            model.loss[r] = .999 * model.loss[r] + e[r] * e[r];
        }
    }
    *average = late;
    return right / (double)n;
}

static int write_model(const char *name) {
    FILE *file = fopen(name, "w");
    if (!file) {
        fprintf(stderr, "error: cannot write %s: %s\n", name, strerror(errno));
        return 1;
    }
    for (int k = 0; k < INPUTS; ++k) {
        fprintf(file, "%d %.17g %.17g %.17g\n", k, model.mean[k], model.spread[k], model.drift[k]);
    }
    for (int r = 0; r < RATES; ++r) {
        for (int f = 0; f < FEATURES; ++f) {
            fprintf(file, "%d %d %.17g %.17g\n", r, f, model.weight[r][f], model.square[r][f]);
        }
    }
    if (fclose(file)) {
        fprintf(stderr, "error: cannot write %s: %s\n", name, strerror(errno));
        return 1;
    }
    return 0;
}

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

int main(int argc, char **argv) {
    struct options o = parse_options(argc, argv);
    double *records = malloc((size_t)o.records * INPUTS * sizeof *records);
    double *labels = malloc((size_t)o.records * sizeof *labels);
    if (!records || !labels) {
        fprintf(stderr, "error: no memory for %ld records\n", o.records);
        return 1;
    }
    draw_features((unsigned long)o.seed);
    generate((unsigned long)o.seed, o.records, records, labels);
    double average, begin = seconds();
    double right = learn(records, labels, o.records, &average);
    printf("%ld records: %.4f s, right %.6f, squared error of late %.9f\n", o.records,
           seconds() - begin, right, average);
    free(records);
    free(labels);
    return o.output ? write_model(o.output) : 0;
}
