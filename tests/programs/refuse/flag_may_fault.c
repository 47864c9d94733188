/* expect: serial ORR2278 9:20 `list[n]->valid` */
/* says: it could end the program, or not end */
struct entry {
    int valid;
};
int all_valid(struct entry **list, int n_entries, int ok) {
#pragma orrery parallel
    for (int n = 0; n < n_entries; ++n)
        ok = ok && list[n]->valid;
    return ok;
}
