/* Cluster files, orrery-cluster/1 (docs/simulate.md). */
#include "scheduler/cost/cost.h"
#include "scheduler/cost/read.h"

#include <math.h>
#include <string.h>

struct cost_cluster cost_cluster_here(long cores) {
    return (struct cost_cluster){.name = "this machine",
                                 .nodes = 1,
                                 .cores = cores,
                                 .beside = 1,
                                 .speed = 1,
                                 .contention = 1,
                                 .handing = 0.03e-6,
                                 .shared = true,
                                 .within = {0.5e-6, 8e9, 0.3e-6, 0, 0, 0.1e-6},
                                 .between = {15e-6, 1.2e8, 5e-6, 0, 0, 0.5e-6}};
}

/* A word that is misspelt would silently not count. NULL ends `known`. */
static void check_members(struct reader *reader, json_t *object, const char *where,
                          const char *const *known) {
    const char *name;
    json_t *value;
    json_object_foreach(object, name, value) {
        int i = 0;
        while (known[i] && strcmp(name, known[i]) != 0)
            ++i;
        if (!known[i])
            reader_complain(reader,
                            arena_printf(reader->arena, "%s%s%s", where, *where ? "." : "", name),
                            "unknown member");
    }
}

static const char *const link_members[] = {"latency_us", "gigabytes_per_s", "burst_kb",
                                           "test_us",    "overhead_us",     "overhead_us_per_mb",
                                           NULL};
/* The ends of a message are the same, however it travels. */
static const char *const way_members[] = {"latency_us", "gigabytes_per_s", "burst_kb", NULL};

static struct cost_link read_link(struct reader *reader, const json_t *root, const char *name,
                                  struct cost_link preset, const char *const *known) {
    json_t *link = json_object_get(root, name);
    if (!link)
        return preset;
    if (!json_is_object(link)) {
        reader_complain(reader, name, "not an object");
        return preset;
    }
    check_members(reader, link, name, known);
    preset.latency =
        1e-6 * reader_number(reader, link, name, "latency_us", 0, preset.latency * 1e6);
    preset.bandwidth =
        1e9 * reader_number(reader, link, name, "gigabytes_per_s", 1e-6, preset.bandwidth / 1e9);
    preset.overhead = 1e-6 * reader_number(reader, link, name, "overhead_us", 0, 0);
    preset.per_byte = 1e-12 * reader_number(reader, link, name, "overhead_us_per_mb", 0, 0);
    preset.test = 1e-6 * reader_number(reader, link, name, "test_us", 0, 0);
    preset.burst = 1e3 * reader_number(reader, link, name, "burst_kb", 0, 0);
    return preset;
}

static const char *const members[] = {"schema",
                                      "name",
                                      "nodes",
                                      "cores_per_node",
                                      "core_speed",
                                      "contention",
                                      "memory_gb",
                                      "shared_pages",
                                      "block_us",
                                      "within_node",
                                      "between_nodes",
                                      "nodes_per_switch",
                                      "between_switches",
                                      "nodes_per_computer",
                                      "gpus_per_node",
                                      "gpu_speed",
                                      "gpu_memory_gb",
                                      "gpu_link",
                                      NULL};

static long read_count(struct reader *reader, const json_t *root, const char *name, double preset) {
    double number = reader_number(reader, root, "", name, 1, preset);
    if (number != floor(number) || number > 1 << 30)
        reader_complain(reader, name, "not a whole number up to 2^30");
    return (long)number;
}

/* What one member says means nothing without the other one. */
static void goes_with(struct reader *reader, const json_t *root, const char *name,
                      const char *with) {
    if (json_object_get(root, name) && !json_object_get(root, with))
        reader_complain(reader, name,
                        arena_printf(reader->arena, "means nothing without %s", with));
}

static void read_gpus(struct reader *reader, const json_t *root, struct cost_cluster *cluster) {
    const struct cost_link preset = {.latency = 10e-6, .bandwidth = 25e9};
    const char *const about[] = {"gpu_speed", "gpu_memory_gb", "gpu_link"};
    for (int i = 0; i < 3; ++i)
        goes_with(reader, root, about[i], "gpus_per_node");
    if (!json_object_get(root, "gpus_per_node"))
        return;
    cluster->gpus = read_count(reader, root, "gpus_per_node", NAN);
    cluster->gpu_speed = reader_number(reader, root, "", "gpu_speed", 1e-3, NAN);
    cluster->gpu_memory = 1e9 * reader_number(reader, root, "", "gpu_memory_gb", 0, 0);
    cluster->gpu_link = read_link(reader, root, "gpu_link", preset, way_members);
}

static void read_switches(struct reader *reader, const json_t *root, struct cost_cluster *cluster) {
    goes_with(reader, root, "nodes_per_switch", "between_switches");
    goes_with(reader, root, "between_switches", "nodes_per_switch");
    if (!json_object_get(root, "nodes_per_switch"))
        return;
    cluster->per_switch = read_count(reader, root, "nodes_per_switch", NAN);
    cluster->across = read_link(reader, root, "between_switches", cluster->between, way_members);
}

static void read_members(struct reader *reader, json_t *root, struct cost_cluster *cluster) {
    const struct cost_cluster preset = cost_cluster_here(1);
    const json_t *shared = json_object_get(root, "shared_pages");
    check_members(reader, root, "", members);
    *cluster = (struct cost_cluster){
        .name = reader_text(reader, root, "", "name", reader->file),
        .nodes = read_count(reader, root, "nodes", 1),
        .cores = read_count(reader, root, "cores_per_node", NAN),
        .beside = read_count(reader, root, "nodes_per_computer", 1),
        .speed = reader_number(reader, root, "", "core_speed", 1e-3, 1),
        .contention = reader_number(reader, root, "", "contention", 1, 1),
        .handing = 1e-6 * reader_number(reader, root, "", "block_us", 0, preset.handing * 1e6),
        .memory = 1e9 * reader_number(reader, root, "", "memory_gb", 0, 0),
        .shared = !shared || json_is_true(shared),
        .within = read_link(reader, root, "within_node", preset.within, link_members),
        .between = read_link(reader, root, "between_nodes", preset.between, link_members)};
    if (shared && !json_is_boolean(shared))
        reader_complain(reader, "shared_pages", "neither true nor false");
    read_switches(reader, root, cluster);
    read_gpus(reader, root, cluster);
}

bool cost_cluster_read(struct arena *arena, const char *path, struct cost_cluster *cluster,
                       const char **why) {
    struct reader reader = {.arena = arena};
    json_t *root = reader_open(&reader, path, "orrery-cluster/1");
    if (root)
        read_members(&reader, root, cluster);
    json_decref(root);
    *why = reader.why;
    return !reader.why;
}
