/* One loop in words: verdict, reasons, dependences,
 * arrays, checks. The pictures come from page.js. */
#include "tools/page/page.h"

#include "scheduler/base/guard.h"
#include "scheduler/choose/memory.h"
#include "tools/report/report.h"

/* A link to the line, when it is in the file that the page shows. */
static void put_line(const struct page *page, struct loc place) {
    bool here = place.file == page->pipeline->unit->main_file;
    if (here)
        fprintf(page->out, "<a href=\"#L%d\">line %d</a>", place.line, place.line);
    else if (place.file >= 0)
        html_print(page->out, "%s", page->pipeline->unit->files[place.file].name);
}

static const char *loop_text(const struct page *page, const struct loop *loop) {
    const struct range *range = &loop->header;
    const struct source_file *file = &page->pipeline->unit->files[range->begin.file];
    if (!range->exact || !file->text || range->end.offset > file->size)
        return "for (...)";
    return arena_strndup(page->arena, file->text + range->begin.offset,
                         range->end.offset - range->begin.offset);
}

/* ---- verdict --------------------------------------------------------------------------------- */

static void put_reason(const struct page *page, const struct diag *diag) {
    fputs("<p class=\"reason\">", page->out);
    page_code(page, diag->code);
    html_print(page->out, " %s (", diag->message);
    put_line(page, diag->range.begin);
    fputs(")</p>\n", page->out);
    for (int i = 0; i < diag->nnotes; ++i) {
        fputs("<p class=\"note\">", page->out);
        html_print(page->out, "%s (", diag->notes[i].message);
        put_line(page, diag->notes[i].range.begin);
        fputs(")</p>\n", page->out);
    }
    if (diag->fix)
        html_print(page->out, "<p class=\"fix\"><b>What would help:</b> %s</p>\n", diag->fix);
}

static void put_head(const struct page *page, const struct plan *plan, int index) {
    const struct loop *loop = plan->analysis->loop;
    bool serial = plan->strategy == STRATEGY_SERIAL;
    struct diag_list list = {.arena = page->arena};
    fprintf(page->out, "<section class=\"loop\" id=\"loop-%d\" data-loop=\"%d\">\n<h2>", index + 1,
            index);
    html_print(page->out, "<code>%s</code> ", loop_text(page, loop));
    fprintf(page->out, "<span class=\"badge %s\">", serial ? "serial" : "par");
    html_print(page->out, "%s</span></h2>\n<p class=\"where\">", strategy_name(plan->strategy));
    html_print(page->out, "%s, ", loop->function ? loop->function->name : "");
    put_line(page, loop->header.begin);
    html_print(page->out, ", %s%s</p>\n", plan->analysis->unordered ? "unordered" : "ordered",
               loop_is_marked(loop) ? "" : ", not marked");
    put_reason(page, report_diag(page->pipeline, plan, SEVERITY_WARNING, &list));
}

/* A table up to its first heading; its caption is for who does not see what stands around it. Wide
 * ones are scrolled, by keys as well. */
#define OPEN_TABLE "<div class=\"wide\" tabindex=\"0\"><table><caption>%s</caption><thead><tr>"

/* ---- tables ---------------------------------------------------------------------------------- */

static const char *vector_of(const struct page *page, const struct analysis *analysis,
                             const struct dependence *dep) {
    const char *text = "";
    for (int d = 0; d < analysis->ndims; ++d)
        text = arena_printf(page->arena, "%s%s%s", text, d ? ", " : "",
                            entry_text(page->arena, dep->vector[d]));
    return arena_printf(page->arena, "(%s)", text);
}

static void put_end(const struct page *page, const struct access *access) {
    fputs("<td>", page->out);
    if (access) {
        html_print(page->out, "<code>%s</code> ", access->text);
        put_line(page, access->range.begin);
    }
    fputs("</td>", page->out);
}

