/* expect: parallel reduction|partition-1d unordered
 * reductions: + bin
 */
void histogram(long *bin, const unsigned char *text, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        bin[text[n]]++;
}
