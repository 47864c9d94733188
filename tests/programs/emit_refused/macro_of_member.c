/* ORR2290 */
/* says: the macro `A` has the name of something that the loop uses */
struct generator {
    int A[56];
};
#define A (rand->A)
void clear(struct generator *rand) {
#pragma orrery parallel
    for (int i = 0; i < 56; ++i)
        A[i] = 0;
}