static void put_dependence(const struct page *page, const struct analysis *analysis,
                           const struct dependence *dep) {
    fprintf(page->out, "<tr class=\"%s\"><td><span class=\"swatch c%d\"></span> ",
            dep_status_holds(dep->status) ? "carried" : "gone", page_colour(dep->object));
    html_print(page->out, "%s</td><td>%s</td><td class=\"vector\">%s</td><td>%s</td>",
               dep->object->name, report_dep_kind(dep->kind), vector_of(page, analysis, dep),
               report_dep_status(dep->status));
    put_end(page, dep->source);
    put_end(page, dep->sink);
    html_print(page->out, "<td>%s</td></tr>\n", dep->why ? dep->why : "");
}

/* Those that have to be kept; or, folded up, those that were shown not to matter. */
static void put_table(const struct page *page, const struct analysis *analysis, const char *names,
                      bool kept) {
    int count = 0;
    for (int i = 0; i < analysis->ndeps; ++i)
        count += dep_status_holds(analysis->deps[i].status) == kept;
    if (count == 0) {
        fputs(kept ? "<p class=\"quiet\">None is carried from one iteration to another.</p>\n" : "",
              page->out);
        return;
    }
    if (!kept)
        fprintf(page->out, "<details><summary>%d that need not be kept</summary>\n", count);
    html_print(page->out, OPEN_TABLE "<th scope=\"col\">object</th><th scope=\"col\">kind</th>",
               kept ? "Dependences that are kept" : "Dependences that need not be kept");
    html_print(page->out, "<th scope=\"col\">vector over (%s)</th>", names);
    fputs("<th scope=\"col\">status</th><th scope=\"col\">from</th><th scope=\"col\">to</th>"
          "<th scope=\"col\">why</th></tr></thead><tbody>\n",
          page->out);
    for (int i = 0; i < analysis->ndeps; ++i)
        if (dep_status_holds(analysis->deps[i].status) == kept)
            put_dependence(page, analysis, &analysis->deps[i]);
    fprintf(page->out, "</tbody></table></div>%s\n", kept ? "" : "</details>");
}

static void put_dependences(const struct page *page, const struct analysis *analysis) {
    const char *names = "";
    if (analysis->ndeps == 0)
        return;
    for (int d = 0; d < analysis->ndims; ++d)
        names = arena_printf(page->arena, "%s%s%s", names, d ? ", " : "", analysis->dims[d].name);
    fputs("<h3>Dependences</h3>\n", page->out);
    put_table(page, analysis, names, true);
    put_table(page, analysis, names, false);
}

/* What a placement means, for who meets the word here first. */
static const char *placement_meaning(const struct plan_array *array) {
    switch (array->placement) {
    case PLACE_RESIDENT:
        return array->dim >= 0 ? "its rows stay with the worker whose part they are in"
                               : "its rows stay with the iterations that they belong to";
    case PLACE_ROTATING:
        return "its parts travel from worker to worker";
    case PLACE_REPLICATED:
        return "only read: a whole copy on every rank";
    case PLACE_ALIGNED:
        return "its values travel in the iterations' records";
    case PLACE_PRIVATE:
        return "a copy each, folded or dropped";
    case PLACE_SERVED:
        return "a part on each rank, and of the others what the next iterations touch";
    default:
        return "not cut: threads of one rank only";
    }
}

static void put_arrays(const struct page *page, const struct plan *plan) {
    if (plan->narrays == 0)
        return;
    fputs("<h3>Arrays</h3>\n", page->out);
    html_print(page->out,
               OPEN_TABLE "<th scope=\"col\">array</th><th scope=\"col\">placement</th>"
                          "<th scope=\"col\">by</th><th scope=\"col\">bytes on a rank</th>"
                          "<th scope=\"col\">meaning</th></tr></thead><tbody>\n",
               "Where arrays lie");
    for (int i = 0; i < plan->narrays; ++i) {
        const struct plan_array *array = &plan->arrays[i];
        fprintf(page->out, "<tr><td><span class=\"swatch c%d\"></span> ",
                page_colour(array->object));
        struct plan_memory memory = plan_memory(plan, array);
        html_print(page->out, "%s</td><td>%s</td><td>%s</td><td>%s</td><td>%s%s%s</td></tr>\n",
                   array->object->name, placement_name(array->placement),
                   array->dim >= 0 ? plan->analysis->dims[array->dim].name : "",
                   memory.bytes ? memory.bytes : "known when the loop starts",
                   placement_meaning(array), array->why ? ": " : "", array->why ? array->why : "");
    }
    fputs("</tbody></table></div>\n", page->out);
}

