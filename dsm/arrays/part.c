/* Parts in motion between ranks. */
#include "dsm/arrays/array.h"

static void part_check(const struct dsm_array *array, int part, const char *what) {
    if (part < 0 || part >= array->layout.nparts) {
        dsm_fail(DSM_STATUS_ERROR, "array %s: %s of part %d, it has %d", array->layout.name, what,
                 part, array->layout.nparts);
    }
}

static _Noreturn void state_fail(const struct dsm_array *array, int part, const char *what) {
    static const char *const names[] = {"absent", "arriving", "present", "kept"};
    dsm_fail(DSM_STATUS_ERROR, "array %s: %s of part %d, which is %s on this rank",
             array->layout.name, what, part, names[dsm_part_state(array, part)]);
}

/* A request that is done. */
static struct dsm_request *nothing(void) {
    struct dsm_request *request = dsm_own_alloc(sizeof *request);
    *request = (struct dsm_request){.handle = NULL};
    return request;
}

static size_t part_bytes(const struct dsm_array *array, int part) {
    return (size_t)dsm_part_rows(array, part) * (size_t)array->row_bytes;
}

/* The part's rows are where `rank` sees them. */
static bool stays(const struct dsm_array *array, int rank) {
    return array->shared && dsm_shared_with(rank);
}

static void part_left(struct dsm_request *request) {
    dsm_store_drop(request->array, request->part);
    dsm_own_free(request->buffer);
}

static void part_arrived(struct dsm_request *request) {
    struct dsm_array *array = request->array;
    const long *cuts = array->layout.cuts;
    if (request->buffer) {
        dsm_rows_unpack(array, cuts[request->part], cuts[request->part + 1], request->buffer);
        dsm_own_free(request->buffer);
    }
    dsm_part_set(array, request->part, DSM_PART_PRESENT);
}

/* The message is under way; `done` when it has left, or has come. */
static struct dsm_request *started(struct dsm_request *request, struct dsm_array *array, int part,
                                   char *buffer, void (*done)(struct dsm_request *request)) {
    request->done = done;
    request->array = array;
    request->part = part;
    request->buffer = buffer;
    return request;
}

/* ---- torture: parts that are here and that no block touches now ---- */

void dsm_part_rest(struct dsm_array *array, int part) {
    part_check(array, part, "rest");
    if (!array->alone && array->view && dsm_part_state(array, part) == DSM_PART_PRESENT &&
        !atomic_exchange(&array->resting[part], 1)) {
        dsm_store_rest(array, part);
    }
}

void dsm_part_wake(struct dsm_array *array, int part) {
    part_check(array, part, "wake");
    if (!array->alone && atomic_exchange(&array->resting[part], 0))
        dsm_store_hold(array, part);
}

/* ---- from rank to rank ---- */

/* True: the part has rows, which somebody else gets; it is not this rank's any more. */
static bool part_leaves(struct dsm_array *array, int part, int to) {
    part_check(array, part, "send");
    if (array->alone || to == dsm_world.rank)
        return false;
    if (dsm_part_state(array, part) != DSM_PART_PRESENT)
        state_fail(array, part, "send");
    dsm_part_wake(array, part);
    dsm_part_set(array, part, DSM_PART_ABSENT);
    return dsm_part_rows(array, part) > 0;
}

struct dsm_request *dsm_part_send(struct dsm_array *array, int part, int to, int tag) {
    if (!part_leaves(array, part, to))
        return nothing();
    size_t bytes = part_bytes(array, part);
    long begin = array->layout.cuts[part], end = array->layout.cuts[part + 1];
    char *buffer = array->view ? NULL : dsm_own_alloc(bytes);
    if (buffer)
        dsm_rows_pack(array, begin, end, buffer);
    const char *data = buffer ? buffer : dsm_row_store(array, begin);
    struct dsm_request *request =
        stays(array, to) ? dsm_message_send(DSM_PARTS, to, tag, &array->tokens[part], 1)
                         : dsm_message_send(DSM_PARTS, to, tag, data, bytes);
    return started(request, array, part, buffer, part_left);
}

/* True: the part has rows, which come; there is room for them. */
static bool part_comes(struct dsm_array *array, int part, int from) {
    part_check(array, part, "receive");
    if (array->alone || from == dsm_world.rank)
        return false;
    if (dsm_part_state(array, part) != DSM_PART_ABSENT)
        state_fail(array, part, "receive");
    bool rows = dsm_part_rows(array, part) > 0;
    dsm_part_set(array, part, rows ? DSM_PART_ARRIVING : DSM_PART_PRESENT);
    if (rows)
        dsm_store_hold(array, part);
    return rows;
}

struct dsm_request *dsm_part_receive(struct dsm_array *array, int part, int from, int tag) {
    if (!part_comes(array, part, from))
        return nothing();
    size_t bytes = part_bytes(array, part);
    char *buffer = array->view ? NULL : dsm_own_alloc(bytes);
    char *data = buffer ? buffer : dsm_row_store(array, array->layout.cuts[part]);
    struct dsm_request *request =
        stays(array, from) ? dsm_message_receive(DSM_PARTS, from, tag, &array->tokens[part], 1)
                           : dsm_message_receive(DSM_PARTS, from, tag, data, bytes);
    return started(request, array, part, buffer, part_arrived);
}

/* ---- by way of no store ---- */

bool dsm_part_direct(const struct dsm_array *array) {
    return dsm_direct() && !array->alone && dsm_is_view(array);
}

struct dsm_request *dsm_part_send_from(struct dsm_array *array, int part, int to, int tag,
                                       const char *there) {
    if (!part_leaves(array, part, to))
        return nothing();
    return started(dsm_message_send(DSM_PARTS, to, tag, there, part_bytes(array, part)), array,
                   part, NULL, part_left);
}

struct dsm_request *dsm_part_receive_at(struct dsm_array *array, int part, int from, int tag,
                                        char *there) {
    if (!part_comes(array, part, from))
        return nothing();
    return started(dsm_message_receive(DSM_PARTS, from, tag, there, part_bytes(array, part)), array,
                   part, NULL, part_arrived);
}
