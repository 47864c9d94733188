#include "tools/page/page.h"

#include "tools/report/report.h"
#include "tools/report/summary.h"

extern const char page_css[], page_js[];

static void put_head(const struct page *page) {
    html_print(page->out,
               "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
               "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
               "<title>Orrery: %s</title>\n<style>\n",
               page->file);
    fputs(page_css, page->out);
    fputs("</style>\n</head>\n<body>\n", page->out);
    html_print(page->out, "<header><h1>%s</h1>\n", page->file);
}

static void put_summary(const struct page *page) {
    struct summary summary;
    char text[200];
    summary_count(&summary, page->pipeline);
    snprintf(text, sizeof text, "%d loop%s: %d parallel, %d serial", summary.loops,
             summary.loops == 1 ? "" : "s", summary.parallel, summary.serial);
    html_print(page->out, "<p class=\"summary\">%s</p>\n</header>\n", text);
}

/* Verdicts come first: of each loop the strategy, the reason, and what would help. */
static void put_verdicts(const struct page *page) {
    fputs("<nav aria-label=\"verdicts\"><ul>\n", page->out);
    for (int i = 0; i < page->pipeline->nplans; ++i) {
        const struct plan *plan = page->pipeline->plans[i];
        const struct loop *loop = plan->analysis->loop;
        struct diag_list list = {.arena = page->arena};
        const struct diag *diag = report_diag(page->pipeline, plan, SEVERITY_WARNING, &list);
        fprintf(page->out, "<li><a href=\"#loop-%d\">line %d, ", i + 1, loop->header.begin.line);
        html_print(page->out, "%s</a> <span class=\"badge %s\">%s</span><br>%s",
                   loop->function ? loop->function->name : "",
                   plan->strategy == STRATEGY_SERIAL ? "serial" : "par",
                   strategy_name(plan->strategy), diag->message);
        if (diag->fix)
            html_print(page->out, "<br><b>What would help:</b> %s", diag->fix);
        fputs("</li>\n", page->out);
    }
    fputs("</ul></nav>\n", page->out);
}

static const char legend[] =
    "<p class=\"quiet\">Underlined: memory that a loop touches, a colour per object; its name, and "
    "whether it is read or written, shows under the pointer and in the tables. "
    "<span class=\"badge par\">strategy</span> the loop runs in parallel so; "
    "<span class=\"badge serial\">serial</span> it does not. A badge leads to the reasons, a code "
    "(ORR...) to its explanation.</p>\n";

/* What orrery analyze --format=json says, and what the pictures need. */
static json_t *data_of(const struct page *page) {
    json_t *loops = json_array();
    for (int i = 0; i < page->pipeline->nplans; ++i) {
        const struct plan *plan = page->pipeline->plans[i];
        json_t *colours = json_object();
        for (int o = 0; o < plan->analysis->facts->nobjects; ++o) {
            const struct object *object = plan->analysis->facts->objects[o];
            json_object_set_new(colours, object->name, json_integer(page_colour(object)));
        }
        json_array_append_new(loops, json_pack("{s:o, s:o, s:o, s:o}", "analysis",
                                               report_loop_json(page->pipeline, plan), "colours",
                                               colours, "schedule", page_schedule(page, plan),
                                               "times", page_times(page, plan)));
    }
    return json_pack("{s:s, s:o, s:o}", "schema", "orrery-report/1", "file",
                     report_string(page->file), "loops", loops);
}

void page_write(const struct page *page) {
    json_t *data = data_of(page);
    put_head(page);
    put_summary(page);
    put_verdicts(page);
    fputs("<main>\n<section id=\"source\"><h2>Source</h2>\n", page->out);
    fputs(legend, page->out);
    page_source(page);
    fputs("</section>\n", page->out);
    for (int i = 0; i < page->pipeline->nplans; ++i)
        page_loop(page, i);
    page_explain(page);
    fputs("</main>\n<script type=\"application/json\" id=\"data\">", page->out);
    html_json(page->out, data);
    fputs("</script>\n<script>\n", page->out);
    fputs(page_js, page->out);
    fputs("</script>\n</body>\n</html>\n", page->out);
    json_decref(data);
}
