/* expect: parallel independent ordered
 * carried: none
 */
#include <err.h>
#include <stdlib.h>
#include <string.h>

/* Functions of the library look at the memory, and leave it where it is. */
void lengths(const int *restrict x, long *restrict out, int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i) {
        char *text = malloc(64);
        if (!text)
            err(1, "no memory");
        memset(text, 'a', 63);
        text[x[i] & 31] = 0;
        out[i] = (long)strlen(text);
        free(text);
    }
}
