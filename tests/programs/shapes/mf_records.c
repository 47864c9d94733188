/* Matrix factorization over 1-based records of a typedef; everything global, one function per job.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define NU 60
#define NI 40
#define RANK 8
#define NR 900

typedef struct { int uid; int iid; float stars; } Rating;

static Rating ratings[NR];
static float P[NU][RANK], Q[NI][RANK];
static unsigned long lcg_state = 42;

static double rnd(void) {
  lcg_state = lcg_state * 6364136223846793005UL + 1442695040888963407UL;
  return (double)(lcg_state >> 33) / 2147483648.0;
}

static void make_data(void) {
  for (int i = 0; i < NR; i++) {
    ratings[i].uid = 1 + (int)(rnd() * NU);
    ratings[i].iid = 1 + (int)(rnd() * NI);
    ratings[i].stars = (float)(1 + (ratings[i].uid * 7 + ratings[i].iid * 3) % 5);
  }
  for (int u = 0; u < NU; u++) for (int k = 0; k < RANK; k++) P[u][k] = (float)(0.6 + 0.2 * rnd());
  for (int i = 0; i < NI; i++) for (int k = 0; k < RANK; k++) Q[i][k] = (float)(0.6 + 0.2 * rnd());
}

static float predict(int u, int i) {
  float s = 0;
  for (int k = 0; k < RANK; k++) s += P[u][k] * Q[i][k];
  return s;
}

static double train_epoch(float lr, float reg) {
  double sse = 0;
#pragma orrery parallel unordered
  for (int n = 0; n < NR; n++) {
    int u = ratings[n].uid - 1;
    int i = ratings[n].iid - 1;
    float err = ratings[n].stars - predict(u, i);
    sse += err * err;
    for (int k = 0; k < RANK; k++) {
      float pu = P[u][k], qi = Q[i][k];
      P[u][k] += lr * (err * qi - reg * pu);
      Q[i][k] += lr * (err * pu - reg * qi);
    }
  }
  return sqrt(sse / NR);
}

int main(void) {
  make_data();
  for (int e = 0; e < 4; e++) printf("%.4f\n", train_epoch(0.02f, 0.02f));
  return 0;
}
