/* expect: parallel reduction ordered
 * carried: none
 */
int darkest(const unsigned char *gray, int n, double *range) {
    int least = 256, at = -1, most = -1;
    double highest = 0;
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        if (gray[i] < least) {
            least = gray[i];
            at = i;
        }
        if (gray[i] > most)
            most = gray[i];
        highest = highest > gray[i] ? highest : gray[i];
    }
    *range = highest - least + most;
    return at;
}
