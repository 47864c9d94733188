/* expect: serial ORR2211 9:9 `fwrite(all, sizeof *all, 40, f)` */
/* every iteration writes what others have set */
#include <stdio.h>
static float all[40];
void save(FILE *f) {
#pragma orrery parallel
    for (int i = 0; i < 40; ++i) {
        all[i] = i;
        fwrite(all, sizeof *all, 40, f);
    }
}
