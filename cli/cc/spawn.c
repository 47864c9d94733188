#include "cli/cc/cc.h"
#include "tools/base/words.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_FILES = 512 };

/* What is to be removed at the end, also from a signal handler: nothing here is ever moved. */
static char folder[PATH_MAX];
static char files[MAX_FILES][PATH_MAX];
static volatile sig_atomic_t nfiles;
static volatile pid_t child;

static void clean(void) {
    for (int i = 0; i < nfiles; ++i)
        unlink(files[i]);
    if (folder[0])
        rmdir(folder);
}

static void on_signal(int number) {
    if (child > 0)
        kill(child, number);
    clean();
    signal(number, SIG_DFL);
    raise(number);
}

/* Starts a temporary folder on first use; it and its files go away at exit and on signals. */
static const char *spawn_folder(struct arena *arena) {
    if (!folder[0]) {
        const char *base = getenv("TMPDIR");
        snprintf(folder, sizeof folder, "%s/orrery-cc.XXXXXX", base && *base ? base : "/tmp");
        if (!mkdtemp(folder)) {
            fprintf(stderr, "orrery-cc: error: cannot make a temporary folder %s: %s\n", folder,
                    strerror(errno));
            exit(1);
        }
        atexit(clean);
        signal(SIGINT, on_signal);
        signal(SIGTERM, on_signal);
        signal(SIGHUP, on_signal);
    }
    return arena_strdup(arena, folder);
}

const char *spawn_file(struct arena *arena, const char *name) {
    const char *path = arena_printf(arena, "%s/%s", spawn_folder(arena), name);
    if (nfiles < MAX_FILES && strlen(path) < PATH_MAX) {
        memcpy(files[nfiles], path, strlen(path) + 1);
        nfiles = nfiles + 1;
    }
    return path;
}

/* As a shell would need it. */
static void print_word(const char *word) {
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "-_=+./,:@%^";
    if (*word && word[strspn(word, plain)] == '\0') {
        printf("%s", word);
        return;
    }
    putchar('\'');
    for (; *word; ++word)
        if (*word == '\'')
            printf("'\\''");
        else
            putchar(*word);
    putchar('\'');
}

static void show(const struct arg_list *command) {
    for (int i = 0; i < command->count; ++i) {
        if (i)
            putchar(' ');
        print_word(command->items[i]);
    }
    putchar('\n');
}

static int report(const char *name) {
    int error = errno;
    const char *from = getenv("ORRERY_CC");
    fprintf(stderr, "orrery-cc: error: cannot run '%s': %s%s\n", name, strerror(error),
            from ? " (the host compiler is set by ORRERY_CC)" : "");
    return 127;
}

int spawn_exec(const struct arg_list *command) {
    execvp(command->items[0], (char *const *)command->items);
    return report(command->items[0]);
}

/* Its wait status, -1 after a message. */
static int run(const struct arg_list *command, bool quiet) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        if (quiet && !freopen("/dev/null", "w", stderr))
            _exit(127);
        _exit(spawn_exec(command));
    }
    if (pid < 0) {
        report(command->items[0]);
        return -1;
    }
    child = pid;
    int status;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    child = 0;
    return status;
}

int spawn_quiet(const struct arg_list *command) {
    int status = run(command, true);
    return status >= 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 127;
}

int spawn_run(const struct arg_list *command, bool only_show) {
    if (only_show) {
        show(command);
        return 0;
    }
    int status = run(command, false);
    if (status < 0)
        return 127;
    if (WIFEXITED(status))
        return WEXITSTATUS(status);
    fprintf(stderr, "orrery-cc: error: '%s' ended by signal %d (%s)\n", command->items[0],
            WTERMSIG(status), strsignal(WTERMSIG(status)));
    return 128 + WTERMSIG(status);
}

void spawn_compiler(struct arg_list *command) {
    const char *rest = getenv("ORRERY_CC");
    const char *word = rest ? words_next(command->arena, &rest) : NULL;
    for (; word; word = words_next(command->arena, &rest))
        arg_list_push(command, word);
    if (command->count == 0)
        arg_list_push(command, "cc");
}

bool spawn_is_clang(struct arena *arena) {
    struct arg_list command = {.arena = arena};
    spawn_compiler(&command);
    const char *path = getenv("PATH");
    const char *name = command.items[command.count - 1];
    if (strstr(name, "clang"))
        return true;
    while (path && !strchr(name, '/')) {
        size_t length = strcspn(path, ":");
        char *real = realpath(arena_printf(arena, "%.*s/%s", (int)length, path, name), NULL);
        bool clang = real && strstr(real, "clang");
        bool found = real;
        free(real);
        if (found)
            return clang;
        path = path[length] ? path + length + 1 : NULL;
    }
    return false;
}
