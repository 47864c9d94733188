/* A factorization of made-up ratings, for the example builds. */
#ifndef TRAIN_H
#define TRAIN_H

#ifndef RANK
#define RANK 8
#endif

struct rating {
    int user, item;
    float value;
};

/* One pass over all ratings; the sum of their squared errors. W, H: rows of RANK floats. */
double train(const struct rating *r, long nnz, float *W, float *H);

#endif
