"""AUC of scikit-learn's detectors of rows unlike those of training.

The standard input is a line of JSON, {"splits": [{"train", "test", "new"}, ...]} with numbers of
rows, and then the table, 64-bit floats row by row.
"""

import json
import sys

import numpy as np
from sklearn.ensemble import IsolationForest
from sklearn.metrics import roc_auc_score
from sklearn.svm import OneClassSVM

task = json.loads(sys.stdin.buffer.readline())
x = np.frombuffer(sys.stdin.buffer.read(), "<f8").reshape(task["rows"], -1)
found = {}
for seed, split in enumerate(task["splits"]):
    test = split["test"] + split["new"]
    new = np.r_[np.zeros(len(split["test"])), np.ones(len(split["new"]))]
    for name, detector in [
        ("OneClassSVM()", OneClassSVM()),
        ("OneClassSVM(nu=0.1)", OneClassSVM(nu=0.1)),
        ("OneClassSVM(nu=0.01)", OneClassSVM(nu=0.01)),
        ("IsolationForest()", IsolationForest(random_state=seed)),
        ("IsolationForest(n_estimators=1000)", IsolationForest(n_estimators=1000, random_state=seed)),
    ]:
        detector.fit(x[split["train"]])
        found.setdefault(name, []).append(roc_auc_score(new, -detector.score_samples(x[test])))
print(json.dumps(found))
