/* expect: parallel tournament unordered
 * dims: one[n] + 24, two[n] + 24
 * rotating: W
 *
 * The names of both keys are those of the table's elements, whatever else one of them subscripts.
 */
void pass(unsigned *restrict W, const unsigned *restrict near, const int *restrict one,
          const int *restrict two, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        W[24 + two[n]] = (near[one[n]] & W[24 + one[n]]) * 3u + 1;
}
