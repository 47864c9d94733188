/* clang-format off */
/* expect
loop i = 0 .. 999
  object b pointer [4L x 1000L] read
  object c array [4L x 1000] read
  object a pointer [4L x 1000L] written
  read b[i] at 28:16 `b[i]`
  read c[i] at 28:23 `c[i]`
  write a[i] at 28:9 `a[i]`
  captures a b c
  stream value `b[i]` at 28:16-20
  stream value `c[i]` at 28:23-27
  uses-index
*/
/* clang-format on */
#include <stdlib.h>
static void *xmalloc(size_t bytes) {
    void *p = malloc(bytes);
    if (!p)
        abort();
    return p;
}
int main(void) {
    float *a = xmalloc(4000), *b = malloc(4000);
    static float c[1000];
#pragma orrery parallel
    for (int i = 0; i < 1000; ++i)
        a[i] = b[i] + c[i];
    return a[5] > 0;
}
