/* Factors of users and items in structures, each with its own row; the structures hold counts and offsets, too.
 * loop: parallel rotation-2d
 * result: near .02
 */
#include <stdio.h>
#include <stdlib.h>
typedef struct { float *factors; float bias; int seen; } Entity;
typedef struct { int user, item; float score; } Obs;
int main(void) {
    int nu = 100, ni = 80, K = 8, n = 2000;
    Entity *users = malloc(nu * sizeof *users), *items = malloc(ni * sizeof *items);
    Obs *obs = malloc(n * sizeof *obs);
    for (int i = 0; i < nu; i++) { users[i].factors = malloc(K * sizeof(float)); users[i].bias = 0; users[i].seen = 0; for (int k = 0; k < K; k++) users[i].factors[k] = .1f * ((i + k) % 7); }
    for (int i = 0; i < ni; i++) { items[i].factors = malloc(K * sizeof(float)); items[i].bias = 0; items[i].seen = 0; for (int k = 0; k < K; k++) items[i].factors[k] = .1f * ((i + k) % 5); }
    for (int i = 0; i < n; i++) { obs[i].user = i * 7 % nu; obs[i].item = i * 11 % ni; obs[i].score = i % 5; }
    for (int e = 0; e < 3; e++)
#pragma orrery parallel unordered
    for (int i = 0; i < n; i++) {
        Entity *u = &users[obs[i].user], *v = &items[obs[i].item];
        float err = obs[i].score - u->bias - v->bias;
        for (int k = 0; k < K; k++) err -= u->factors[k] * v->factors[k];
        u->bias += .01f * err; v->bias += .01f * err; u->seen++;
        for (int k = 0; k < K; k++) {
            float t = u->factors[k];
            u->factors[k] += .01f * err * v->factors[k];
            v->factors[k] += .01f * err * t;
        }
    }
    printf("%f\n", users[3].factors[2]);
    return 0;
}
