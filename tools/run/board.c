#define _GNU_SOURCE
#include "tools/run/board.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void path_of(const struct boards *boards, int rank, char path[4096]) {
    snprintf(path, 4096, "%s/rank-%d", boards->folder, rank);
}

static void clear(const struct boards *boards) {
    char path[4096];
    for (int rank = 0; rank < boards->ranks; ++rank) {
        path_of(boards, rank, path);
        unlink(path);
    }
}

void boards_start(struct boards *boards, const char *folder, long ranks, bool here) {
    size_t count = ranks > 0 ? (size_t)ranks : 1;
    *boards = (struct boards){.folder = folder, .ranks = (int)count, .here = here};
    boards->last = calloc(count, sizeof *boards->last);
    boards->since = calloc(count, sizeof *boards->since);
    if (!boards->last || !boards->since || (mkdir(folder, 0777) != 0 && errno != EEXIST))
        boards->ranks = 0;
    clear(boards);
}

void boards_end(struct boards *boards) {
    if (boards->folder) {
        clear(boards);
        rmdir(boards->folder);
    }
    free(boards->last);
    free(boards->since);
    *boards = (struct boards){0};
}

static bool board_read(const struct boards *boards, int rank, struct orrery_board *board) {
    char path[4096];
    path_of(boards, rank, path);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return false;
    ssize_t got = pread(file, board, sizeof *board, 0);
    close(file);
    board->host[sizeof board->host - 1] = board->where[sizeof board->where - 1] = '\0';
    return got == sizeof *board && board->magic == ORRERY_BOARD_MAGIC;
}

/* Gone, or waiting to be reaped. Process numbers mean something on this machine only. */
static bool is_gone(const struct orrery_board *board) {
    char path[64], host[64] = "", text[512];
    gethostname(host, sizeof host - 1);
    if (strcmp(host, board->host) != 0)
        return false;
    snprintf(path, sizeof path, "/proc/%u/stat", board->pid);
    FILE *in = fopen(path, "r");
    if (!in)
        return true;
    size_t got = fread(text, 1, sizeof text - 1, in);
    fclose(in);
    text[got] = '\0';
    const char *state = strrchr(text, ')');
    return !state || state[1] == '\0' || state[2] == 'Z' || state[2] == 'X';
}

void boards_read(struct boards *boards, double now) {
    for (int rank = 0; rank < boards->ranks; ++rank) {
        struct orrery_board board;
        if (!board_read(boards, rank, &board))
            continue;
        if (board.beat != boards->last[rank].beat || boards->since[rank] == 0)
            boards->since[rank] = now;
        boards->last[rank] = board;
        boards->finished |= rank == 0 && board.phase == ORRERY_PHASE_OVER;
    }
}

static enum board_loss loss_of(const struct boards *boards, int rank, double now) {
    if (boards->since[rank] == 0)
        return boards->here && now - boards->started > BOARD_START ? BOARD_NOT_UP : BOARD_NO_LOSS;
    if (boards->last[rank].phase == ORRERY_PHASE_OVER)
        return BOARD_NO_LOSS;
    if (is_gone(&boards->last[rank]))
        return BOARD_DEAD;
    return now - boards->since[rank] > BOARD_SILENCE ? BOARD_SILENT : BOARD_NO_LOSS;
}

static int lost_first(const struct boards *boards, double now, enum board_loss *loss) {
    *loss = BOARD_NO_LOSS;
    for (int rank = 0; rank < boards->ranks && !boards->finished; ++rank)
        if ((*loss = loss_of(boards, rank, now)) != BOARD_NO_LOSS)
            return rank;
    return -1;
}

/* Who is gone is looked for again in boards that were read after it went: its own and rank 0's may
 * have come to say that it was in order. */
int boards_look(struct boards *boards, double now, enum board_loss *loss) {
    boards->started = boards->started > 0 ? boards->started : now;
    boards_read(boards, now);
    if (lost_first(boards, now, loss) < 0)
        return -1;
    boards_read(boards, now);
    return lost_first(boards, now, loss);
}

static const char *phase_text(unsigned phase) {
    static const char *const texts[] = {
        "in the program's own code",
        "inspecting the data",
        "in a pass",
        "merging",
        "writing a checkpoint",
        "between two passes",
        "at the end of it",
        "after the end of it",
    };
    return phase < sizeof texts / sizeof *texts ? texts[phase] : "somewhere";
}

void boards_describe(const struct boards *boards, int rank, char *text, size_t size) {
    const struct orrery_board *board = rank < boards->ranks ? &boards->last[rank] : NULL;
    if (!board || board->magic != ORRERY_BOARD_MAGIC) {
        snprintf(text, size, "rank %d", rank);
        return;
    }
    int used =
        snprintf(text, size, "rank %d on %s, %s", rank, board->host, phase_text(board->phase));
    const struct orrery_board *leader = &boards->last[0];
    if (board->where[0])
        used += snprintf(text + used, size - (size_t)used, ", loop %s", board->where);
    if (leader->pass > 0)
        used += snprintf(text + used, size - (size_t)used, ", pass %ld", (long)leader->pass);
    if (board->row >= 0)
        snprintf(text + used, size - (size_t)used, ", block (%ld, %ld)", (long)board->row,
                 (long)board->column);
}
