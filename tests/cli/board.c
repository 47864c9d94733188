/* What `orrery run` finds of the ranks' boards: dead, silent, never come up; with times given. */
#define _GNU_SOURCE
#include "tools/run/board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[] = "/tmp/orrery-board-XXXXXX";

static void write_board(int rank, pid_t process, uint64_t beat, enum orrery_phase phase) {
    char path[4096];
    struct orrery_board board = {.magic = ORRERY_BOARD_MAGIC,
                                 .rank = (uint32_t)rank,
                                 .pid = (uint32_t)process,
                                 .beat = beat,
                                 .phase = phase};
    gethostname(board.host, sizeof board.host - 1);
    snprintf(path, sizeof path, "%s/rank-%d", folder, rank);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    assert_int_equal(fwrite(&board, sizeof board, 1, out), 1);
    assert_int_equal(fclose(out), 0);
}

/* A process that is no more. */
static pid_t ended(void) {
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    waitpid(child, NULL, 0);
    return child;
}

static void expect(struct boards *boards, double now, int rank, enum board_loss loss) {
    enum board_loss found;
    assert_int_equal(boards_look(boards, now, &found), rank);
    assert_int_equal(found, loss);
}

static void dead(void **state) {
    (void)state;
    struct boards boards;
    boards_start(&boards, folder, 2, true);
    write_board(0, getpid(), 1, ORRERY_PHASE_PASS);
    write_board(1, getpid(), 1, ORRERY_PHASE_PASS);
    expect(&boards, 100, -1, BOARD_NO_LOSS);
    write_board(1, ended(), 2, ORRERY_PHASE_PASS);
    expect(&boards, 101, 1, BOARD_DEAD);
    boards_end(&boards);
}

static void silent(void **state) {
    (void)state;
    struct boards boards;
    boards_start(&boards, folder, 2, true);
    for (int beat = 1; beat < 9; ++beat) {
        write_board(0, getpid(), (uint64_t)beat, ORRERY_PHASE_PASS);
        write_board(1, getpid(), 1, ORRERY_PHASE_PASS);
        bool over = beat - 1 > BOARD_SILENCE;
        expect(&boards, 100 + beat, over ? 1 : -1, over ? BOARD_SILENT : BOARD_NO_LOSS);
    }
    boards_end(&boards);
}

static void not_up(void **state) {
    (void)state;
    struct boards boards;
    uint64_t beat = 0;
    boards_start(&boards, folder, 2, true);
    for (double now = 100; now <= 100 + BOARD_START; ++now) {
        write_board(0, getpid(), ++beat, ORRERY_PHASE_SERIAL);
        expect(&boards, now, -1, BOARD_NO_LOSS);
    }
    write_board(0, getpid(), ++beat, ORRERY_PHASE_SERIAL);
    expect(&boards, 101 + BOARD_START, 1, BOARD_NOT_UP);
    boards_end(&boards);
}

/* Ranks of other machines may write their boards where nobody here sees them. */
static void elsewhere(void **state) {
    (void)state;
    struct boards boards;
    boards_start(&boards, folder, 2, false);
    expect(&boards, 100, -1, BOARD_NO_LOSS);
    expect(&boards, 1000, -1, BOARD_NO_LOSS);
    boards_end(&boards);
}

/* Rank 0 has left the job: nobody is missed. */
static void finished(void **state) {
    (void)state;
    struct boards boards;
    boards_start(&boards, folder, 2, true);
    write_board(0, ended(), 1, ORRERY_PHASE_OVER);
    write_board(1, ended(), 1, ORRERY_PHASE_END);
    expect(&boards, 100, -1, BOARD_NO_LOSS);
    boards_end(&boards);
}

/* A rank killed at the end is missed, one that has left the job is not, nor is its beat. */
static void at_the_end(void **state) {
    (void)state;
    struct boards boards;
    boards_start(&boards, folder, 2, true);
    for (int beat = 1; beat < BOARD_SILENCE + 3; ++beat) {
        write_board(0, getpid(), (uint64_t)beat, ORRERY_PHASE_END);
        write_board(1, ended(), 1, ORRERY_PHASE_OVER);
        expect(&boards, 100 + beat, -1, BOARD_NO_LOSS);
    }
    write_board(0, ended(), 100, ORRERY_PHASE_END);
    expect(&boards, 110, 0, BOARD_DEAD);
    boards_end(&boards);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dead),      cmocka_unit_test(silent),   cmocka_unit_test(not_up),
        cmocka_unit_test(elsewhere), cmocka_unit_test(finished), cmocka_unit_test(at_the_end),
    };
    if (!mkdtemp(folder))
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
