/* A simulation as a picture: seconds per pass over ranks,
 * both axes logarithmic, and the ideal line. */
#include "tools/simulate/simulate.h"

#include <math.h>

enum { WIDTH = 720, HEIGHT = 440, LEFT = 90, RIGHT = 30, TOP = 50, BOTTOM = 60 };

/* What the axes span, as logarithms. */
struct frame {
    double x0, x1, y0, y1;
};

static double ideal(const struct simulation *simulation, const struct cost_result *result) {
    return result->seconds * simulation_efficiency(simulation, result);
}

/* Of several numbers of threads the fastest is drawn. */
static bool is_drawn(const struct simulation *simulation, int i) {
    int first = i - i % simulation->threads;
    for (int j = first; j < first + simulation->threads; ++j)
        if (simulation->results[j].seconds < simulation->results[i].seconds ||
            (j < i && simulation->results[j].seconds == simulation->results[i].seconds))
            return false;
    return true;
}

static struct frame frame_of(const struct simulation *simulation) {
    struct frame frame = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int i = 0; i < simulation->nresults; ++i) {
        const struct cost_result *result = &simulation->results[i];
        double x = log10((double)result->setting.ranks);
        frame.x0 = fmin(frame.x0, x);
        frame.x1 = fmax(frame.x1, x);
        frame.y0 = fmin(frame.y0, log10(fmin(result->seconds, ideal(simulation, result))));
        frame.y1 = fmax(frame.y1, log10(fmax(result->seconds, ideal(simulation, result))));
    }
    if (frame.x1 - frame.x0 < 0.1)
        frame.x1 = frame.x0 + 0.3;
    frame.y0 = floor(frame.y0 * 2) / 2;
    frame.y1 = fmax(ceil(frame.y1 * 2) / 2, frame.y0 + 0.5);
    return frame;
}

static double x_of(const struct frame *frame, double ranks) {
    return LEFT + (log10(ranks) - frame->x0) / (frame->x1 - frame->x0) * (WIDTH - LEFT - RIGHT);
}

static double y_of(const struct frame *frame, double seconds) {
    return HEIGHT - BOTTOM -
           (log10(seconds) - frame->y0) / (frame->y1 - frame->y0) * (HEIGHT - TOP - BOTTOM);
}

static void put_text(FILE *out, const char *text) {
    for (; *text; ++text)
        if (*text == '<' || *text == '>' || *text == '&')
            fprintf(out, "&#%d;", *text);
        else
            fputc(*text, out);
}

static void put_axes(const struct simulation *simulation, const struct frame *frame, FILE *out) {
    for (double y = frame->y0; y <= frame->y1 + 1e-9; y += 0.5) {
        double at = y_of(frame, pow(10, y));
        fprintf(out,
                "<line x1='%d' y1='%.1f' x2='%d' y2='%.1f' class='grid'/>"
                "<text x='%d' y='%.1f' text-anchor='end'>%.2g s</text>\n",
                LEFT, at, WIDTH - RIGHT, at, LEFT - 8, at + 4, pow(10, y));
    }
    for (int i = 0; i < simulation->nresults; ++i) {
        double at = x_of(frame, (double)simulation->results[i].setting.ranks);
        if (!is_drawn(simulation, i))
            continue;
        fprintf(out, "<text x='%.1f' y='%d' text-anchor='middle'>%ld</text>\n", at,
                HEIGHT - BOTTOM + 20, simulation->results[i].setting.ranks);
    }
    fprintf(out, "<text x='%d' y='%d' text-anchor='middle'>ranks", (LEFT + WIDTH - RIGHT) / 2,
            HEIGHT - 14);
    if (simulation->threads == 1)
        fprintf(out, " of %ld thread(s)", simulation->results[0].setting.threads);
    fprintf(out, "</text>\n");
}

static void put_line(const struct simulation *simulation, const struct frame *frame, bool is_ideal,
                     FILE *out) {
    fprintf(out, "<polyline class='%s' points='", is_ideal ? "ideal" : "ours");
    for (int i = 0; i < simulation->nresults; ++i) {
        const struct cost_result *result = &simulation->results[i];
        double seconds = is_ideal ? ideal(simulation, result) : result->seconds;
        fprintf(out, "%.1f,%.1f ", x_of(frame, (double)result->setting.ranks),
                y_of(frame, seconds));
    }
    fprintf(out, "'/>\n");
}

static void put_points(const struct simulation *simulation, const struct frame *frame, FILE *out) {
    for (int i = 0; i < simulation->nresults; ++i) {
        const struct cost_result *result = &simulation->results[i];
        if (!is_drawn(simulation, i))
            continue;
        fprintf(out, "<circle cx='%.1f' cy='%.1f' r='%d' class='%s'><title>",
                x_of(frame, (double)result->setting.ranks), y_of(frame, result->seconds),
                i == simulation->best ? 6 : 4, result->fits ? "point" : "unfit");
        fprintf(out, "%ld ranks: %.4g s per pass, held back by ", result->setting.ranks,
                result->seconds);
        put_text(out, result->fits ? result->bottleneck : result->why_not);
        fprintf(out, "</title></circle>\n");
    }
}

void simulation_svg(const struct simulation *simulation, FILE *out) {
    struct frame frame = frame_of(simulation);
    fprintf(
        out,
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' font-family='sans-serif' "
        "font-size='12'>\n<style>.grid{stroke:#ddd}.ours{fill:none;stroke:#1769aa;stroke-width:2}"
        ".ideal{fill:none;stroke:#999;stroke-dasharray:5 4}.point{fill:#1769aa}"
        ".unfit{fill:#fff;stroke:#b00}</style>\n<rect width='%d' height='%d' fill='#fff'/>\n",
        WIDTH, HEIGHT, WIDTH, HEIGHT);
    fprintf(out, "<text x='%d' y='24' font-size='15'>", LEFT);
    put_text(out, simulation->loop->name);
    fprintf(out, ": seconds per pass on ");
    put_text(out, simulation->cluster.name);
    fprintf(out, " (dashed: ideal)</text>\n");
    put_axes(simulation, &frame, out);
    put_line(simulation, &frame, true, out);
    put_line(simulation, &frame, false, out);
    put_points(simulation, &frame, out);
    fprintf(out, "</svg>\n");
}
