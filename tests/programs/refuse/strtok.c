/* expect: serial ORR2219 9:25 `strtok(` */
/* hidden state in the library */
#include <stdlib.h>
#include <string.h>

void parse(char **line, float *out, long count) {
#pragma orrery parallel unordered
    for (long n = 0; n < count; ++n)
        out[n] = strtof(strtok(line[n], " "), NULL);
}
