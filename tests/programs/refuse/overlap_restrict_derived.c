/* expect: serial ORR2107 10:23 `all[i]` */
/* restrict on a pointer says nothing against pointers made from it */
struct user {
    float w[8], b;
};
void spread(struct user *restrict us, int n) {
    float *all = &us[0].b;
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        us[i].w[0] += all[i];
}
