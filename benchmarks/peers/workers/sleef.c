/* The benchmark's exponentials with SLEEF, for AVX-512 or AVX2 as the compiler's flags
   say. */
#include "serve.h"

#include <immintrin.h>
#include <sleef.h>

static double *x;
static long n, turns;

static void setup(void) {
	n = integer("n"); /* a multiple of 8 */
	turns = integer("turns");
	x = numbers("numbers", 0, n);
}

static void drop(void) {
	free(x);
	x = NULL;
}

/* x ← e^−x over and over, as the program of kfda does */

static void run(void) {
	for (long k = 0; k < turns; k++)
#ifdef __AVX512F__
		for (long i = 0; i < n; i += 8)
			_mm512_store_pd(x + i, Sleef_expd8_u10avx512f(_mm512_sub_pd(_mm512_setzero_pd(), _mm512_load_pd(x + i))));
#else
		for (long i = 0; i < n; i += 4)
			_mm256_store_pd(x + i, Sleef_expd4_u10avx2(_mm256_sub_pd(_mm256_setzero_pd(), _mm256_load_pd(x + i))));
#endif
}

static int check(double *values) {
	values[0] = x[0];
	values[1] = x[n - 1];
	return 2;
}

static const char *about(void) {
	static char s[100];
	snprintf(s, sizeof s, "SLEEF %d.%d.%d, gcc " __VERSION__, SLEEF_VERSION_MAJOR, SLEEF_VERSION_MINOR, SLEEF_VERSION_PATCHLEVEL);
	return s;
}

static const struct task tasks[] = {
	{"exp", setup, NULL, run, check, drop},
	{NULL, NULL, NULL, NULL, NULL, NULL},
};

int main(void) {
	serve(about, tasks);
	return 0;
}