static void put_rejected(const struct page *page, const struct plan *plan) {
    if (plan->nrejected == 0)
        return;
    html_print(page->out,
               "<h3>Plans that were not chosen</h3>\n<p class=\"quiet\">Predicted for %s.</p>\n",
               plan->assumed);
    html_print(page->out,
               OPEN_TABLE "<th scope=\"col\">plan</th><th scope=\"col\">time</th>"
                          "<th scope=\"col\">because</th></tr></thead><tbody>\n",
               "Plans that were not chosen");
    for (int i = 0; i < plan->nrejected; ++i) {
        const struct plan_rejected *rejected = &plan->rejected[i];
        html_print(page->out, "<tr><td>%s</td><td>%s</td><td>%s</td></tr>\n", rejected->words,
                   report_ratio(rejected->ratio), rejected->because);
    }
    fputs("</tbody></table></div>\n", page->out);
    if (plan->best) {
        fputs("<p>Best run: ", page->out);
        report_best(plan->best, page->out);
        fputs("</p>\n", page->out);
    }
}

static void put_guards(const struct page *page, const struct loop_facts *facts) {
    int count = 0;
    for (int i = 0; i < facts->nguards; ++i)
        count += !emit_guard_is_repeated(facts, i);
    if (count == 0)
        return;
    fprintf(page->out,
            "<h3>Checked when the loop starts</h3>\n<details%s><summary>%d check%s</summary><ul>\n",
            count <= 4 ? " open" : "", count, count == 1 ? "" : "s");
    for (int i = 0; i < facts->nguards; ++i)
        if (!emit_guard_is_repeated(facts, i))
            html_print(page->out, "<li>%s%s</li>\n", facts->guards[i].text,
                       facts->guards[i].assumed  ? " (assumed; orrery verify tests it)"
                       : facts->guards[i].serial ? " (else the loop runs as it is written)"
                                                 : "");
    fputs("</ul></details>\n", page->out);
}

static void put_names(const struct page *page, const struct loop_facts *facts) {
    if (facts->nreductions)
        fputs("<p><b>Reductions</b> (folded row by row of the grid):", page->out);
    for (int i = 0; i < facts->nreductions; ++i)
        html_print(page->out, "%s %s %s", i ? "," : "", report_op(facts->reductions[i].op),
                   facts->reductions[i].object->name);
    if (facts->nreductions)
        fputs("</p>\n", page->out);
    if (facts->nprivates + facts->nscratches)
        fputs("<p><b>Private</b> to an iteration:", page->out);
    for (int i = 0; i < facts->nprivates; ++i)
        html_print(page->out, "%s %s", i ? "," : "", facts->privates[i].var->name);
    for (int i = 0; i < facts->nscratches; ++i)
        html_print(page->out, "%s %s", i + facts->nprivates ? "," : "",
                   facts->scratches[i].object->name);
    if (facts->nprivates + facts->nscratches)
        fputs("</p>\n", page->out);
}

/* Filled in by page.js; what stands there without it says so. */
static void put_picture(const struct page *page, const char *kind, const char *title) {
    html_print(page->out,
               "<h3>%s</h3>\n<div class=\"picture %s\"><p class=\"quiet\">Drawn by the script of "
               "this page.</p></div>\n",
               title, kind);
}

void page_loop(const struct page *page, int index) {
    const struct plan *plan = page->pipeline->plans[index];
    const struct analysis *analysis = plan->analysis;
    put_head(page, plan, index);
    if (analysis->ndims > 0 && analysis->ndeps > 0)
        put_picture(page, "space", "Which iterations conflict");
    put_dependences(page, analysis);
    if (plan->strategy != STRATEGY_SERIAL) {
        put_picture(page, "schedule", "How the blocks run");
        put_arrays(page, plan);
        put_rejected(page, plan);
        put_names(page, analysis->facts);
        put_guards(page, analysis->facts);
    }
    if (page->trace)
        put_picture(page, "times", "Measured and predicted");
    fputs("</section>\n", page->out);
}
