/* The same calls from a C program: reads what bits.py wrote, and leaves its results. */
#include <stdio.h>
#include <stdlib.h>

struct rating;
double epoch(const struct rating *r, long n, float *W, float *H, int K, float rate);
void rank(const int *user, const int *liked, const int *other, long n, float (*X)[16],
          float (*Y)[17], float rate, float lambda);
void sample(const int *doc, const int *word, int *topic, long n, int (*of_doc)[16],
            int (*of_word)[16], int *total, float alpha, float beta, float smooth,
            unsigned long seed);

static long bytes_of;

static void *take(const char *name) {
    FILE *in = fopen(name, "rb");
    if (!in || fseek(in, 0, SEEK_END))
        exit(1);
    bytes_of = ftell(in);
    rewind(in);
    void *memory = malloc((size_t)bytes_of);
    if (!memory || fread(memory, 1, (size_t)bytes_of, in) != (size_t)bytes_of)
        exit(1);
    fclose(in);
    return memory;
}

static void give(FILE *out, const void *memory, long bytes) {
    fwrite(memory, 1, (size_t)bytes, out);
}

int main(void) {
    float *W = take("W");
    long w = bytes_of;
    float *H = take("H");
    long h = bytes_of;
    struct rating *r = take("ratings");
    long n = bytes_of / 12;
    int *user = take("user"), *item = take("item"), *other = take("other");
    float(*X)[16] = take("X");
    long x = bytes_of;
    float(*Y)[17] = take("Y");
    long y = bytes_of;
    int *topic = take("topic");
    int(*of_doc)[16] = take("of_doc");
    long d = bytes_of;
    int(*of_word)[16] = take("of_word");
    int *total = take("total");
    FILE *out = fopen("program", "wb");
    for (int pass = 0; pass < 2; ++pass) {
        double loss = epoch(r, n, W, H, 8, 0.01f);
        rank(user, item, other, n, X, Y, 0.05f, 0.01f);
        sample(user, item, topic, n, of_doc, of_word, total, 0.1f, 0.01f, 3, (unsigned long)pass);
        give(out, &loss, sizeof loss);
    }
    give(out, W, w);
    give(out, H, h);
    give(out, X, x);
    give(out, Y, y);
    give(out, topic, 4 * n);
    give(out, of_doc, d);
    return fclose(out) != 0;
}
