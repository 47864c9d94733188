/* Bodies of which each lane runs the head for an iteration of its own, and bodies whose own array the
 * lanes fill together. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { D = 37, K = 9, TOPICS = 41 };

struct token {
    int doc, word, topic;
};

static float squared(const float *a, const float *b) {
    float sum = 0;
    for (int j = 0; j < D; ++j)
        sum += (a[j] - b[j]) * (a[j] - b[j]);
    return sum;
}

/* A number, a pointer and a small integer go over to the rest. */
static double nearest(const float *x, long count, const float *center, int *to, long *members,
                      double *sum) {
    double all = 0;
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i) {
        const float *row = x + i * D;
        short best = 0;
        float least = INFINITY;
        for (short c = 0; c < K; ++c) {
            float d = squared(row, center + c * D);
            if (d >= least)
                continue;
            least = d;
            best = c;
        }
        to[i] = best;
        members[best]++;
        for (int j = 0; j < D; ++j)
            sum[best * D + j] += row[j];
        all += least;
    }
    return all;
}

/* By key: the record is the lane's own in the head; it ends in the middle of a group. */
static void weigh(const int *key, const float *x, long count, int keys, float (*row)[D]) {
    (void)keys;
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i) {
        float weight = 1;
        for (int n = 0; n < 20; ++n) {
            if (x[i * D + n] < .01f)
                break;
            weight += x[i * D + n] * (float)n;
        }
        for (int j = 0; j < D; ++j)
            row[key[i]][j] += weight * x[i * D + j];
    }
}

/* No head: what it reads iterations in front have written. */
static void grow(const int *key, const float *x, long count, float (*row)[D]) {
#pragma orrery parallel unordered
    for (long i = 0; i < count; ++i) {
        float weight = 1;
        for (int n = 0; n < 20; ++n) {
            if (row[key[i]][n] < 0)
                break;
            weight += row[key[i]][n];
        }
        for (int j = 0; j < D; ++j)
            row[key[i]][j] += .001f * weight + x[i * D + j];
    }
}

/* The weights of topics, their running sums, and where a drawn number is among them. */
static void draw(struct token *token, long count, int (*docs)[TOPICS], int (*words)[TOPICS],
                 int *total) {
#pragma orrery parallel unordered relax(total)
    for (long i = 0; i < count; ++i) {
        int z = token[i].topic;
        float sum[TOPICS], all = 0;
        --docs[token[i].doc][z];
        --words[token[i].word][z];
        --total[z];
        for (int k = 0; k < TOPICS; ++k)
            sum[k] = ((float)docs[token[i].doc][k] + .1f) *
                     ((float)words[token[i].word][k] + .01f) / ((float)total[k] + 1);
        for (int k = 0; k < TOPICS; ++k)
            sum[k] = all += sum[k];
        float drawn = (float)(i * 7919 % 1000) / 1000 * all;
        for (z = 0; z < TOPICS - 1 && sum[z] < drawn;)
            ++z;
        token[i].topic = z;
        ++docs[token[i].doc][z];
        ++words[token[i].word][z];
        ++total[z];
    }
}

static float pseudo(long i) {
    return (float)((unsigned long)i * 2654435761u % 10007) / 10007;
}

static void *make(long count, size_t size) {
    void *memory = calloc((size_t)count, size);
    if (!memory)
        exit(2);
    return memory;
}

static double draws(long count) {
    int docs = 30, words = 25;
    struct token *token = make(count, sizeof *token);
    int(*of_doc)[TOPICS] = make(docs, sizeof *of_doc), *total = make(TOPICS, sizeof *total);
    int(*of_word)[TOPICS] = make(words, sizeof *of_word);
    double seen = 0;
    for (long i = 0; i < count; ++i) {
        token[i] = (struct token){(int)(i * 7 % docs), (int)(i * i % words), (int)(i % TOPICS)};
        ++of_doc[token[i].doc][token[i].topic];
        ++of_word[token[i].word][token[i].topic];
        ++total[token[i].topic];
    }
    draw(token, count, of_doc, of_word, total);
    for (int k = 0; k < TOPICS; ++k)
        seen += (double)total[k] * k + of_doc[3][k] * 2 + of_word[4][k];
    free(token), free(of_doc), free(of_word), free(total);
    return seen;
}

int main(int argc, char **argv) {
    long count = argc > 1 ? atol(argv[1]) : 300;
    float *x = make(count * D, sizeof *x), *center = make(K * D, sizeof *center);
    int *to = make(count, sizeof *to), *key = make(count, sizeof *key), keys = 11;
    long *members = make(K, sizeof *members);
    double *sum = make(K * D, sizeof *sum), seen = 0;
    float(*row)[D] = make(keys, sizeof *row);
    for (long i = 0; i < count * D; ++i)
        x[i] = pseudo(i);
    for (long i = 0; i < K * D; ++i)
        center[i] = pseudo(i * 3 + 1);
    for (long i = 0; i < count; ++i)
        key[i] = (int)(i * 5 % keys);
    double all = nearest(x, count, center, to, members, sum);
    weigh(key, x, count, keys, row);
    grow(key, x, count, row);
    for (int c = 0; c < K; ++c)
        seen += (double)members[c] * c + sum[c * D + 5];
    for (long i = 0; i < count; ++i)
        seen += to[i];
    for (int r = 0; r < keys; ++r)
        seen += row[r][r];
    printf("%.6f %.6f %.0f\n", all, seen, draws(count));
    free(x), free(center), free(to), free(key), free(members), free(sum), free(row);
    return 0;
}
