/* expect: serial ORR2223 6:1 */
/* i goes 101, 98, ..., 2 and then on from 4294967295. */
int a[600], b[400];
void f(void) {
#pragma orrery parallel
for (unsigned i = 101; i > 1; i -= 3) a[i & 127] = a[i & 127] * 3 + b[i & 127];
}
