/* Records are read at the top of the body, by fscanf in one loop and by fread in the other.
 * loop: serial ORR2211
 * loop: serial ORR2211
 */
#include <stdio.h>

struct rec { int u; float x; };

static float w[10], v[10];

int main(void) {
    FILE *text = tmpfile(), *binary = tmpfile();
    if (!text || !binary) return 1;
    for (int i = 0; i < 60; i++) {
        struct rec r = {i % 10, (float)(i % 7)};
        fprintf(text, "%d %f\n", r.u, r.x);
        fwrite(&r, sizeof r, 1, binary);
    }
    rewind(text);
    rewind(binary);
#pragma orrery parallel unordered
    for (int i = 0; i < 60; i++) {
        int u;
        float x;
        if (fscanf(text, "%d %f", &u, &x) != 2) continue;
        w[u] += .1f * (x - w[u]);
    }
#pragma orrery parallel unordered
    for (int i = 0; i < 60; i++) {
        struct rec r;
        if (fread(&r, sizeof r, 1, binary) != 1) continue;
        v[r.u] += .1f * (r.x - v[r.u]);
    }
    printf("%.4f %.4f\n", w[3], v[4]);
    return 0;
}
