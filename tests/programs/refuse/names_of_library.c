/* expect: serial ORR2213 11:23 `log("below zero")` */
/* The user's own function of another file, which has the name of one of the library's. */
void log(const char *text);

static double a[1000], b[1000];

void roots(int n) {
#pragma orrery parallel
    for (int i = 0; i < n; i++) {
        a[i] = b[i] * 2;
        if (b[i] < 0) log("below zero");
    }
}
