/* Prints what is in a file of ORRERY_VERIFY; status 1 when it is damaged. */
#include "runtime/report/verify_format.h"

static void print(const struct orrery_verify_record *record) {
    printf("%s:%u pass %llu grid %llux%llu\n", record->file, record->region.line,
           (unsigned long long)record->region.pass, (unsigned long long)record->region.rows,
           (unsigned long long)record->region.columns);
    for (uint32_t i = 0; i < record->region.nitems; ++i) {
        const struct orrery_verify_item *item = &record->items[i];
        printf("  %s %s element %llu row %llu rows %llu low %lld%s\n",
               item->kind == ORRERY_VERIFY_ARRAY ? "array" : "reduction", record->names[i],
               (unsigned long long)item->element_size, (unsigned long long)item->row_bytes,
               (unsigned long long)(item->row_bytes ? item->data_bytes / item->row_bytes : 0),
               (long long)item->low, item->floating ? " floating" : "");
    }
}

int main(int argc, char **argv) {
    FILE *in = argc == 2 ? fopen(argv[1], "rb") : NULL;
    if (!in || orrery_verify_begin(in))
        return 1;
    struct orrery_verify_record record;
    int more;
    while ((more = orrery_verify_next(in, &record)) > 0) {
        print(&record);
        orrery_verify_free(&record);
    }
    fclose(in);
    return more < 0;
}
