/* expect: parallel independent ordered
 * guards: some
 */
/* One of the two calls stands in a statement expression, and hands over what the loop reads. */
static int other[1001], own[1001];

static void shifted(int *q) {
#pragma orrery parallel
    for (int i = 0; i < 1000; i++)
        q[i] = own[i] + 1;
}

int both(void) {
    shifted(other);
    return ({
        shifted(own + 1);
        own[1000];
    });
}
