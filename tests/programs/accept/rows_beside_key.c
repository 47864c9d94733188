/* expect: parallel partition-1d ordered
 * dims: owner[i]
 * carried total: owner[i]=0
 * guard: z from doc[i] to before doc[i + 1], as when doc is monotone
 */
/* tokens of a document, and the row of its owner */
void draw(const int *doc, const int *owner, int *z, double (*total)[4], int docs) {
#pragma orrery parallel
    for (int i = 0; i < docs; ++i)
        for (int t = doc[i]; t < doc[i + 1]; ++t) {
            z[t] = (z[t] * 5 + i) & 3;
            total[owner[i]][t & 3] = total[owner[i]][t & 3] * .5 + z[t];
        }
}
