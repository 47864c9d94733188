/* Parallel arrays read through a permutation that is shuffled between passes; 32-bit unsigned ids.
 * loop: parallel rotation-2d
 * result: near 0.05
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

typedef uint32_t id_t32;

struct dataset {
	id_t32 *user, *movie;
	float *score;
	size_t len;
};

static uint64_t s = 88172645463325252ull;

static uint64_t xorshift(void)
{
	s ^= s << 13;
	s ^= s >> 7;
	s ^= s << 17;
	return s;
}

static void shuffle(size_t *order, size_t len)
{
	for (size_t i = len - 1; i > 0; i--) {
		size_t j = xorshift() % (i + 1), t = order[i];
		order[i] = order[j];
		order[j] = t;
	}
}

static float epoch(const struct dataset *d, const size_t *order, float *u, float *v, int dim, float step)
{
	float loss = 0.0f;
#pragma orrery parallel unordered
	for (size_t n = 0; n < d->len; n++) {
		const size_t at = order[n];
		float *restrict a = &u[d->user[at] * (size_t)dim];
		float *restrict b = &v[d->movie[at] * (size_t)dim];
		float err = d->score[at];
		for (int k = 0; k < dim; k++)
			err -= a[k] * b[k];
		loss += err * err;
		for (int k = 0; k < dim; k++) {
			const float t = a[k];
			a[k] += step * err * b[k];
			b[k] += step * err * t;
		}
	}
	return loss;
}

int main(void)
{
	struct dataset d = { .len = 700 };
	const int dim = 5, users = 40, movies = 30;
	d.user = malloc(d.len * sizeof *d.user);
	d.movie = malloc(d.len * sizeof *d.movie);
	d.score = malloc(d.len * sizeof *d.score);
	size_t *order = malloc(d.len * sizeof *order);
	float *u = malloc(sizeof *u * users * dim), *v = malloc(sizeof *v * movies * dim);
	for (size_t n = 0; n < d.len; n++) {
		d.user[n] = (id_t32)(xorshift() % users);
		d.movie[n] = (id_t32)(xorshift() % movies);
		d.score[n] = 1 + (d.user[n] ^ d.movie[n]) % 4;
		order[n] = n;
	}
	for (int i = 0; i < users * dim; i++)
		u[i] = 0.4f + 0.01f * (i % 9);
	for (int i = 0; i < movies * dim; i++)
		v[i] = 0.4f + 0.01f * (i % 11);
	for (int e = 0; e < 3; e++) {
		shuffle(order, d.len);
		printf("%d: %.3f\n", e, epoch(&d, order, u, v, dim, 0.02f));
	}
	free(d.user), free(d.movie), free(d.score), free(order), free(u), free(v);
	return 0;
}
