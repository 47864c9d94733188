/* emit: 30 */
/* Single elements and members that every iteration reads, reached in all the ways that C has. */
#include <stdio.h>
#include <stdlib.h>

enum { N = 500 };

struct pair {
    unsigned x, y;
};

struct row {
    unsigned tag;
    struct pair in;
    unsigned z[4];
};

struct model {
    struct row *rows, near[3];
    unsigned *w, bias[8], n;
    struct model *next;
};

static struct row declared[10];
static unsigned r[N], numbers[8];

static unsigned element(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[2].tag) ^ r[i];
    return s;
}

static unsigned first(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p->tag) ^ r[i];
    return s;
}

static unsigned first_by_star(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += ((*p).in.x) ^ r[i];
    return s;
}

static unsigned behind_sum(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += ((p + 2)->in.y) ^ r[i];
    return s;
}

static unsigned star_of_sum(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += ((*(p + 3)).tag) ^ r[i];
    return s;
}

static unsigned row_of_element(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[1].z[3]) ^ r[i];
    return s;
}

static unsigned variable_element(const struct row *p, int k, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[k].tag) ^ r[i];
    return s;
}

static unsigned number(const unsigned *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[2]) ^ r[i];
    return s;
}

static unsigned number_by_star(const unsigned *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (*p) ^ r[i];
    return s;
}

static unsigned number_by_sum(const unsigned *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (*(p + 5)) ^ r[i];
    return s;
}

static unsigned model_rows(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (m->rows[2].tag) ^ r[i];
    return s;
}

static unsigned model_first(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (m->rows->in.x) ^ r[i];
    return s;
}

static unsigned model_inside(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (m->near[1].in.y) ^ r[i];
    return s;
}

static unsigned model_bias(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (m->bias[3]) ^ r[i];
    return s;
}

static unsigned model_next(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (m->next->rows[4].z[1]) ^ r[i];
    return s;
}

static unsigned model_number(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (m->w[4]) ^ r[i];
    return s;
}

static unsigned two_stars(unsigned *const *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[1][2]) ^ r[i];
    return s;
}

static unsigned two_models(struct model *const *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[1]->n) ^ r[i];
    return s;
}

static unsigned of_models(struct model *const *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[1]->rows[3].in.x) ^ r[i];
    return s;
}

static unsigned grid_element(const unsigned (*p)[4], int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (p[1][2]) ^ r[i];
    return s;
}

static unsigned declared_element(int k, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (declared[2].tag + (unsigned)k) ^ r[i];
    return s;
}

static unsigned declared_member(int k, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (declared[3].in.y * (unsigned)k) ^ r[i];
    return s;
}

static unsigned declared_number(int k, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (numbers[5] - (unsigned)k) ^ r[i];
    return s;
}

static unsigned viewed(const void *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (((const struct row *)p)[4].tag) ^ r[i];
    return s;
}

static unsigned byte(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (((const unsigned char *)&p[3].tag)[1]) ^ r[i];
    return s;
}

static unsigned address(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (*&p[5].in.x) ^ r[i];
    return s;
}

static unsigned model_view(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (*&m->w[4]) ^ r[i];
    return s;
}

static unsigned model_byte(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += (((const unsigned char *)&m->rows[2].tag)[1]) ^ r[i];
    return s;
}

static unsigned model_walk(const struct model *m, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += ((&m->rows[1])[2].in.y) ^ r[i];
    return s;
}

static unsigned walked(const struct row *p, int n) {
    unsigned s = 0;
#pragma orrery parallel
    for (int i = 0; i < n; i++)
        s += ((&p[1])[2].in.x) ^ r[i];
    return s;
}

int main(void) {
    struct row *rows = calloc(10, sizeof *rows);
    struct model *m = calloc(2, sizeof *m), **models = calloc(2, sizeof *models);
    unsigned *w = calloc(8, sizeof *w), **table = calloc(2, sizeof *table);
    unsigned(*grid)[4] = calloc(3, sizeof *grid);
    m[0].rows = rows, m[0].w = w, m[0].next = &m[1], m[1].rows = rows + 2, m[1].w = w;
    table[0] = w, table[1] = w + 3, models[0] = &m[0], models[1] = &m[1];
    for (unsigned round = 1; round < 4; round++) {
        for (unsigned i = 0; i < N; i++)
            r[i] = i * 77 + round;
        for (unsigned i = 0; i < 10; i++) {
            rows[i] =
                (struct row){i * round, {i + round, i * 3 + round}, {i, round, i + 7, i * round}};
            declared[i] = rows[i];
        }
        for (unsigned i = 0; i < 8; i++)
            w[i] = numbers[i] = m[0].bias[i] = i * 5 + round, grid[i / 4][i % 4] = i * i + round;
        m[0].near[1].in.y = 99 * round, m[1].n = round * 1234;
        printf("element %u\n", element(rows, N));
        printf("first %u\n", first(rows, N));
        printf("first_by_star %u\n", first_by_star(rows, N));
        printf("behind_sum %u\n", behind_sum(rows, N));
        printf("star_of_sum %u\n", star_of_sum(rows, N));
        printf("row_of_element %u\n", row_of_element(rows, N));
        printf("variable_element %u\n", variable_element(rows, 3, N));
        printf("number %u\n", number(w, N));
        printf("number_by_star %u\n", number_by_star(w, N));
        printf("number_by_sum %u\n", number_by_sum(w, N));
        printf("model_rows %u\n", model_rows(&m[0], N));
        printf("model_first %u\n", model_first(&m[0], N));
        printf("model_inside %u\n", model_inside(&m[0], N));
        printf("model_bias %u\n", model_bias(&m[0], N));
        printf("model_next %u\n", model_next(&m[0], N));
        printf("model_number %u\n", model_number(&m[0], N));
        printf("two_stars %u\n", two_stars(table, N));
        printf("two_models %u\n", two_models(models, N));
        printf("of_models %u\n", of_models(models, N));
        printf("grid_element %u\n", grid_element(grid, N));
        printf("declared_element %u\n", declared_element(7, N));
        printf("declared_member %u\n", declared_member(7, N));
        printf("declared_number %u\n", declared_number(7, N));
        printf("viewed %u\n", viewed(rows, N));
        printf("byte %u\n", byte(rows, N));
        printf("address %u\n", address(rows, N));
        printf("model_view %u\n", model_view(&m[0], N));
        printf("model_byte %u\n", model_byte(&m[0], N));
        printf("model_walk %u\n", model_walk(&m[0], N));
        printf("walked %u\n", walked(rows, N));
    }
    return 0;
}
