/* expect: serial ORR2107 8:22 `two[i]` */
/* a variable by the name that the assembler knows */
float one[100];
extern float two[100] __asm__("one");
void shift(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        one[i + 1] = two[i] * 0.5f;
}
