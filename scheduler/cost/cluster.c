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

static struct cost_link read_link(struct reader *reader, const json_t *root, const char *name,
                                  struct cost_link preset) {
    const json_t *link = json_object_get(root, name);
    if (!link)
        return preset;
    if (!json_is_object(link)) {
        reader_complain(reader, name, "not an object");
        return preset;
    }
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

static const char *const members[] = {"schema",         "name",          "nodes",
                                      "cores_per_node", "core_speed",    "contention",
                                      "memory_gb",      "shared_pages",  "block_us",
                                      "within_node",    "between_nodes", "nodes_per_computer"};

/* A word that is misspelt would silently not count. */
static void check_members(struct reader *reader, json_t *root) {
    const char *name;
    json_t *value;
    json_object_foreach(root, name, value) {
        bool known = false;
        for (size_t i = 0; i < sizeof members / sizeof *members; ++i)
            known |= strcmp(name, members[i]) == 0;
        if (!known)
            reader_complain(reader, name, "unknown member");
    }
}

bool cost_cluster_read(struct arena *arena, const char *path, struct cost_cluster *cluster,
                       const char **why) {
    struct reader reader = {.arena = arena};
    json_t *root = reader_open(&reader, path, "orrery-cluster/1");
    struct cost_cluster preset = cost_cluster_here(1);
    if (root) {
        const json_t *shared = json_object_get(root, "shared_pages");
        check_members(&reader, root);
        *cluster = (struct cost_cluster){
            .name = reader_text(&reader, root, "", "name", path),
            .nodes = (long)reader_number(&reader, root, "", "nodes", 1, 1),
            .cores = (long)reader_number(&reader, root, "", "cores_per_node", 1, NAN),
            .beside = (long)reader_number(&reader, root, "", "nodes_per_computer", 1, 1),
            .speed = reader_number(&reader, root, "", "core_speed", 1e-3, 1),
            .contention = reader_number(&reader, root, "", "contention", 1, 1),
            .handing = 1e-6 * reader_number(&reader, root, "", "block_us", 0, preset.handing * 1e6),
            .memory = 1e9 * reader_number(&reader, root, "", "memory_gb", 0, 0),
            .shared = !shared || json_is_true(shared),
            .within = read_link(&reader, root, "within_node", preset.within),
            .between = read_link(&reader, root, "between_nodes", preset.between)};
        if (shared && !json_is_boolean(shared))
            reader_complain(&reader, "shared_pages", "neither true nor false");
    }
    json_decref(root);
    *why = reader.why;
    return !reader.why;
}
