/* expect: serial ORR2206 11:9 `both.real[n] =` */
/* two members of one union */
static union {
    float real[1000];
    int whole[1000];
} both;

void mix(void) {
#pragma orrery parallel unordered
    for (int n = 0; n < 999; ++n)
        both.real[n] = both.whole[n + 1];
}
