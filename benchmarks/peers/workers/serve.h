/* The side of a benchmark's program in C and C++: commands and answers are those of
   internal/worker/worker.go. A program defines its tasks and calls serve. */
#ifndef SERVE_H
#define SERVE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct task {
	const char *name;
	void (*setup)(void);
	void (*before)(void); /* brings the input back before each run; may be null */
	void (*run)(void);
	int (*check)(double *values); /* writes at most 8 numbers of the last result */
	void (*drop)(void);
};

static char *parameters[16]; /* key=value, null at the end */

static const char *text(const char *key) {
	size_t length = strlen(key);
	for (int i = 0; parameters[i]; i++)
		if (!strncmp(parameters[i], key, length) && parameters[i][length] == '=')
			return parameters[i] + length + 1;
	fprintf(stderr, "the parameter %s is missing\n", key);
	exit(1);
}

static long integer(const char *key) { return atol(text(key)); }

/* allocate returns room for n numbers, aligned to a cache line. */
static double *allocate(size_t n) {
	void *p;
	if (posix_memalign(&p, 64, n * sizeof(double))) {
		fprintf(stderr, "out of memory\n");
		exit(1);
	}
	return (double *)p;
}

/* numbers returns n numbers from the file that a parameter names, without the first few. */
static double *numbers(const char *key, size_t skip, size_t n) {
	double *x = allocate(n);
	FILE *file = fopen(text(key), "rb");
	if (!file || fseek(file, (long)(skip * sizeof *x), SEEK_SET) || fread(x, sizeof *x, n, file) != n) {
		fprintf(stderr, "%s: too short, or not there\n", text(key));
		exit(1);
	}
	fclose(file);
	return x;
}

static inline double now(clockid_t clock) {
	struct timespec t;
	clock_gettime(clock, &t);
	return t.tv_sec + 1e-9 * t.tv_nsec;
}

static void print(const char *name, const double *values, int n) {
	printf("\"%s\": [", name);
	for (int i = 0; i < n; i++)
		printf(i ? ", %.17g" : "%.17g", values[i]);
	printf("]");
}

static void serve(const char *(*about)(void), const struct task *tasks) {
	char line[4096];
	const struct task *t = NULL;
	while (fgets(line, sizeof line, stdin)) {
		char *command = strtok(line, " \n"), *argument = strtok(NULL, " \n");
		if (!command) {
			printf("{\"error\": \"an empty command\"}\n");
		} else if (!strcmp(command, "about")) {
			printf("{\"about\": \"%s\"}\n", about());
		} else if (!strcmp(command, "setup") && argument) {
			int n = 0;
			while (n < 15 && (parameters[n] = strtok(NULL, " \n")))
				n++;
			for (t = tasks; t->name && strcmp(t->name, argument); t++)
				;
			if (t->name) {
				t->setup();
				printf("{}\n");
			} else {
				t = NULL;
				printf("{\"error\": \"no such task\"}\n");
			}
		} else if (!t) {
			printf("{\"error\": \"there is no task\"}\n");
		} else if (!strcmp(command, "run") && argument) {
			double seconds[100], processor[100];
			int n = atoi(argument) < 100 ? atoi(argument) : 100;
			for (int i = 0; i < n; i++) {
				if (t->before)
					t->before();
				double used = now(CLOCK_PROCESS_CPUTIME_ID), start = now(CLOCK_MONOTONIC);
				t->run();
				seconds[i] = now(CLOCK_MONOTONIC) - start;
				processor[i] = now(CLOCK_PROCESS_CPUTIME_ID) - used;
			}
			printf("{");
			print("seconds", seconds, n);
			printf(", ");
			print("processor", processor, n);
			printf("}\n");
		} else if (!strcmp(command, "check")) {
			double values[8];
			int n = t->check(values);
			printf("{");
			print("check", values, n);
			printf("}\n");
		} else if (!strcmp(command, "drop")) {
			t->drop();
			t = NULL;
			printf("{}\n");
		} else {
			printf("{\"error\": \"no such command\"}\n");
		}
		fflush(stdout);
	}
}

#endif
