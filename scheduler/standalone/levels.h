#ifndef ORRERY_SCHEDULER_STANDALONE_LEVELS_H
#define ORRERY_SCHEDULER_STANDALONE_LEVELS_H
/* ---- levels: elements in the loop's order ---------------------------------------------------- */

/* Per element of an object, from `low` on. */
struct orrery_touched {
    long low, high;
    unsigned *written, *read;        /* the highest level that did, 0: none */
    unsigned long *writer, *readers; /* sets of rows; readers since the writer */
};

/* Iterations and tables of what they touch. */
struct orrery_leveling {
    const struct orrery_walk *walk;
    struct orrery_touched *tables;
    struct orrery_leveled of;
};

/* What iteration i touches: items [first[i], first[i + 1]) of all lists. */
static const struct orrery_touch *orrery_listed(const struct orrery_inspection *in, long i,
                                                long *n) {
    *n = in->firsts[i + 1] - in->firsts[i];
    return in->listed.items + in->firsts[i];
}

static long orrery_place(const struct orrery_touched *table, long unit) {
    return unit - table->low;
}

static void orrery_tables_measure(struct orrery_leveling *l) {
    for (int t = 0; t < l->walk->loop->ntouched; ++t)
        l->tables[t] = (struct orrery_touched){.low = __LONG_MAX__, .high = -__LONG_MAX__};
    struct orrery_inspection *in = l->walk->inspection;
    in->firsts = orrery_allocate((unsigned long)in->count + 2, sizeof *in->firsts);
    for (long i = 0; i < in->count; ++i) {
        l->walk->loop->touches(l->walk->env, i, &in->listed, in->spans);
        long n = in->listed.count - in->firsts[i];
        in->firsts[i + 1] = in->listed.count;
        l->of.cost[i] = n < 65535 ? (unsigned)n + 1 : 65535;
    }
    for (long n = 0; n < in->listed.count; ++n) {
        struct orrery_touched *table = &l->tables[in->listed.items[n].object];
        long unit = in->listed.items[n].unit;
        table->low = unit < table->low ? unit : table->low;
        table->high = unit > table->high ? unit : table->high;
    }
    for (int t = 0; t < l->walk->loop->ntouched; ++t) {
        struct orrery_touched *table = &l->tables[t];
        unsigned long places =
            table->high < table->low ? 1 : (unsigned long)(table->high - table->low) + 1;
        table->written = orrery_allocate(places, sizeof *table->written);
        table->read = orrery_allocate(places, sizeof *table->read);
        table->writer = orrery_allocate(places, sizeof *table->writer);
        table->readers = orrery_allocate(places, sizeof *table->readers);
    }
}

/* One more than the highest level of an iteration before that conflicts. */
static unsigned orrery_level_of(const struct orrery_leveling *l, const struct orrery_touch *touch,
                                long n) {
    unsigned highest = 0;
    for (; n > 0; --n, ++touch) {
        const struct orrery_touched *table = &l->tables[touch->object];
        long at = orrery_place(table, touch->unit);
        unsigned before = table->written[at];
        if (touch->written && table->read[at] > before)
            before = table->read[at];
        highest = before > highest ? before : highest;
    }
    return highest + 1;
}

static void orrery_levels_find(struct orrery_leveling *l) {
    for (long i = 0; i < l->walk->inspection->count; ++i) {
        long n;
        const struct orrery_touch *touch = orrery_listed(l->walk->inspection, i, &n);
        unsigned level = l->of.level[i] = orrery_level_of(l, touch, n);
        l->of.nlevels = level > l->of.nlevels ? level : l->of.nlevels;
        for (; n > 0; --n, ++touch) {
            const struct orrery_touched *table = &l->tables[touch->object];
            unsigned *last = touch->written ? table->written : table->read;
            long at = orrery_place(table, touch->unit);
            last[at] = level > last[at] ? level : last[at];
        }
    }
}

