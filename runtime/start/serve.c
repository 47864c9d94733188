/* Ranks above 0: what they do as rank 0 says. */
#include "runtime/base/commands.h"
#include "runtime/start/driver.h"

#include "runtime/device/device.h"
#include "runtime/inspect/remote.h"
#include "runtime/report/trace.h"
#include "runtime/share/balance.h"
#include "runtime/share/collect.h"
#include "runtime/share/load.h"
#include "runtime/share/sharing.h"
#include "runtime/start/summary.h"

void orrery_command_serve(void *data, int command, const void *payload, size_t bytes) {
    (void)data;
    switch (command) {
    case ORRERY_COMMAND_REGION:
        orrery_share_serve_region(payload, bytes);
        break;
    case ORRERY_COMMAND_FORGET:
        orrery_share_serve_forget(payload, bytes);
        break;
    case ORRERY_COMMAND_END:
        orrery_trace_write();
        orrery_device_count_report();
        orrery_stats_collect();
        break;
    case ORRERY_COMMAND_LOAD:
        orrery_load_serve(payload, bytes);
        break;
    case ORRERY_COMMAND_DEAL:
        orrery_balance_serve(payload, bytes);
        break;
    case ORRERY_COMMAND_INSPECT:
        orrery_remote_serve(payload, bytes);
        break;
    default:
        orrery_share_refuse("rank 0 sent a command that there is not");
    }
}
