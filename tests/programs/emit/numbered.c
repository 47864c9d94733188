/* emit: 3 */
/* Lines that the user numbers: what asks for its line, or file, gets the user's answer. */
#include <stdio.h>

#define FIRST 70

static int line[100], name[100];

static void show(int here) {
    for (int i = 0; i < 100; i += 33)
        printf("%d %d\n", line[i], name[i]);
    printf("%d\n", here);
}

#line 1000 "grammar.y"
int main(void) {
#pragma orrery parallel
    for (int i = 0; i < 100; ++i) {
        line[i] = __LINE__;
        name[i] = (int)sizeof __FILE__;
    }
    show(__LINE__);
#if 0
#line 5 "nowhere"
#endif
#line FIRST "a \"b\".c"
#pragma orrery parallel
    for (int i = 0; i < 100; ++i) {
        line[i] = __LINE__;
        name[i] = (int)sizeof __FILE__;


#line 3
        line[i] += __LINE__;
    }
    show(__LINE__);
    {
#pragma orrery parallel
        for (int i = 0; i < 100; ++i) line[i] = __LINE__;
    } printf("%s\n", __FILE__); show(__LINE__);
    return 0;
}
