/* `orrery verify --accesses`: runs a watched program once and reads what its processes wrote. */
#include "tools/verify/accesses.h"

#include "tools/base/status.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void remove_folder(struct arena *arena, const char *folder) {
    DIR *entries = opendir(folder);
    const struct dirent *entry;
    while (entries && (entry = readdir(entries)))
        unlink(arena_printf(arena, "%s/%s", folder, entry->d_name));
    if (entries)
        closedir(entries);
    rmdir(folder);
}

static void become(const struct accesses_request *request, const char *folder) {
    int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    setenv("ORRERY_ACCESSES", folder, 1);
    setpgid(0, 0);
    execvp(request->program[0], (char *const *)request->program);
    fprintf(stderr, "orrery verify: cannot run '%s': %s\n", request->program[0], strerror(errno));
    _exit(127);
}

/* The program's status as a shell has it; 124: its time was over. */
static int run_program(const struct accesses_request *request, const char *folder) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0)
        become(request, folder);
    int status = 0;
    for (long tenths = 0; pid > 0 && waitpid(pid, &status, WNOHANG) == 0; ++tenths) {
        usleep(tenths < 20 ? 5000 : 100000);
        if (tenths < request->timeout * 10 + 20)
            continue;
        kill(-pid, SIGKILL);
        waitpid(pid, &status, 0);
        return 124;
    }
    return pid < 0 ? 127 : WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int report(const struct accesses_request *request, const char *folder) {
    struct accesses accesses = {.arena = request->arena};
    const char *program = request->nprogram ? request->program[0] : folder;
    if (accesses_read(&accesses, folder) != 0)
        return STATUS_INPUT;
    if (accesses.nruns == 0) {
        fprintf(stderr,
                "orrery verify: no process recorded its accesses: was %s built by "
                "'orrery-cc -accesses', and did it end by itself?\n",
                program);
        return STATUS_INPUT;
    }
    accesses_judge(&accesses);
    if (request->json)
        accesses_print_json(&accesses, program);
    else
        accesses_print_text(&accesses, program);
    return accesses_count(&accesses, ANSWER_CONTRADICTED) > 0 ? STATUS_INPUT : STATUS_OK;
}

int accesses_verify(const struct accesses_request *request) {
    if (request->from)
        return report(request, request->from);
    const char *base = getenv("TMPDIR");
    char *folder =
        arena_printf(request->arena, "%s/orrery-accesses.XXXXXX", base && *base ? base : "/tmp");
    if (!mkdtemp(folder)) {
        fprintf(stderr, "orrery verify: cannot make a temporary folder %s: %s\n", folder,
                strerror(errno));
        return STATUS_INPUT;
    }
    int status = run_program(request, folder);
    int signal = status > 128 ? status : 0;
    if (status != 0)
        fprintf(stderr, "orrery verify: %s ended with status %d%s\n", request->program[0], status,
                status == 124 ? " (its time was over)" : "");
    status = status == 127 ? STATUS_INPUT : report(request, folder);
    remove_folder(request->arena, folder);
    return status == STATUS_OK && signal ? signal : status;
}
