/* expect: parallel partition-1d ordered
 * dims: topic[i]
 */
/* tests/programs/refuse/key_under_condition.c, with the key read in front of the condition */
void decay(float *restrict w, const int *restrict topic, float *restrict x, long rows) {
#pragma orrery parallel
    for (long i = 0; i < rows; ++i) {
        int k = topic[i];
        if ((x[i] *= 2) > 1)
            w[k] *= .9f;
    }
}
