/* expect: serial ORR2105 8:13 `w[topic[i]]` */
/* says: `topic[i]` is read under a condition that is not known before the iteration: read it into a variable */
/* tests/programs/accept/key_before_condition.c does so */
void decay(float *restrict w, const int *restrict topic, float *restrict x, long rows) {
#pragma orrery parallel
    for (long i = 0; i < rows; ++i) {
        if ((x[i] *= 2) > 1)
            w[topic[i]] *= .9f;
    }
}
