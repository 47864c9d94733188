#include "analyzer/affine/affine_memo.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

enum { MAX_NUMBERS = 1 << 22 };

struct memo {
    UT_hash_handle hh;
    long *question;
    enum linear_answer answer;
    struct linear_range *ranges;
};

static struct memo *memos;
static long kept;

static void *grown(void *old, size_t size) {
    void *memory = realloc(old, size);
    if (!memory)
        abort();
    return memory;
}

void memo_number(struct memo_question *question, long number) {
    if (question->count == question->capacity) {
        question->capacity = question->capacity ? 2 * question->capacity : 256;
        question->numbers =
            grown(question->numbers, (size_t)question->capacity * sizeof *question->numbers);
    }
    question->numbers[question->count++] = number;
}

void memo_form(struct memo_question *question, const struct linear_form *form) {
    memo_number(question, form->constant);
    memo_number(question, form->nterms);
    for (int i = 0; i < form->nterms; ++i) {
        memo_number(question, form->terms[i].var);
        memo_number(question, form->terms[i].coeff);
    }
}

static void memo_rows(struct memo_question *question, int nrows, const struct linear_row *rows) {
    memo_number(question, nrows);
    for (int i = 0; i < nrows; ++i) {
        memo_number(question, rows[i].equality);
        memo_form(question, &rows[i].form);
    }
}

void memo_system(struct memo_question *question, const struct linear_system *system) {
    memo_number(question, system->nvars);
    memo_rows(question, system->nrows, system->rows);
    memo_number(question, system->nclauses);
    for (int i = 0; i < system->nclauses; ++i)
        memo_rows(question, system->clauses[i].nrows, system->clauses[i].rows);
}

static size_t bytes_of(const struct memo_question *question) {
    return (size_t)question->count * sizeof *question->numbers;
}

bool memo_find(const struct memo_question *question, enum linear_answer *answer, int nranges,
               struct linear_range *ranges) {
    struct memo *memo;
    HASH_FIND(hh, memos, question->numbers, bytes_of(question), memo);
    if (!memo)
        return false;
    *answer = memo->answer;
    if (nranges > 0)
        memcpy(ranges, memo->ranges, (size_t)nranges * sizeof *ranges);
    return true;
}

void memo_keep(struct memo_question *question, enum linear_answer answer, int nranges,
               const struct linear_range *ranges) {
    if (kept + question->count > MAX_NUMBERS) {
        memo_drop(question);
        return;
    }
    struct memo *memo = grown(NULL, sizeof *memo);
    *memo =
        (struct memo){.question = grown(question->numbers, bytes_of(question)), .answer = answer};
    if (nranges > 0) {
        memo->ranges = grown(NULL, (size_t)nranges * sizeof *ranges);
        memcpy(memo->ranges, ranges, (size_t)nranges * sizeof *ranges);
    }
    kept += question->count;
    HASH_ADD_KEYPTR(hh, memos, memo->question, bytes_of(question), memo);
    *question = (struct memo_question){0};
}

void memo_drop(struct memo_question *question) {
    free(question->numbers);
    *question = (struct memo_question){0};
}
