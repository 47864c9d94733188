/* In liborrery.so alone: how the runtime knows that the process is not its own. */

/* What main.c wraps: there is none here. */
int main(void);
int main(void) {
    return 0;
}

extern const char orrery_shared;
const char orrery_shared = 1;
