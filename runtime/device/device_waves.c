/*
 * A wavefront on the devices of several ranks: a launch for each of the rank's bands, to which
 * messages come while it runs, and from which they go. Where messages are many small pieces of
 * memory a launch for each stretch of columns, between which pieces that are near each other are
 * one copy.
 */
#include "runtime/device/device_there.h"

#include "runtime/base/env.h"
#include "runtime/execute/bands.h"
#include "runtime/region/region.h"

#include "dsm/dsm.h"

#include <string.h>

/* Less than a page: bytes between are on pages that this rank has. */
enum { BAND_GAP = 4095 };

/* `to` stands for the memory at `low`; NULL: it is that memory. */
struct waving {
    struct orrery_device_parts *parts;
    char *to;
    const char *low;
    bool in, only_apart;
};

static void band_stretch(void *data, char *low, size_t bytes, bool whole) {
    const struct waving *waving = data;
    if (waving->to)
        orrery_device_parts_read(waving->parts, low, bytes, waving->to + (low - waving->low));
    else if (!waving->only_apart || !whole)
        orrery_device_parts_bytes(waving->parts, low, bytes, waving->in);
}

static void band_out(void *data, const struct orrery_places *places, const struct orrery_set *set,
                     bool only_apart) {
    struct waving waving = {.parts = data, .only_apart = only_apart};
    orrery_places_each(places, set, BAND_GAP, false, band_stretch, &waving);
}

static void band_in(void *data, const struct orrery_places *places, const struct orrery_set *set) {
    struct waving waving = {.parts = data, .in = true};
    orrery_places_each(places, set, BAND_GAP, false, band_stretch, &waving);
}

static void band_in_alone(void *data, const struct orrery_places *places,
                          const struct orrery_set *set) {
    struct waving waving = {.parts = data, .in = true};
    orrery_places_each(places, set, 0, false, band_stretch, &waving);
}

static void band_read(void *data, const struct orrery_places *places, const struct orrery_set *set,
                      char *to, const char *low) {
    struct waving waving = {.parts = data, .to = to, .low = low};
    orrery_places_each(places, set, BAND_GAP, false, band_stretch, &waving);
}

/* Of what has changed on rank 0 all that the bands touch. Bytes between those of any set that moves
 * come along as well, so that they are there. */
static void band_load(struct orrery_device_parts *parts, const struct orrery_bands *bands) {
    struct waving waving = {.parts = parts, .in = true};
    struct orrery_set changed = orrery_bands_changed(bands, &bands->mine.touched, true);
    const struct orrery_set *load = orrery_env()->gpu_stay ? &changed : &bands->mine.touched;
    orrery_places_each(&bands->places, load, BAND_GAP, true, band_stretch, &waving);
    orrery_set_free(&changed);
}

/* ---- a launch for each stretch ---- */

static void launch(const struct orrery_on_device *there, const struct orrery_kernel_job *job) {
    there->device->launch(&there->kernel, job, there->warps);
    orrery_device_launched();
}

static void ended(const struct orrery_on_device *there, const struct orrery_region *region) {
    there->device->sync();
    orrery_device_ended(region->where);
}

static void stretches_run(const struct orrery_on_device *there, struct orrery_region *region,
                          struct orrery_kernel_job *job, int band) {
    struct orrery_bands *bands = region->bands;
    job->pace = 0;
    for (long s = bands->first[band]; s < bands->end[band]; ++s) {
        long end = (s + 1) * bands->pace, columns = region->blocks.columns;
        orrery_bands_take(bands, band, s);
        job->clock_low = s * bands->pace;
        job->clock_high = end < columns ? end : columns;
        launch(there, job);
        ended(there, region);
        orrery_bands_tell(bands, band, s);
    }
}

/* ---- a launch for all of them ---- */

static void piece_count(void *data, char *low, size_t bytes, bool whole) {
    (void)low;
    (void)bytes;
    (void)whole;
    ++*(long *)data;
}

/* While a kernel runs a message goes to the device without what lies between: is that about as many
 * copies, for all messages that may come? */
static bool comes_alone(const struct orrery_bands *bands, int band) {
    enum { MORE = 8 };
    for (int i = bands->taken; i < bands->nin && bands->in[i].band < band; ++i) {
        long alone = 0, joined = 0;
        if (bands->in[i].done)
            continue;
        orrery_places_each(&bands->places, &bands->in[i].set, 0, false, piece_count, &alone);
        orrery_places_each(&bands->places, &bands->in[i].set, BAND_GAP, false, piece_count,
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
static void band_attend(const struct orrery_on_device *there, struct orrery_bands *bands, int band,
                        const struct orrery_kernel_job *job, unsigned *here) {
    long arrived = bands->first[band], told = arrived, end = bands->end[band];
    for (bool runs = true; runs || told < end;) {
        runs = runs && !there->device->poll();
        while (arrived < end && orrery_bands_arrive(bands, band, arrived))
            __atomic_store_n(&here[arrived++], 1, __ATOMIC_RELEASE);
        while (told < end && is_done(job, told))
            orrery_bands_tell(bands, band, told++);
    }
}

static void band_run(const struct orrery_on_device *there, struct orrery_region *region,
                     struct orrery_kernel_job *job, int band) {
    struct orrery_bands *bands = region->bands;
    size_t bytes = (size_t)(bands->stretches + 1) * sizeof(unsigned);
    unsigned *here = there->device->shared_alloc(bytes);
    unsigned *left = there->device->shared_alloc(sizeof *left);
    long end = bands->end[band] * bands->pace, columns = region->blocks.columns;
    job->pace = bands->pace;
    job->here = here;
    job->left = left;
    job->clock_low = bands->first[band] * bands->pace;
    job->clock_high = end < columns ? end : columns;
    launch(there, job);
    band_attend(there, bands, band, job, here);
    ended(there, region);
    there->device->shared_free(here);
    there->device->shared_free(left);
    job->here = NULL;
    job->left = NULL;
}

void orrery_device_waves_run(const struct orrery_on_device *there, struct orrery_region *region,
                             struct orrery_kernel_job *job) {
    struct orrery_bands *bands = region->bands;
    band_load(there->parts, bands);
    bands->device =
        (struct orrery_bands_device){band_out, band_in, band_in_alone, band_read, there->parts};
    for (int band = dsm_rank(); band < bands->nbands; band += dsm_ranks()) {
        job->band_low = bands->cuts[band];
        job->band_high = bands->cuts[band + 1];
        if (job->band_low == job->band_high || bands->first[band] >= bands->end[band])
            continue;
        if (comes_alone(bands, band))
            band_run(there, region, job, band);
        else
            stretches_run(there, region, job, band);
    }
    band_out(there->parts, &bands->places, &bands->mine.home, false);
}
