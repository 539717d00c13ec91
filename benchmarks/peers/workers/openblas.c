/* The benchmark's tasks with OpenBLAS or, where BLIS is defined, with BLIS, which has no
   Cholesky factorization. */
#include "serve.h"

#include <cblas.h>

static int n;
static double *a, *b, *c;

static void drop(void) {
	free(a);
	free(b);
	free(c);
	a = b = c = NULL;
}

#ifdef BLIS
extern const char *bli_info_get_version_str(void);
extern long bli_thread_get_num_threads(void);
extern const char *bli_arch_string(int id);
extern int bli_arch_query_id(void);

static const char *about(void) {
	static char s[400];
	snprintf(s, sizeof s, "BLIS %s, architecture %s, %ld thread(s)", bli_info_get_version_str(),
	         bli_arch_string(bli_arch_query_id()), bli_thread_get_num_threads());
	return s;
}
#else
extern void dpotrf_(const char *uplo, const int *n, double *a, const int *lda, int *info);
extern char *openblas_get_corename(void);

static const char *about(void) {
	static char s[400];
	snprintf(s, sizeof s, "%s, core type %s, %d thread(s)", openblas_get_config(), openblas_get_corename(),
	         openblas_get_num_threads());
	return s;
}
#endif

/* C = A·B */

static void product_setup(void) {
	n = integer("n");
	a = numbers("numbers", 0, (size_t)n * n);
	b = numbers("numbers", 1000, (size_t)n * n);
	c = allocate((size_t)n * n);
}

static void product(void) {
	cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, 1, a, n, b, n, 0, c, n);
}

static int product_check(double *values) {
	values[0] = c[0];
	values[1] = c[(size_t)n / 2 * n + 1];
	values[2] = c[(size_t)n * n - 1];
	return 3;
}

/* C = A·Aᵀ, the lower triangle */

static void rankk_setup(void) {
	n = integer("n");
	a = numbers("numbers", 0, (size_t)n * n);
	c = allocate((size_t)n * n);
}

static void rankk(void) {
	cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, n, 1, a, n, 0, c, n);
}

static int last_row_check(double *values) {
	values[0] = c[(size_t)n * (n - 1)];
	values[1] = c[(size_t)n * n - 1];
	return 2;
}

#ifndef BLIS
/* A = LLᵀ. The lower triangle by rows is the upper triangle by columns. */

static void cholesky_setup(void) {
	n = integer("n");
	size_t many = 1 << 20;
	double *x = numbers("numbers", 0, many);
	a = allocate((size_t)n * n);
	c = allocate((size_t)n * n);
	for (size_t i = 0; i < (size_t)n; i++) {
		for (size_t j = 0; j <= i; j++)
			a[i * n + j] = a[j * n + i] = x[(i * n + j) % many];
		a[i * n + i] += n;
	}
	free(x);
}

static void cholesky_before(void) { memcpy(c, a, (size_t)n * n * sizeof *c); }

static void cholesky(void) {
	int info;
	dpotrf_("U", &n, c, &n, &info);
	if (info) {
		fprintf(stderr, "dpotrf: info = %d\n", info);
		exit(1);
	}
}
#endif

static const struct task tasks[] = {
	{"product", product_setup, NULL, product, product_check, drop},
	{"rankk", rankk_setup, NULL, rankk, last_row_check, drop},
#ifndef BLIS
	{"cholesky", cholesky_setup, cholesky_before, cholesky, last_row_check, drop},
#endif
	{NULL, NULL, NULL, NULL, NULL, NULL},
};

int main(void) {
	serve(about, tasks);
	return 0;
}
