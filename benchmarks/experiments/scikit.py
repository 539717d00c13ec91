"""scikit-learn's classifiers on standardised columns, in given splits of a table.

The standard input is a line of JSON, {"labels", "splits": the training rows of each,
"few": how many splits are for a search}, and then the table, 64-bit floats row by row.
Without input it only says which version it is.
"""

import json
import sys
import warnings

import numpy as np
import sklearn
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.svm import SVC

warnings.simplefilter("ignore")


def scaled(classifier):
    return make_pipeline(StandardScaler(), classifier)


def grid(d):
    return GridSearchCV(scaled(SVC()), {"svc__C": [0.1, 1, 10, 100, 1000], "svc__gamma": [4.0**k / d for k in range(-3, 4)]})


def judge(name, classifier, x, labels, splits):
    marks = {"Name": name, "Errors": [], "LogLoss": []}
    for train in splits:
        test = np.setdiff1d(np.arange(len(x)), train)
        classifier.fit(x[train], labels[train])
        marks["Errors"].append(int(np.sum(classifier.predict(x[test]) != labels[test])))
        if hasattr(classifier, "predict_proba"):
            p = classifier.predict_proba(x[test])[np.arange(len(test)), labels[test]]
            marks["LogLoss"].append(float(-np.log(np.maximum(p, 2.0**-52)).mean()))
    return marks


line = sys.stdin.buffer.readline()
if not line:
    print(sklearn.__version__)
    sys.exit()
task = json.loads(line)
labels, splits = np.array(task["labels"]), task["splits"]
x = np.frombuffer(sys.stdin.buffer.read(), "<f8").reshape(len(labels), -1)
print(json.dumps([
    judge("SVC", scaled(SVC()), x, labels, splits),
    judge("sklearn LDA", scaled(LinearDiscriminantAnalysis()), x, labels, splits),
    judge("SVC, grid", grid(x.shape[1]), x, labels, splits[: task["few"]]),
]))
