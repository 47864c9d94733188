#define _GNU_SOURCE
#include "cli/analyze_batch.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* One item: its process while it runs, its files from then until it is finished. */
struct job {
    pid_t pid;
    bool ended;
    int status;
    FILE *output, *errors;
};

static int complain(const char *what) {
    fprintf(stderr, "orrery: error: %s: %s\n", what, strerror(errno));
    return -1;
}

static void become(const struct batch *batch, const struct job *job, int item) {
    dup2(fileno(job->output), STDOUT_FILENO);
    dup2(fileno(job->errors), STDERR_FILENO);
    int status = batch->work(batch->data, item);
    fflush(NULL);
    _exit(status);
}

static int start(const struct batch *batch, struct job *job, int item) {
    *job = (struct job){.output = tmpfile(), .errors = tmpfile()};
    if (!job->output || !job->errors)
        return complain("cannot make a temporary file");
    fflush(NULL);
    job->pid = fork();
    if (job->pid == 0)
        become(batch, job, item);
    return job->pid > 0 ? 0 : complain("cannot start a process");
}

/* Waits for any of the jobs in [0, started). */
static void await(struct job *jobs, int started) {
    int status;
    pid_t pid = waitpid(-1, &status, 0);
    for (int i = 0; i < started; ++i) {
        if (jobs[i].pid != pid || jobs[i].ended)
            continue;
        jobs[i].ended = true;
        jobs[i].status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }
}

static void finish(const struct batch *batch, struct job *job, int item) {
    rewind(job->output);
    rewind(job->errors);
    batch->finish(batch->data, item, job->status, job->output, job->errors);
    fclose(job->output);
    fclose(job->errors);
}

int batch_run(const struct batch *batch) {
    struct job *jobs = calloc((size_t)batch->count + 1, sizeof *jobs);
    int started = 0, finished = 0, running = 0, failed = 0;
    while (jobs && finished < batch->count && (!failed || running > 0)) {
        while (!failed && started < batch->count && running < batch->workers) {
            failed = start(batch, &jobs[started], started);
            running += !failed;
            started += !failed;
        }
        if (running == 0)
            break;
        await(jobs, started);
        --running;
        for (; finished < started && jobs[finished].ended; ++finished)
            finish(batch, &jobs[finished], finished);
    }
    free(jobs);
    return jobs && !failed ? 0 : -1;
}

void batch_copy(FILE *from, FILE *to) {
    char block[65536];
    size_t got;
    while ((got = fread(block, 1, sizeof block, from)) > 0)
        fwrite(block, 1, got, to);
    fflush(to);
}
