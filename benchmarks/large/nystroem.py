# Nystroem features and a ridge classifier of scikit-learn on the first rows of a table:
# train, test, output, rows, landmarks, gamma. Texts become indicators, and all is scaled to [0, 1].
import sys
import pandas as pd
from sklearn.compose import make_column_transformer
from sklearn.kernel_approximation import Nystroem
from sklearn.linear_model import RidgeClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, MinMaxScaler

train, test, out, rows, landmarks, gamma = sys.argv[1:]
t = pd.read_csv(train, nrows=int(rows))
x, y = t.drop(columns="label"), t["label"]
texts = [c for c in x if x[c].dtype == object]
columns = make_column_transformer((OneHotEncoder(sparse=False, handle_unknown="ignore"), texts), remainder="passthrough")
model = make_pipeline(columns, MinMaxScaler(), Nystroem(gamma=float(gamma), n_components=int(landmarks), random_state=1),
                      RidgeClassifier(alpha=1.0))
model.fit(x, y)
t = pd.read_csv(test)
with open(out, "w") as f:
    f.write("row,prediction,decision\n")
    for at in range(0, len(t), 10000):
        some = t.iloc[at : at + 10000].drop(columns="label")
        for i, (p, v) in enumerate(zip(model.predict(some), model.decision_function(some))):
            f.write(f"{at + i},{p},{v!r}\n")
