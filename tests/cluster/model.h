/* A factorization: K numbers a row, W of users and H of items. */
#ifndef FACTORIZATION_MODEL_H
#define FACTORIZATION_MODEL_H

#ifndef K
#define K 32
#endif

struct rating {
    int user, item;
    float value;
};

/* A pass over the ratings: the sum of squared errors before each update. */
double train(const struct rating *r, long nnz, float *W, float *H);

/* The same; a user's number, times weight, counts, too. */
double train_numbered(const struct rating *r, long nnz, float weight, float *W, float *H);

/* A loop with another cut. */
double norm_of(const float *W, long users);

#endif
