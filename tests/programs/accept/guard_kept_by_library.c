/* expect: parallel independent ordered
 * guards: some
 */
/* strtok keeps the address that it is given, and hands out more of the array later on. */
#include <string.h>

static char text[4096];

int words(void) {
    char line[4096];
    memcpy(line, text, sizeof line);
    strtok(line, " ");
    char *word = strtok(NULL, " ");
#pragma orrery parallel
    for (int i = 0; i < 1000; i++)
        word[i] = line[i + 6];
    return line[7];
}
