/* ORR2307 */
struct in {
    unsigned x, y;
};
struct record {
    unsigned value;
    struct in in;
};
static struct record records[8];

static void add_to(unsigned *p, unsigned v) {
    *p += v;
}

unsigned one_element(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        add_to(&(*(records + 1)).in.x, (records + 5)->in.x);
    return records[1].in.x;
}