/* A writer waits for the readers before it, so that who waits for it need not. */
static void orrery_needs_find(struct orrery_leveling *l, struct orrery_inspection *in) {
    for (long i = 0; i < in->count; ++i) {
        unsigned long own = 1ul << orrery_levels_bit(in->grid.rows, l->of.row[i]), needs = 0;
        long count;
        const struct orrery_touch *list = orrery_listed(in, i, &count);
        for (const struct orrery_touch *touch = list; touch < list + count; ++touch) {
            const struct orrery_touched *table = &l->tables[touch->object];
            long at = orrery_place(table, touch->unit);
            needs |= table->writer[at] | (touch->written ? table->readers[at] : 0);
        }
        in->needs[l->of.row[i] * in->grid.columns + l->of.level[i]] |=
            in->grid.rows > 64 ? needs : needs & ~own;
        for (int written = 1; written >= 0; --written)
            for (const struct orrery_touch *touch = list; touch < list + count; ++touch) {
                const struct orrery_touched *table = &l->tables[touch->object];
                long at = orrery_place(table, touch->unit);
                if (touch->written != written)
                    continue;
                table->readers[at] = written ? 0 : table->readers[at] | own;
                table->writer[at] = written ? own : table->writer[at];
            }
    }
}

/* ---- batches: elements in any order ----------------------------------------------------------- */

/* What iterations touch, as numbers of places among those of all tables; returns how many. */
static long orrery_items_list(const struct orrery_leveling *l, unsigned *items) {
    const struct orrery_inspection *in = l->walk->inspection;
    int ntables = l->walk->loop->ntouched;
    long offset[ntables + 1];
    offset[0] = 0;
    for (int t = 0; t < ntables; ++t) {
        const struct orrery_touched *table = &l->tables[t];
        offset[t + 1] = offset[t] + (table->high < table->low ? 0 : table->high - table->low + 1);
    }
    for (long n = 0; n < in->listed.count; ++n) {
        const struct orrery_touch *touch = &in->listed.items[n];
        long place = offset[touch->object] + orrery_place(&l->tables[touch->object], touch->unit);
        items[n] = (unsigned)place << 1 | (touch->written != 0);
    }
    return offset[ntables];
}

static void orrery_batches_give(struct orrery_leveling *l) {
    const struct orrery_inspection *in = l->walk->inspection;
    unsigned *items = orrery_allocate((unsigned long)in->listed.count + 1, sizeof *items);
    struct orrery_batching of = {in->count, in->firsts, items, l->of.level};
    long places = orrery_items_list(l, items);
    if (places >> 31)
        orrery_die("the iterations touch elements too far apart for batches");
    long parts = orrery_batches_parts(in->listed.count, (unsigned long)places);
    for (long p = 0; p < parts; ++p) {
        struct orrery_colored *colored =
            orrery_allocate((unsigned long)places + 1, sizeof *colored);
        long begin = orrery_share(in->count, p, parts), end = orrery_share(in->count, p + 1, parts);
        unsigned found = orrery_batches_find(&of, colored, begin, end);
        for (long i = begin; i < end; ++i)
            l->of.level[i] += (unsigned)l->of.nlevels;
        l->of.nlevels += found;
        (free)(colored);
    }
    (free)(items);
}

static void orrery_batches_wait(struct orrery_inspection *in) {
    for (long row = 0; row < in->grid.rows; ++row)
        for (long column = 0; column < in->grid.columns; ++column)
            in->needs[row * in->grid.columns + column] =
                orrery_batches_needs(in->grid.rows, row, column);
}

/* A stable counting sort by block; then the records in that order. */
static void orrery_places_give(const struct orrery_leveling *l, struct orrery_inspection *in) {
    long blocks = in->grid.rows * in->grid.columns, place = 0;
    unsigned long size = l->walk->loop->record_size;
    long *next = in->starts = orrery_allocate((unsigned long)blocks + 1, sizeof *next);
    in->records = orrery_allocate((unsigned long)in->count + 1, size + 1);
    for (long i = 0; i < in->count; ++i)
        ++next[l->of.row[i] * in->grid.columns + l->of.level[i]];
    for (long b = 0; b <= blocks; ++b) {
        long n = b < blocks ? next[b] : 0;
        next[b] = place;
        place += n;
    }
    for (long i = 0; i < in->count; ++i)
        memcpy(in->records +
                   (unsigned long)next[l->of.row[i] * in->grid.columns + l->of.level[i]]++ * size,
               orrery_keys_in(l->walk, i) + l->walk->loop->nkeys + 1, size);
    for (long b = blocks; b > 0; --b)
        next[b] = next[b - 1];
    next[0] = 0;
}

static void orrery_leveled_free(struct orrery_leveling *l) {
    for (int t = 0; t < l->walk->loop->ntouched; ++t) {
        (free)(l->tables[t].written);
        (free)(l->tables[t].read);
        (free)(l->tables[t].writer);
        (free)(l->tables[t].readers);
    }
    (free)(l->tables);
    (free)(l->of.level);
    (free)(l->of.cost);
    (free)(l->of.row);
}

