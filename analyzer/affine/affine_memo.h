/*
 * Answers that were given before, for as long as the process runs: loops of one file often pose the
 * very same question. A question is all that its answer depends on, as numbers.
 */
#ifndef ORRERY_ANALYZER_AFFINE_MEMO_H
#define ORRERY_ANALYZER_AFFINE_MEMO_H

#include "analyzer/linear.h"

struct memo_question {
    int count, capacity;
    long *numbers;
};

void memo_number(struct memo_question *question, long number);
void memo_system(struct memo_question *question, const struct linear_system *system);
void memo_form(struct memo_question *question, const struct linear_form *form);

/* Fills in answer and ranges (`nranges` of them) when the question was answered before. */
bool memo_find(const struct memo_question *question, enum linear_answer *answer, int nranges,
               struct linear_range *ranges);

/* Keeps the answer, unless so many are kept that it is not worth it; the question is used up. */
void memo_keep(struct memo_question *question, enum linear_answer answer, int nranges,
               const struct linear_range *ranges);

void memo_drop(struct memo_question *question);

#endif
