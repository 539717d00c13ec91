"""The benchmark's tasks with NumPy, SciPy and scikit-learn.

Commands and answers are those of internal/worker/worker.go.
"""

import json
import sys
import time
import warnings

import numpy as np
import scipy
import scipy.linalg
from scipy.linalg import blas
import sklearn
from sklearn.decomposition import KernelPCA
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.svm import SVC
from threadpoolctl import threadpool_info


def numbers(name, skip, *shape):
    count = int(np.prod(shape))
    return np.fromfile(name, dtype="<f8", count=count, offset=8 * skip).reshape(shape)


class Gram:
    """The rbf kernel matrix of n rows of d features by scikit-learn."""

    def __init__(self, p):
        self.x = numbers(p["numbers"], 0, int(p["n"]), int(p["d"]))
        self.gamma = float(p["gamma"])

    def before(self):
        self.k = None

    def run(self):
        self.k = rbf_kernel(self.x, gamma=self.gamma)

    def check(self):
        n = len(self.k)
        return [self.k[1, 0], self.k[n - 1, n // 2], self.k[n - 1, n - 1]]


class Exp:
    """y = e^x of n numbers, over and over."""

    def __init__(self, p):
        self.x = numbers(p["numbers"], 0, int(p["n"]))
        self.y = np.empty_like(self.x)
        self.turns = int(p["turns"])

    def run(self):
        for _ in range(self.turns):
            np.exp(self.x, out=self.y)

    def check(self):
        return [self.y[0], self.y[-1]]


class Transform:
    """Projections of new rows: rbf_kernel, then the product with the coefficients."""

    def __init__(self, p):
        n, d, m = int(p["n"]), int(p["d"]), int(p["new"])
        self.x = numbers(p["rows"], 0, n, d)
        self.y = numbers(p["rows"], n * d, m, d)
        self.alpha = np.fromfile(p["alpha"], dtype="<f8").reshape(n, -1)
        self.gamma = float(p["gamma"])
        self.turns = int(p["turns"])

    def run(self):
        for _ in range(self.turns):
            self.z = rbf_kernel(self.y, self.x, gamma=self.gamma) @ self.alpha

    def check(self):
        return [self.z[0, 0], self.z[-1, -1]]


def gaussian_kernel(x, gamma):
    """exp(-gamma ||x - y||^2) in one n x n array, a few rows in the cache at a time."""
    y = x * np.sqrt(2 * gamma)
    half = np.einsum("ij,ij->i", y, y) / 2
    k = y @ y.T  # dsyrk and a mirrored copy
    for i in range(0, len(k), 32):
        tile = k[i : i + 32]
        tile -= half[i : i + 32, None]
        tile -= half
        np.minimum(tile, 0, out=tile)
        np.exp(tile, out=tile)
    return k


def normalized_classes(labels, classes):
    """E: 1/sqrt(l_j) where the row is in class j, and the class sizes."""
    size = np.bincount(labels, minlength=classes)
    e = np.zeros((len(labels), classes))
    e[np.arange(len(labels)), labels] = 1 / np.sqrt(size[labels])
    return e, size


def contrasts(e, size):
    """An orthonormal basis of the columns of E, but for the constant one."""
    first = np.sqrt(size / size.sum())
    basis, _ = np.linalg.qr(np.column_stack([first, np.eye(len(size))[:, 1:]]))
    return e @ basis[:, 1:]


def discriminant_ridge(x, labels, classes, gamma, epsilon):
    """M alpha = lambda (N + eps I) alpha by one Cholesky factorization of N + eps I."""
    k = gaussian_kernel(x, gamma)
    e, size = normalized_classes(labels, classes)
    ke = k @ e
    kq = k @ contrasts(e, size)
    s = blas.dsyrk(1.0, k.T, lower=1)
    s = blas.dsyrk(-1.0, np.asfortranarray(ke), beta=1.0, c=s, lower=1, overwrite_c=1)
    s.ravel(order="K")[:: len(s) + 1] += epsilon
    factor = scipy.linalg.cho_factor(s, lower=True, overwrite_a=True, check_finite=False)
    z = scipy.linalg.cho_solve(factor, kq, check_finite=False)
    eigenvalues, v = np.linalg.eigh(kq.T @ z)
    return eigenvalues[::-1], (z @ (v / np.sqrt(eigenvalues)))[:, ::-1]


def discriminant_rkhs(x, labels, classes, gamma, epsilon):
    """The same with N + eps K, by one Cholesky factorization of HKH + eps I."""
    k = gaussian_kernel(x, gamma)
    e, size = normalized_classes(labels, classes)
    q = contrasts(e, size)
    mean = k.mean(axis=0)
    for i in range(0, len(k), 32):
        tile = k[i : i + 32]
        tile -= mean[i : i + 32, None] - mean.mean()
        tile -= mean
    kq = k @ q
    k.ravel()[:: len(k) + 1] += epsilon
    factor = scipy.linalg.cho_factor(k.T, lower=True, overwrite_a=True, check_finite=False)
    z = scipy.linalg.cho_solve(factor, q, check_finite=False)
    eigenvalues, gamma = scipy.linalg.eigh(kq.T @ z, epsilon * (q.T @ z))
    scale = np.sqrt((1 + eigenvalues) / eigenvalues)
    return eigenvalues[::-1], (z @ (gamma * scale))[:, ::-1]


def discriminant_textbook(x, labels, classes, gamma, epsilon):
    """M and N formed, and SciPy's generalized eigensolver."""
    k = rbf_kernel(x, gamma=gamma)
    m = np.zeros_like(k)
    n = epsilon * np.eye(len(k))
    overall = k.mean(axis=1)
    for j in range(classes):
        kj = k[:, labels == j]
        mean = kj.mean(axis=1)
        m += kj.shape[1] * np.outer(mean - overall, mean - overall)
        kj -= mean[:, None]
        n += kj @ kj.T
    eigenvalues, alpha = scipy.linalg.eigh(m, n)
    return eigenvalues[::-1][: classes - 1], alpha[:, ::-1][:, : classes - 1]


class Fit:
    """A whole fit. The numbers to check are the largest and the smallest eigenvalue."""

    methods = {
        "ridge": discriminant_ridge,
        "rkhs": discriminant_rkhs,
        "textbook": discriminant_textbook,
    }

    def __init__(self, p):
        n = int(p["n"])
        self.x = numbers(p["rows"], 0, n, int(p["d"]))
        self.classes = int(p["classes"])
        self.labels = np.arange(n) % self.classes
        self.gamma, self.epsilon = float(p["gamma"]), float(p["epsilon"])
        self.method = self.methods[p["method"]]

    def run(self):
        self.eigenvalues, self.alpha = self.method(
            self.x, self.labels, self.classes, self.gamma, self.epsilon
        )

    def check(self):
        return [self.eigenvalues[0], self.eigenvalues[-1]]


class Ridge:
    """scikit-learn's kernel ridge regression on a column of zeros and ones a class.

    The numbers to check are two coefficients.
    """

    def __init__(self, p):
        n, classes = int(p["n"]), int(p["classes"])
        self.x = numbers(p["rows"], 0, n, int(p["d"]))
        self.y = np.eye(classes)[np.arange(n) % classes]
        self.model = KernelRidge(kernel="rbf", gamma=float(p["gamma"]), alpha=float(p["epsilon"]))

    def run(self):
        self.model.fit(self.x, self.y)

    def check(self):
        return [self.model.dual_coef_[0, 0], self.model.dual_coef_[-1, -1]]


class Components:
    """Kernel PCA. The numbers to check are the first and the last eigenvalue."""

    def __init__(self, p):
        self.x = numbers(p["rows"], 0, int(p["n"]), int(p["d"]))
        self.model = KernelPCA(
            int(p["components"]),
            kernel="rbf",
            gamma=float(p["gamma"]),
            eigen_solver=p["solver"],
            random_state=0,
        )

    def run(self):
        self.model.fit(self.x)

    def check(self):
        return [self.model.eigenvalues_[0], self.model.eigenvalues_[-1]]


class Machine:
    """A support vector machine.

    The numbers to check are the rows that support it or, of a linear one, the objective.
    """

    def __init__(self, p):
        n = int(p["n"])
        self.x = numbers(p["rows"], 0, n, int(p["d"]))
        self.y = numbers(p["labels"], 0, n).astype(int)
        kernel = {"kernel": "linear"} if "kernel" in p else {"gamma": float(p["gamma"])}
        self.model = SVC(C=float(p["C"]), tol=1e-3, cache_size=200, **kernel)

    def run(self):
        self.model.fit(self.x, self.y)

    def check(self):
        if self.model.kernel == "linear":
            w = self.model.coef_
            return [np.abs(self.model.dual_coef_).sum() - (w @ w.T).item() / 2]
        return sorted(int(i) for i in self.model.support_)


class Read:
    """Reads a file with NumPy or pandas. The numbers to check are the first and the last of the features."""

    def __init__(self, p):
        self.file, self.pandas = p["csv"], "pandas" in p
        if self.pandas:
            import pandas

            self.frame = pandas.read_csv

    def before(self):
        self.x = None

    def run(self):
        if self.pandas:
            self.x = self.frame(self.file, header=None, engine="c").to_numpy()
        else:
            self.x = np.loadtxt(self.file, delimiter=",")

    def check(self):
        return [self.x[0, 0], self.x[-1, -2]]


def accuracy(model, x, y):
    return np.mean(model.predict(x).argmax(axis=1) == y.argmax(axis=1))


class Choose:
    """A search over gamma and the ridge by cross-validation. The number to check is the best accuracy."""

    def __init__(self, p):
        n = int(p["n"])
        self.x = numbers(p["rows"], 0, n, int(p["d"]))
        labels = numbers(p["labels"], 0, n).astype(int)
        self.y = np.eye(labels.max() + 1)[labels]
        folds = StratifiedKFold(int(p["folds"]), shuffle=True, random_state=0)
        jobs = int(p["jobs"])
        self.search = GridSearchCV(
            KernelRidge(kernel="rbf"),
            {
                "gamma": [float(g) for g in p["gammas"].split(",")],
                "alpha": np.logspace(-8, 2, int(p["ridges"])),
            },
            scoring=accuracy,
            cv=list(folds.split(self.x, labels)),
            refit=False,
            n_jobs=None if jobs == 1 else jobs,
        )

    def run(self):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of ill-conditioned matrices
            self.search.fit(self.x, self.y)

    def check(self):
        return [self.search.cv_results_["mean_test_score"].max()]


tasks = {
    "gram": Gram,
    "exp": Exp,
    "transform": Transform,
    "fit": Fit,
    "kernelridge": Ridge,
    "pca": Components,
    "machine": Machine,
    "choose": Choose,
    "read": Read,
}


def about():
    libraries = {
        f"{i['internal_api']} {i['version'] or ''} {i.get('architecture', '')} {i['num_threads']} thread(s)"
        for i in threadpool_info()
    }
    return (
        f"Python {sys.version.split()[0]}, NumPy {np.__version__}, SciPy {scipy.__version__}, "
        f"scikit-learn {sklearn.__version__} on " + " and ".join(sorted(libraries))
    )


def peak_memory():
    with open("/proc/self/status") as status:
        for line in status:
            if line.startswith("VmHWM:"):
                return 1024.0 * int(line.split()[1])
    raise ValueError("/proc/self/status has no VmHWM")


def times(task, repetitions):
    """The time of each run, and the time of all processors in it."""
    seconds, processor = [], []
    for _ in range(repetitions):
        if hasattr(task, "before"):
            task.before()
        used, start = time.process_time(), time.perf_counter()
        task.run()
        seconds.append(time.perf_counter() - start)
        processor.append(time.process_time() - used)
    return {"seconds": seconds, "processor": processor}


def main():
    task = None
    for line in iter(sys.stdin.readline, ""):
        command, *words = line.split()
        try:
            reply = {}
            if command == "about":
                reply["about"] = about()
            elif command == "setup":
                task = tasks[words[0]](dict(w.split("=", 1) for w in words[1:]))
            elif command == "run":
                reply = times(task, int(words[0]))
            elif command == "check":
                reply["check"] = [float(v) for v in task.check()]
            elif command == "memory":
                reply["value"] = peak_memory()
            elif command == "drop":
                task = None
            else:
                reply["error"] = f"no such command: {command}"
        except Exception as error:
            reply = {"error": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)


main()
