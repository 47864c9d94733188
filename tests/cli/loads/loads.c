/* Loads a file of the kind that is named and says what came of it, to the last bit. */
#include <orrery.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* With APART every rank stands in a folder of its own. */
__attribute__((constructor)) static void part(void) {
    const char *rank = getenv("OMPI_COMM_WORLD_RANK");
    char folder[32];
    snprintf(folder, sizeof folder, "rank%s", rank ? rank : "0");
    if (getenv("APART") && chdir(folder) != 0)
        abort();
}

static unsigned long sum = 14695981039346656037ul;

static void add(const void *data, size_t bytes) {
    const unsigned char *at = data;
    for (size_t i = 0; i < bytes; ++i)
        sum = (sum ^ at[i]) * 1099511628211ul;
}

/* Ratings that are not read: given back, kept to the end, changed, or read by a child alone. */
static int load_unread(const char *kind, const char *path) {
    struct orrery_ratings ratings;
    int status = 0;
    if (orrery_load_ratings(path, &ratings) != 0)
        return -1;
    fflush(stdout);
    if (strcmp(kind, "given") == 0)
        free(ratings.entry);
    if (strcmp(kind, "grown") == 0) {
        size_t bytes = (size_t)ratings.count * sizeof *ratings.entry;
        ratings.entry = realloc(ratings.entry, 2 * bytes);
        add(ratings.entry, bytes);
    }
    if (strcmp(kind, "written") == 0) {
        ratings.entry[ratings.count - 1].row = 7;
        add(ratings.entry, (size_t)ratings.count * sizeof *ratings.entry);
    }
    if (strcmp(kind, "child") == 0) {
        if (fork() == 0) {
            add(ratings.entry, (size_t)ratings.count * sizeof *ratings.entry);
            printf("child %lx\n", sum);
            fflush(stdout);
            _exit(3);
        }
        wait(&status);
    }
    printf("%s %d\n", kind, WEXITSTATUS(status));
    return 0;
}

static int load(const char *kind, const char *path) {
    struct orrery_ratings ratings;
    struct orrery_tensor tensor;
    struct orrery_examples examples;
    struct orrery_bags bags;
    struct orrery_table table;
    struct orrery_npy npy;
    if (strcmp(kind, "ratings") == 0) {
        if (orrery_load_ratings(path, &ratings) != 0)
            return -1;
        add(ratings.entry, (size_t)ratings.count * sizeof *ratings.entry);
        printf("%ld %d %d\n", ratings.count, ratings.rows, ratings.columns);
        free(ratings.entry);
    } else if (strcmp(kind, "tensor") == 0) {
        if (orrery_load_tensor(path, &tensor) != 0)
            return -1;
        add(tensor.index, (size_t)(tensor.count * tensor.ways) * sizeof *tensor.index);
        add(tensor.value, (size_t)tensor.count * sizeof *tensor.value);
        add(tensor.size, sizeof tensor.size);
        printf("%ld %d\n", tensor.count, tensor.ways);
        free(tensor.index);
        free(tensor.value);
    } else if (strcmp(kind, "examples") == 0) {
        if (orrery_load_examples(path, &examples) != 0)
            return -1;
        add(examples.label, (size_t)examples.count * sizeof *examples.label);
        add(examples.start, (size_t)(examples.count + 1) * sizeof *examples.start);
        add(examples.feature, (size_t)examples.entries * sizeof *examples.feature);
        add(examples.value, (size_t)examples.entries * sizeof *examples.value);
        printf("%ld %ld %d\n", examples.count, examples.entries, examples.features);
        orrery_free_examples(&examples);
    } else if (strcmp(kind, "bags") == 0) {
        if (orrery_load_bags(path, &bags) != 0)
            return -1;
        add(bags.entry, (size_t)bags.entries * sizeof *bags.entry);
        printf("%ld %ld %d %ld\n", bags.documents, bags.entries, bags.words, bags.tokens);
        free(bags.entry);
    } else if (strcmp(kind, "table") == 0) {
        if (orrery_load_table(path, &table) != 0)
            return -1;
        add(table.value, (size_t)(table.rows * table.columns) * sizeof *table.value);
        printf("%ld %d\n", table.rows, table.columns);
        free(table.value);
    } else if (strcmp(kind, "saved") == 0) {
        struct orrery_model_array saved = {"model/numbers", {0}};
        if (orrery_load_npy(path, &saved.array) != 0 || orrery_save("saved.h5", 1, &saved) != 0)
            return -1;
        free(saved.array.data);
    } else if (strcmp(kind, "hdf5") == 0) {
        if (orrery_load_hdf5(path, NULL, &npy) != 0)
            return -1;
        add(npy.data, (size_t)npy.count * 8);
        printf("%ld %d\n", npy.count, npy.dims);
        free(npy.data);
    } else if (strcmp(kind, "npy") != 0) {
        return load_unread(kind, path);
    } else {
        if (orrery_load_npy(path, &npy) != 0)
            return -1;
        add(npy.data, (size_t)npy.count * 8);
        printf("%ld %d\n", npy.count, npy.dims);
        free(npy.data);
    }
    return 0;
}

int main(int argc, char **argv) {
    long x[100];
    ORRERY_PARALLEL()
    for (int i = 0; i < 100; ++i)
        x[i] = i;
    for (int a = 1; a + 1 < argc; a += 2)
        if (load(argv[a], argv[a + 1]) != 0)
            printf("%s\n", orrery_load_error());
    printf("%lx %ld\n", sum, x[99]);
    return 0;
}
