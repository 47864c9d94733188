/* ORRERY_DEBUG=serve=element: a message and its answer for every element, as a rank without lists
 * would have to ask. For measuring what lists are worth. */
#include "runtime/merge/serve_private.h"

#include "runtime/base/commands.h"

#include <sched.h>
#include <string.h>

/* ENDS: the rank has asked for all it needs. */
enum { ENDS = UINT32_MAX };

struct question {
    uint32_t array, at;
};

/* Per rank: its next question, while it has some. */
struct asking {
    struct orrery_serve *serve;
    struct question *questions;
    struct dsm_request **coming;
    int left;
};

static void answer(struct asking *asking, int rank) {
    const struct question *question = &asking->questions[rank];
    asking->coming[rank] = NULL;
    if (question->array == ENDS) {
        --asking->left;
        return;
    }
    const struct orrery_served_array *array = &asking->serve->arrays[question->array];
    dsm_send(rank, ORRERY_TAG_ANSWER,
             array->base + (array->first[dsm_rank()] + question->at) * array->size, array->size);
    asking->coming[rank] =
        dsm_receive_start(rank, ORRERY_TAG_QUESTION, &asking->questions[rank], sizeof *question);
}

static void answer_all(struct asking *asking) {
    for (int rank = 0; rank < dsm_ranks(); ++rank)
        if (asking->coming[rank] && dsm_test(asking->coming[rank]))
            answer(asking, rank);
    sched_yield();
}

static void ask(struct asking *asking, int a, size_t element, int owner, char *to) {
    const struct orrery_served_array *array = &asking->serve->arrays[a];
    struct question question = {(uint32_t)a, (uint32_t)(element - array->first[owner])};
    struct dsm_request *reply = dsm_receive_start(owner, ORRERY_TAG_ANSWER, to, array->size);
    dsm_send(owner, ORRERY_TAG_QUESTION, &question, sizeof question);
    while (!dsm_test(reply))
        answer_all(asking);
}

static void ask_all(struct asking *asking, long p) {
    for (int a = 0; a < asking->serve->narrays; ++a) {
        const struct orrery_served_array *array = &asking->serve->arrays[a];
        int owner = 0;
        for (size_t k = array->mine.starts[p]; k < array->mine.starts[p + 1]; ++k) {
            size_t element = array->mine.at[k];
            char *to = array->next + (k - array->mine.starts[p]) * array->size;
            while (element >= array->first[owner + 1])
                ++owner;
            if (owner == dsm_rank())
                memcpy(to, array->base + element * array->size, array->size);
            else
                ask(asking, a, element, owner, to);
        }
    }
}

void orrery_serve_one_by_one(struct orrery_serve *serve, long p) {
    int ranks = dsm_ranks();
    struct question questions[ranks], end = {ENDS, 0};
    struct dsm_request *coming[ranks];
    struct asking asking = {serve, questions, coming, ranks - 1};
    for (int rank = 0; rank < ranks; ++rank)
        coming[rank] = rank == dsm_rank() ? NULL
                                          : dsm_receive_start(rank, ORRERY_TAG_QUESTION,
                                                              &questions[rank], sizeof end);
    ask_all(&asking, p);
    for (int rank = 0; rank < ranks; ++rank)
        if (rank != dsm_rank())
            dsm_send(rank, ORRERY_TAG_QUESTION, &end, sizeof end);
    while (asking.left > 0)
        answer_all(&asking);
}
