/* Parts in motion between ranks. */
#include "dsm/array.h"

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

struct dsm_request *dsm_part_send(struct dsm_array *array, int part, int to, int tag) {
    part_check(array, part, "send");
    if (array->alone || to == dsm_world.rank) {
        return nothing();
    }
    if (dsm_part_state(array, part) != DSM_PART_PRESENT) {
        state_fail(array, part, "send");
    }
    size_t bytes = part_bytes(array, part);
    dsm_part_set(array, part, DSM_PART_ABSENT);
    if (bytes == 0) {
        return nothing();
    }
    long begin = array->layout.cuts[part], end = array->layout.cuts[part + 1];
    char *buffer = array->view ? NULL : dsm_own_alloc(bytes);
    if (buffer) {
        dsm_rows_pack(array, begin, end, buffer);
    }
    const char *data = buffer ? buffer : dsm_row_store(array, begin);
    struct dsm_request *request =
        stays(array, to) ? dsm_message_send(DSM_PARTS, to, tag, &array->tokens[part], 1)
                         : dsm_message_send(DSM_PARTS, to, tag, data, bytes);
    request->done = part_left;
    request->array = array;
    request->part = part;
    request->buffer = buffer;
    return request;
}

struct dsm_request *dsm_part_receive(struct dsm_array *array, int part, int from, int tag) {
    part_check(array, part, "receive");
    if (array->alone || from == dsm_world.rank) {
        return nothing();
    }
    if (dsm_part_state(array, part) != DSM_PART_ABSENT) {
        state_fail(array, part, "receive");
    }
    size_t bytes = part_bytes(array, part);
    dsm_part_set(array, part, bytes ? DSM_PART_ARRIVING : DSM_PART_PRESENT);
    if (bytes == 0) {
        return nothing();
    }
    dsm_store_hold(array, part);
    char *buffer = array->view ? NULL : dsm_own_alloc(bytes);
    char *data = buffer ? buffer : dsm_row_store(array, array->layout.cuts[part]);
    struct dsm_request *request =
        stays(array, from) ? dsm_message_receive(DSM_PARTS, from, tag, &array->tokens[part], 1)
                           : dsm_message_receive(DSM_PARTS, from, tag, data, bytes);
    request->done = part_arrived;
    request->array = array;
    request->part = part;
    request->buffer = buffer;
    return request;
}