static void orrery_blocks_by_level(const struct orrery_walk *walk) {
    struct orrery_inspection *in = walk->inspection;
    unsigned long count = (unsigned long)in->count + 1;
    struct orrery_leveling l = {.walk = walk,
                                .tables = orrery_allocate((unsigned long)walk->loop->ntouched + 1,
                                                          sizeof(struct orrery_touched)),
                                .of = {.count = in->count,
                                       .level = orrery_allocate(count, sizeof(unsigned)),
                                       .cost = orrery_allocate(count, sizeof(unsigned)),
                                       .row = orrery_allocate(count, sizeof(unsigned))}};
    int batches = walk->loop->strategy == ORRERY_LEVELS && walk->loop->unordered;
    orrery_tables_measure(&l);
    if (batches)
        orrery_batches_give(&l);
    else
        orrery_levels_find(&l);
    unsigned long room = (unsigned long)l.of.nlevels + 1;
    struct orrery_column *columns = orrery_allocate(room, sizeof *columns);
    unsigned *column_of = orrery_allocate(room, sizeof *column_of);
    long n = in->grid.columns = in->grid.clocks = orrery_columns_make(&l.of, columns, column_of);
    long said = walk->loop->grid[0];
    in->grid.rows = said ? said : orrery_columns_rows(columns, n, 64);
    orrery_columns_cut(&l.of, columns, n, in->grid.rows);
    (free)(column_of);
    in->needs = orrery_allocate((unsigned long)(in->grid.rows * n) + 1, sizeof *in->needs);
    (free)(in->starts);
    (free)(in->records);
    orrery_places_give(&l, in);
    if (batches)
        orrery_batches_wait(in);
    else
        orrery_needs_find(&l, in);
    (free)(columns);
    orrery_leveled_free(&l);
}

/* Do blocks of one row or column run in the loop's order? Iterations with one key of dim 0 are in
 * one row, so the column must not fall from one to the next, and likewise with the rows. */
static int orrery_comes_in_order(const struct orrery_walk *walk) {
    const struct orrery_inspection *in = walk->inspection;
    long *last[2];
    int good = 1;
    for (int d = 0; d < 2; ++d)
        last[d] = orrery_allocate((unsigned long)orrery_range_of(&in->dims[d]) + 1, sizeof(long));
    for (long i = 0; i < in->count && good; ++i) {
        const long *keys = orrery_keys_in(walk, i);
        long block = orrery_block_at(walk, keys, i);
        long part[2] = {block / in->grid.columns, block % in->grid.columns};
        for (int d = 0; d < 2; ++d) {
            if (keys[d] == ORRERY_NO_KEY)
                continue;
            long *seen = &last[d][keys[d] - in->dims[d].low];
            good &= *seen <= part[!d];
            *seen = part[!d];
        }
    }
    (free)(last[0]);
    (free)(last[1]);
    return good;
}

static void orrery_needs_wait(const struct orrery_region *region, unsigned long rows, long column) {
    for (long row = 0; rows && row < region->rows; ++row)
        if (rows >> orrery_levels_bit(region->rows, row) & 1)
            orrery_flag_wait(&region->flags[row], column);
}

static void orrery_levels_job(void *data, int worker, int workers) {
    const struct orrery_region *region = data;
    const struct orrery_inspection *in = region->state->inspection;
    long begin = orrery_share(region->rows, worker, workers);
    long end = orrery_share(region->rows, worker + 1, workers);
#if WITH_SUMS
    for (long row = begin; row < end; ++row)
        orrery_row_start(region, row, worker);
#endif
    for (long column = 0; column < region->columns; ++column)
        for (long row = begin; row < end; ++row) {
            const long *start = &in->starts[row * in->grid.columns + column];
            struct orrery_block block = {.records = in->records,
                                         .begin = start[0],
                                         .end = start[1],
                                         .row = row,
                                         .column = column,
                                         .clock = column};
            if (block.begin < block.end) {
                orrery_needs_wait(region, in->needs[row * in->grid.columns + column], column);
                orrery_block_run(region, block, worker);
            }
            orrery_flag_set(&region->flags[row], column + 1);
        }
}

static void orrery_levels_run(struct orrery_region *region) {
    region->flags = orrery_flags_new(region->rows);
    orrery_team(orrery_levels_job, region);
    (free)(region->flags);
}

#endif
