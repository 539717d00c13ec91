/* The benchmark's tasks with Eigen. */
#include "serve.h"

#include <Eigen/Core>

using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

static Matrix a, b, c;

static Matrix square(long n, size_t skip) {
	double *x = numbers("numbers", skip, (size_t)n * n);
	Matrix m = Eigen::Map<Matrix>(x, n, n);
	free(x);
	return m;
}

static void setup() {
	long n = integer("n");
	a = square(n, 0);
	b = square(n, 1000);
	c.resize(n, n);
}

static void product() { c.noalias() = a * b; }

static int check(double *values) {
	long n = c.rows();
	values[0] = c(0, 0);
	values[1] = c(n / 2, 1);
	values[2] = c(n - 1, n - 1);
	return 3;
}

static void drop() { a = b = c = Matrix(); }

static const char *about() {
	static char s[200];
	snprintf(s, sizeof s, "Eigen %d.%d.%d, %s, %d thread(s), gcc " __VERSION__, EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
	         EIGEN_MINOR_VERSION, Eigen::SimdInstructionSetsInUse(), Eigen::nbThreads());
	return s;
}

static const struct task tasks[] = {
	{"product", setup, nullptr, product, check, drop},
	{nullptr, nullptr, nullptr, nullptr, nullptr, nullptr},
};

int main() { serve(about, tasks); }
