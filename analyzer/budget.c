#include "analyzer/budget.h"

#include <setjmp.h>
#include <stddef.h>

/* What is in hand when the work is broken off:
 * solvers and tables, of which few are open at a time. */
enum { MOST_OPEN = 16 };

struct open {
    void (*undo)(void *);
    void *what;
};

/* `active`: a try is under way. `held`: how often work is held. */
static struct {
    const struct arena *arena;
    struct budget most, spent;
    bool active;
    int held, nopen;
    struct open open[MOST_OPEN];
    jmp_buf out;
} now;

static bool is_beyond(void) {
    return now.spent.steps > now.most.steps || now.spent.bytes > now.most.bytes;
}

static void undo_all(void) {
    while (now.nopen > 0) {
        struct open last = now.open[--now.nopen];
        last.undo(last.what);
    }
}

static void check(void) {
    if (now.active && now.held == 0 && is_beyond()) {
        now.active = false;
        undo_all();
        longjmp(now.out, 1);
    }
}

bool budget_try(struct arena *arena, const struct budget *most, void (*work)(void *), void *data) {
    const struct arena_mark mark = arena_mark(arena);
    now.arena = arena;
    now.most = *most;
    now.spent = (struct budget){0};
    now.held = now.nopen = 0;
    now.active = true;
    if (setjmp(now.out) == 0) {
        work(data);
        now.active = false;
        return true;
    }
    arena_rewind(arena, mark);
    return false;
}

struct budget budget_spent(void) {
    return now.spent;
}

void budget_spend(long steps) {
    now.spent.steps += steps;
    check();
}

void budget_spend_bytes(const struct arena *arena, size_t bytes) {
    if (arena == now.arena && now.active) {
        now.spent.bytes += (long)bytes;
        now.spent.steps += (long)(bytes / 16);
        check();
    }
}

void budget_return_bytes(const struct arena *arena, size_t bytes) {
    if (arena == now.arena && now.active)
        now.spent.bytes -= (long)bytes;
}

void budget_hold(void) {
    ++now.held;
}

void budget_let_go(void) {
    --now.held;
    check();
}

void budget_remember(void (*undo)(void *), void *what) {
    if (now.active && now.nopen < MOST_OPEN)
        now.open[now.nopen++] = (struct open){undo, what};
}

void budget_forget(void *what) {
    int kept = 0;
    for (int i = 0; i < now.nopen; ++i)
        if (now.open[i].what != what)
            now.open[kept++] = now.open[i];
    now.nopen = kept;
}
