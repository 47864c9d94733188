/* Windows: ranks that have the chunks which rank 0 does not hold, in depots. */
#include "dsm/arrays/window.h"

#include <limits.h>
#include <string.h>

static void depot_drop(struct dsm_window *window) {
    dsm_windows_count(-(long)dsm_window_depot_end(window));
    dsm_window_unlist(window);
    dsm_own_free(window);
}

/* Chunks that are there, of a block that is one. */
static bool is_right(const struct dsm_window_order *order) {
    const struct dsm_window_name *name = &order->window;
    const struct dsm_window *known = dsm_window_numbered(name->number);
    bool right = name->number > 0 && name->chunk > 0 && name->bytes >= name->chunk &&
                 name->bytes / name->chunk < INT_MAX && order->count >= 0 &&
                 order->count <= (int)(sizeof order->chunks / sizeof *order->chunks) &&
                 (!known || ((known->bytes == name->bytes || order->what == DSM_WINDOW_RESIZE) &&
                             known->chunk == name->chunk));
    for (int i = 0; right && i < order->count; ++i)
        right =
            order->chunks[i] >= 0 && (size_t)order->chunks[i] <= (name->bytes - 1) / name->chunk;
    return right && order->what >= DSM_WINDOW_PUT && order->what <= DSM_WINDOW_DROP;
}

bool dsm_window_serve(const void *payload, size_t bytes) {
    struct dsm_window_order order;
    struct dsm_request *requests[DSM_WINDOW_LISTED];
    int n = 0;
    if (bytes != sizeof order)
        return false;
    memcpy(&order, payload, sizeof order);
    if (!is_right(&order))
        dsm_malformed(0, "window %d has not got the chunks that it names", order.window.number);
    struct dsm_window *window = dsm_window_numbered(order.window.number);
    if (!window)
        window = dsm_window_named(order.window);
    bool moves = order.what == DSM_WINDOW_PUT || order.what == DSM_WINDOW_GET;
    if (order.what == DSM_WINDOW_DROP)
        depot_drop(window);
    else if (order.what == DSM_WINDOW_RESIZE)
        dsm_windows_count(dsm_window_depot_resize(window, order.window.bytes));
    for (int i = 0; i < order.count && moves; ++i) {
        long c = order.chunks[i];
        if (dsm_window_owner(c) != dsm_world.rank)
            continue;
        char *at = dsm_window_memory(window, c);
        size_t length = dsm_window_length(window, c);
        if (order.what == DSM_WINDOW_PUT)
            dsm_window_enter(window, c);
        requests[n++] = order.what == DSM_WINDOW_PUT
                            ? dsm_message_receive(DSM_BULK, 0, DSM_TAG_CHUNK, at, length)
                            : dsm_message_send(DSM_BULK, 0, DSM_TAG_CHUNK, at, length);
    }
    dsm_window_waits(requests, n);
    return true;
}
