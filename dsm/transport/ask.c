/*
 * Questions: rank 0 wants bytes of which the dsm does not know where they are. Who does answers, on
 * every other rank, while that rank waits for anything (docs/dsm-protocol.md, "Lazy copies").
 */
#include "dsm/transport/messages.h"

static dsm_answer *answers;

void dsm_answer_by(dsm_answer *answer) {
    answers = answer;
}

void dsm_ask(const void *question, size_t bytes) {
    if (dsm_is_over())
        dsm_fail(DSM_STATUS_ERROR, "memory is read, which other ranks had when the job ended");
    dsm_command_own(DSM_OP_ASK, question, bytes);
}

bool dsm_ask_serve(const void *question, size_t bytes) {
    if (bytes > DSM_ASK_MOST)
        return false;
    if (!answers)
        dsm_malformed(0, "it asks what this rank cannot answer");
    answers(question, bytes);
    return true;
}
