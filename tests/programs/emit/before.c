/* emit: 3 */
/* What stands in front of a loop's function: functions that macros make of their arguments, bodies
 * out of macros, and braces that are spelled otherwise. What is emitted must not be put into them. */
#include <stdio.h>

#define DEFINE(name, body) static int name(int x) body
#define BODY(x) { x *= 3; return x; }
#define PLAIN { x *= 5; return x; }
#define WHOLE(text) text
#define LIST(T, name) struct name { T item; int n; }; static int name##_at(const struct name *v, int i) { return v->item + i; }
#define BEGIN {
#define END }

DEFINE(twice, { x *= 2; return x; })
static int thrice(int x) BODY(x)
static int five(int x) PLAIN
WHOLE(static int whole(int x) { x += 1; return x; })
static int words(int x) BEGIN x += 1; x *= 2; return x; END
static int digraphs(int x) <% x += 1; x *= 2; return x; %>
LIST(int, list)

static int a[100];

static void first(struct list v) {
#pragma orrery parallel
    for (int i = 0; i < 100; ++i)
        a[i] += list_at(&v, i) + twice(i) + thrice(i) + five(i) + whole(i) + words(i) + digraphs(i);
}

DEFINE(later, { x -= 1; return x; })
#ifdef NOTHING
static void second(int n, int m) {
#else
static void second(int n) {
#endif
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] += later(i);
}
DEFINE(latest, { x -= 1; return x; })
static void third(int n) BEGIN
#pragma orrery parallel
    for (int i = 0; i < n; ++i)
        a[i] += latest(i);
END

int main(void) {
    struct list v = {4, 1};
    first(v);
    second(100);
    third(100);
    for (int i = 0; i < 100; ++i)
        printf("%d\n", a[i]);
    return 0;
}
