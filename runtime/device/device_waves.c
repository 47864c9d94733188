/*
 * A wavefront on the devices of several ranks: a launch for each of the rank's panels, to which
 * messages come while it runs, and from which they go. Where messages are many small pieces of
 * memory a launch for each stretch of columns, between which pieces that are near each other are
 * one copy.
 */
#include "runtime/device/device_there.h"

#include "runtime/base/env.h"
#include "runtime/execute/panels.h"
#include "runtime/region/region.h"

#include "dsm/dsm.h"

#include <string.h>

/* Less than a page: bytes between are on pages that this rank has. */
enum { PANEL_GAP = 4095 };

/* `to` stands for the memory at `low`; NULL: it is that memory. */
struct waving {
    struct orrery_device_parts *parts;
    char *to;
    const char *low;
    bool in, only_apart;
};

static void panel_stretch(void *data, char *low, size_t bytes, bool whole) {
    const struct waving *waving = data;
    if (waving->to)
        orrery_device_parts_read(waving->parts, low, bytes, waving->to + (low - waving->low));
    else if (!waving->only_apart || !whole)
        orrery_device_parts_bytes(waving->parts, low, bytes, waving->in);
}

static void panel_out(void *data, const struct orrery_places *places, const struct orrery_set *set,
                      bool only_apart) {
    struct waving waving = {.parts = data, .only_apart = only_apart};
    orrery_places_each(places, set, PANEL_GAP, false, panel_stretch, &waving);
}

static void panel_in(void *data, const struct orrery_places *places, const struct orrery_set *set) {
    struct waving waving = {.parts = data, .in = true};
    orrery_places_each(places, set, PANEL_GAP, false, panel_stretch, &waving);
}

static void panel_in_alone(void *data, const struct orrery_places *places,
                           const struct orrery_set *set) {
    struct waving waving = {.parts = data, .in = true};
    orrery_places_each(places, set, 0, false, panel_stretch, &waving);
}

static void panel_read(void *data, const struct orrery_places *places, const struct orrery_set *set,
                       char *to, const char *low) {
    struct waving waving = {.parts = data, .to = to, .low = low};
    orrery_places_each(places, set, PANEL_GAP, false, panel_stretch, &waving);
}

/* Of what has changed on rank 0 all that the panels touch. Bytes between those of any set that
 * moves come along as well, so that they are there. */
static void panel_load(struct orrery_device_parts *parts, const struct orrery_panels *panels) {
    struct waving waving = {.parts = parts, .in = true};
    struct orrery_set changed = orrery_panels_changed(panels, &panels->mine.touched, true);
    const struct orrery_set *load = orrery_env()->gpu_stay ? &changed : &panels->mine.touched;
    orrery_places_each(&panels->places, load, PANEL_GAP, true, panel_stretch, &waving);
    orrery_set_free(&changed);
}

/* ---- a launch for each stretch --------------------------------------------------------------- */

static void launch(const struct orrery_on_device *there, const struct orrery_kernel_job *job) {
    there->device->launch(&there->kernel, job, there->warps);
    orrery_device_launched();
}

static void ended(const struct orrery_on_device *there, const struct orrery_region *region) {
    there->device->sync();
    orrery_device_ended(region->where);
}

static void stretches_run(const struct orrery_on_device *there, struct orrery_region *region,
                          struct orrery_kernel_job *job, int panel) {
    struct orrery_panels *panels = region->panels;
    job->pace = 0;
    for (long s = panels->first[panel]; s < panels->end[panel]; ++s) {
        long end = (s + 1) * panels->pace, columns = region->blocks.columns;
        orrery_panels_take(panels, panel, s);
        job->clock_low = s * panels->pace;
        job->clock_high = end < columns ? end : columns;
        launch(there, job);
        ended(there, region);
        orrery_panels_tell(panels, panel, s);
    }
}

/* ---- a launch for all of them ---------------------------------------------------------------- */

static void piece_count(void *data, char *low, size_t bytes, bool whole) {
    (void)low;
    (void)bytes;
    (void)whole;
    ++*(long *)data;
}

/* While a kernel runs a message goes to the device without what lies between: is that about as many
 * copies, for all messages that may come? */
static bool comes_alone(const struct orrery_panels *panels, int panel) {
    enum { MORE = 8 };
    for (int i = panels->taken; i < panels->nin && panels->in[i].panel < panel; ++i) {
        long alone = 0, joined = 0;
        if (panels->in[i].done)
            continue;
        orrery_places_each(&panels->places, &panels->in[i].set, 0, false, piece_count, &alone);
        orrery_places_each(&panels->places, &panels->in[i].set, PANEL_GAP, false, piece_count,
                           &joined);
        if (alone > joined + MORE)
            return false;
    }
    return true;
}

static bool is_done(const struct orrery_kernel_job *job, long stretch) {
    long end = (stretch + 1) * job->pace;
    long done = (long)__atomic_load_n(job->left, __ATOMIC_ACQUIRE);
    return done >= (end < job->clock_high ? end : job->clock_high);
}

/* The rows wait for each stretch until its messages are there, the host for each until it is done.
 * Nobody waits for this rank in vain: no message hangs on one that this loop has not looked for. */
static void panel_attend(const struct orrery_on_device *there, struct orrery_panels *panels,
                         int panel, const struct orrery_kernel_job *job, unsigned *here) {
    long arrived = panels->first[panel], told = arrived, end = panels->end[panel];
    for (bool runs = true; runs || told < end;) {
        runs = runs && !there->device->poll();
        while (arrived < end && orrery_panels_arrive(panels, panel, arrived))
            __atomic_store_n(&here[arrived++], 1, __ATOMIC_RELEASE);
        while (told < end && is_done(job, told))
            orrery_panels_tell(panels, panel, told++);
    }
}

static void panel_run(const struct orrery_on_device *there, struct orrery_region *region,
                      struct orrery_kernel_job *job, int panel) {
    struct orrery_panels *panels = region->panels;
    size_t bytes = (size_t)(panels->stretches + 1) * sizeof(unsigned);
    unsigned *here = there->device->shared_alloc(bytes);
    unsigned *left = there->device->shared_alloc(sizeof *left);
    long end = panels->end[panel] * panels->pace, columns = region->blocks.columns;
    job->pace = panels->pace;
    job->here = here;
    job->left = left;
    job->clock_low = panels->first[panel] * panels->pace;
    job->clock_high = end < columns ? end : columns;
    launch(there, job);
    panel_attend(there, panels, panel, job, here);
    ended(there, region);
    there->device->shared_free(here);
    there->device->shared_free(left);
    job->here = NULL;
    job->left = NULL;
}

void orrery_device_waves_run(const struct orrery_on_device *there, struct orrery_region *region,
                             struct orrery_kernel_job *job) {
    struct orrery_panels *panels = region->panels;
    panel_load(there->parts, panels);
    panels->device = (struct orrery_panels_device){panel_out, panel_in, panel_in_alone, panel_read,
                                                   there->parts};
    for (int panel = dsm_rank(); panel < panels->npanels; panel += dsm_ranks()) {
        job->panel_low = panels->cuts[panel];
        job->panel_high = panels->cuts[panel + 1];
        if (job->panel_low == job->panel_high || panels->first[panel] >= panels->end[panel])
            continue;
        if (comes_alone(panels, panel))
            panel_run(there, region, job, panel);
        else
            stretches_run(there, region, job, panel);
    }
    panel_out(there->parts, &panels->places, &panels->mine.home, false);
}
