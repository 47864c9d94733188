/* Ratings of players by the games in their order: both ends of a game in one table, order matters.
 * loop: parallel levels
 * result: same
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct game { int white, black; double result; } game;
typedef struct player { double rating; int games; } player;

int main(void) {
    int games = 400, players = 60;
    game *g = malloc(games * sizeof(game));
    player *p = malloc(players * sizeof(player));
    for (int i = 0; i < players; i++) p[i] = (player){1500, 0};
    for (int i = 0; i < games; i++) {
        g[i].white = i * 17 % players;
        g[i].black = (g[i].white + 1 + i % 7) % players;
        g[i].result = (i % 3) / 2.0;
    }
    #pragma orrery parallel
    for (int i = 0; i < games; i++) {
        player *a = &p[g[i].white], *b = &p[g[i].black];
        double expected = 1 / (1 + pow(10, (b->rating - a->rating) / 400));
        double k = a->games < 10 || b->games < 10 ? 32 : 16;
        double change = k * (g[i].result - expected);
        a->rating += change;
        b->rating -= change;
        a->games++;
        b->games++;
    }
    for (int i = 0; i < players; i += 13) printf("%.10f %d\n", p[i].rating, p[i].games);
    return 0;
}
