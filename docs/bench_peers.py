"""How each learner of the benchmarks is called. One that is not installed does not take part."""
import os, pickle, shutil, subprocess, tempfile, time
from functools import cache, partial
from importlib.util import find_spec
from pathlib import Path
from typing import Callable, NamedTuple

import numpy as np

class Learner(NamedTuple):
    "How a learner is called."
    fit: Callable                           # of features, targets and weights: a model
    predict: Callable|None = None           # of a model and features: classes or numbers
    nodes: Callable = lambda model: None    # of a model
    file: Callable|None = None              # of a model: how many bytes it takes on disk

def like_sklearn(classifier, regressor, row, params):
    "A learner with the interface of scikit-learn."
    cls = regressor if row.classes == 0 else classifier
    def fit(X, y, w=None):
        return cls(criterion=row.criterion, max_depth=row.depth,
                   **params).fit(X, y, sample_weight=w)
    return Learner(fit, lambda model, X: model.predict(X),
                   lambda model: int(model.tree_.node_count))

def ours(row, **params):
    from dtree_lit.learners.cart import CARTClassifier, CARTRegressor
    return like_sklearn(CARTClassifier, CARTRegressor, row, params)

def sklearn(row, **params):
    from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor
    return like_sklearn(DecisionTreeClassifier, DecisionTreeRegressor, row,
                        dict(random_state=0) | params)

def encoded(row, encoder):
    "scikit-learn's tree behind the encoder that people put before it."
    from sklearn.compose import make_column_selector, make_column_transformer
    from sklearn.pipeline import make_pipeline
    from sklearn.tree import DecisionTreeClassifier
    def fit(X, y, w=None):
        columns = make_column_transformer((encoder(), make_column_selector(dtype_exclude="number")),
                                          remainder="passthrough")
        tree = DecisionTreeClassifier(criterion=row.criterion, max_depth=row.depth, random_state=0)
        return make_pipeline(columns, tree).fit(X, y)
    return Learner(fit, lambda model, X: model.predict(X),
                   lambda model: int(model[-1].tree_.node_count))

def levels(row):
    "Level by level in numpy, without a compiler."
    from dtree_lit.learners.levels import grow_levels
    def fit(X, y, w=None): return grow_levels(X, y, w, criterion=row.criterion, max_depth=row.depth)
    return Learner(fit, lambda tree, X: tree.codes[tree.apply(X), 0],
                   lambda tree: int(tree.node_count))

def ydf(row):
    "Its depth counts levels of nodes; its measure is the entropy, or the variance."
    import ydf
    def frame(X): return {f"x{j}": X[:, j] for j in range(X.shape[1])}
    def fit(X, y, w=None):
        return ydf.CartLearner(
            label="y", task=ydf.Task.CLASSIFICATION if row.classes else ydf.Task.REGRESSION,
            validation_ratio=0.0,
            max_depth=-1 if row.depth is None else row.depth + 1, min_examples=1,
            num_threads=1).train(frame(X) | {"y": y}, verbose=0)
    def predict(model, X):
        p = model.predict(frame(X), num_threads=1)
        if not row.classes: return p
        classes = np.array(model.label_classes()).astype(np.int64)
        return classes[p.argmax(1) if p.ndim == 2 else (p > 0.5).astype(int)]
    def nodes(model):
        todo, found = [model.get_tree(0).root], 0
        while todo:
            node, found = todo.pop(), found + 1
            if not node.is_leaf: todo += [node.neg_child, node.pos_child]
        return found
    return Learner(fit, predict, nodes)

def xgboost(row):
    "One tree of the exact method, which wants a depth; its measure is its own."
    import xgboost as x
    cls = x.XGBClassifier if row.classes else x.XGBRegressor
    return Learner(lambda X, y, w=None: cls(n_estimators=1, learning_rate=1, max_depth=row.depth,
                                            tree_method="exact",
                                            min_child_weight=0, reg_lambda=0, n_jobs=1).fit(X, y),
                   lambda model, X: model.predict(X),
                   lambda model: len(model.get_booster().trees_to_dataframe()))

def lightgbm(row):
    "One tree over 255 bins, best first; its measure is its own."
    import lightgbm as x
    cls = x.LGBMClassifier if row.classes else x.LGBMRegressor
    return Learner(lambda X, y, w=None: cls(n_estimators=1, learning_rate=1,
                                            max_depth=row.depth or -1,
                                            num_leaves=2**row.depth if row.depth else len(X) // 3,
                                            min_child_samples=1,
                                            min_child_weight=0, n_jobs=1, verbose=-1).fit(X, y),
                   lambda model, X: model.predict(X),
                   lambda model: 2 * model.booster_.dump_model()["tree_info"][0]["num_leaves"] - 1)

class Elsewhere(NamedTuple):
    "A model of another process, which took the time itself."
    wall: float
    cpu: float
    nodes: int

R = """
library(rpart); f <- file("{file}", "rb"); d <- data.frame(matrix(readBin(f, "double", {n} * {m}), {n})); y <- readBin(f, "double", {n})
d$y <- {y}; t <- system.time(fit <- rpart(y ~ ., d, method = "{method}", parms = {parms}, control = rpart.control(
minsplit = 2, minbucket = 1, cp = 0, maxdepth = {depth}, maxcompete = 0, maxsurrogate = 0, xval = 0)))
cat(t[["elapsed"]], t[["user.self"]] + t[["sys.self"]], nrow(fit$frame))
"""

def rpart(row):
    "In a process of its own, which reads the data before it looks at the clock; at most 30 deep."
    def fit(X, y, w=None):
        kind = dict(y="factor(y)", method="class",
                    parms=f'list(split = '
                          f'"{dict(entropy="information").get(row.criterion, row.criterion)}")')
        if not row.classes: kind = dict(y="y", method="anova", parms="NULL")
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / "data"
            file.write_bytes(np.asfortranarray(X, float).tobytes("F") + y.astype(float).tobytes())
            code = R.format(file=file.as_posix(), n=X.shape[0], m=X.shape[1],
                            depth=row.depth or 30, **kind)
            out = subprocess.run(["Rscript", "-e", code], capture_output=True, text=True,
                                 check=True).stdout.split()
        return Elsewhere(float(out[0]), float(out[1]), int(out[2]))
    return Learner(fit, None, lambda model: model.nodes)

def c45(row, **params):
    "As warm as J48: of eight fits the last five count."
    from dtree_lit import C45Classifier
    def fit(X, y, w=None):
        spent = []
        for _ in range(8):
            wall, cpu = time.perf_counter(), time.process_time()
            model = C45Classifier(**params).fit(X, y)
            spent.append((time.perf_counter() - wall, time.process_time() - cpu))
        return Elsewhere(*np.median(spent[-5:], axis=0), int(model.tree_.node_count))
    return Learner(fit, None, lambda model: model.nodes)

WEKA = Path(os.environ.get("WEKA", "/usr/share/java/weka.jar"))     # where Debian puts it
J48 = """
import java.io.*; import java.lang.management.*; import weka.classifiers.trees.J48; import weka.core.*;
public class Warm { public static void main(String[] a) throws Exception {
  Instances table = new Instances(new BufferedReader(new FileReader(a[0]))); table.setClassIndex(table.numAttributes() - 1);
  ThreadMXBean clock = ManagementFactory.getThreadMXBean();
  for (int i = 0; i < 15; i++) {
    J48 tree = new J48(); tree.setOptions(Utils.splitOptions(a[1]));
    long wall = System.nanoTime(), cpu = clock.getCurrentThreadCpuTime();
    tree.buildClassifier(table);
    System.out.println((System.nanoTime() - wall) / 1e9 + " " + (clock.getCurrentThreadCpuTime() - cpu) / 1e9 + " " + tree.measureTreeSize());
  } } }
"""

def arff(X, y):
    "A frame in Weka's format: categories by their codes."
    def kind(column):
        return ("{" + ",".join(map(str, range(len(column.cat.categories)))) + "}"
                if hasattr(column, "cat") else "numeric")
    def texts(column):
        if hasattr(column, "cat"):
            return ["?" if code < 0 else str(code) for code in column.cat.codes]
        return ["?" if v != v else repr(v) for v in column.tolist()]
    head = [f"@attribute a{j} {kind(X[name])}" for j, name in enumerate(X)]
    classes = ",".join(map(str, np.unique(y).tolist()))
    rows = map(",".join, zip(*(texts(X[name]) for name in X), map(str, y.tolist())))
    return "\n".join(["@relation table", *head, f"@attribute class {{{classes}}}", "@data",
                      *rows]) + "\n"

def j48(row, pruning="error_based"):
    "In a process of its own, warm: fifteen trees, of which the last five count."
    def fit(X, y, w=None):
        with tempfile.TemporaryDirectory() as folder:
            table, code = Path(folder) / "table.arff", Path(folder) / "Warm.java"
            table.write_text(arff(X, y)), code.write_text(J48)
            call = ["java", "-cp", str(WEKA), str(code), str(table),
                    "-C 0.25 -M 2" if pruning else "-U -M 2"]
            out = subprocess.run(call, capture_output=True, text=True, check=True).stdout
        wall, cpu, nodes = np.median([[float(v) for v in line.split()]
                                      for line in out.splitlines()[-5:]], axis=0)
        return Elsewhere(wall, cpu, int(nodes))
    return Learner(fit, None, lambda model: model.nodes)

def by(criterion, learner):
    "A learner with one measure, whatever the row says."
    return lambda row, **params: learner(row._replace(criterion=criterion), **params)

# Forests: as many trees, the root of the number of features at each node, grown until nothing is
# left to divide

TREES, FOREST = 20, "20 trees"

def our_forest(row):
    from dtree_lit import ForestClassifier, save
    def fit(X, y, w=None):
        return ForestClassifier(TREES, criterion=row.criterion, max_depth=row.depth,
                                random_state=0).fit(X, y)
    def file(model):
        with tempfile.TemporaryDirectory() as folder:
            save(model, Path(folder) / "forest.json")
            return (Path(folder) / "forest.json").stat().st_size
    return Learner(fit, lambda model, X: model.predict(X),
                   lambda model: int(sum(tree.node_count for tree in model.trees_)), file)

def sklearn_forest(row):
    from sklearn.ensemble import RandomForestClassifier
    def fit(X, y, w=None):
        return RandomForestClassifier(TREES, criterion=row.criterion, max_depth=row.depth,
                                      random_state=0).fit(X, y)
    return Learner(fit, lambda model, X: model.predict(X),
                   lambda model: sum(tree.tree_.node_count for tree in model.estimators_),
                   lambda model: len(pickle.dumps(model)))

def ydf_forest(row):
    "By the entropy; out-of-bag errors, which it adds by default, are left out."
    import ydf
    def frame(X): return {f"x{j}": X[:, j] for j in range(X.shape[1])}
    def fit(X, y, w=None):
        return ydf.RandomForestLearner(label="y", num_trees=TREES, max_depth=-1, min_examples=1,
                                       compute_oob_performances=False,
                                       num_threads=1).train(frame(X) | {"y": y}, verbose=0)
    return Learner(fit, lambda model, X: model.predict(frame(X), num_threads=1) > 0.5)

def lightgbm_forest(row):
    """Over 255 bins; rows are drawn without replacement, as many as others draw at least once.
    More leaves than it grows would make it slow."""
    import lightgbm as x
    def fit(X, y, w=None):
        return x.LGBMClassifier(boosting_type="rf", n_estimators=TREES,
                                num_leaves=max(len(X) // 6, 2), subsample=0.632, subsample_freq=1,
                                feature_fraction_bynode=X.shape[1]**-0.5, min_child_samples=1,
                                min_child_weight=0, n_jobs=1, verbose=-1).fit(X, y)
    return Learner(fit, lambda model, X: model.predict(X))

def intelex_forest(row):
    "Over 256 bins."
    import daal4py
    from sklearnex.ensemble import RandomForestClassifier
    daal4py.daalinit(1)                                 # one thread
    return Learner(lambda X, y, w=None: RandomForestClassifier(TREES, random_state=0, n_jobs=1).fit(
        X, y), lambda model, X: model.predict(X))

def daal_forest(row):
    "The exact method of the same library, which its public estimators do not offer."
    import daal4py
    def fit(X, y, w=None):
        daal4py.daalinit(1)
        return daal4py.decision_forest_classification_training(
            nClasses=2, method="defaultDense", nTrees=TREES, featuresPerNode=int(X.shape[1]**0.5),
            minObservationsInLeafNode=1, maxTreeDepth=0,
            engine=daal4py.engines_mt2203(seed=1), bootstrap=True,
            observationsPerTreeFraction=1.0).compute(X, y.reshape(-1, 1).astype(float)).model
    def predict(model, X):
        return daal4py.decision_forest_classification_prediction(nClasses=2).compute(
            X, model).prediction[:, 0]
    return Learner(fit, predict)

# Neighbors: to fit is to build and to ask, and the model is what was built and the rows that were
# found

NEAREST = 5

def asked(build, ask):
    "A structure that is built of points, and asked for rows."
    def fit(X, Q, w=None):
        built = build(X)
        return built, ask(built, Q)
    return Learner(fit, lambda model, Q: ask(model[0], Q))

def our_points(row):
    from dtree_lit.models.knn import Brute
    from dtree_lit.models.nearest_points import KDTree
    return asked(Brute if row.option == "brute" else KDTree,
                 lambda built, Q: built.query(Q, NEAREST)[1])

def sklearn_points(row):
    from sklearn.neighbors import KDTree, NearestNeighbors
    if row.option == "brute":
        return asked(lambda X: NearestNeighbors(algorithm="brute").fit(X),
                     lambda built, Q: built.kneighbors(Q, NEAREST)[1])
    return asked(KDTree, lambda built, Q: built.query(Q, NEAREST)[1])

def scipy_points(row):
    from scipy.spatial import cKDTree
    return asked(cKDTree, lambda built, Q: built.query(Q, NEAREST)[1])

def pykdtree_points(row):
    from pykdtree.kdtree import KDTree
    return asked(KDTree, lambda built, Q: built.query(Q, NEAREST)[1])

def faiss_points(row):
    "In float32, without a check in float64."
    import faiss
    faiss.omp_set_num_threads(1)
    def build(X):
        built = faiss.IndexFlatL2(X.shape[1])
        built.add(X.astype(np.float32))
        return built
    return asked(build, lambda built, Q: built.search(Q.astype(np.float32), NEAREST)[1])

# Logistic regression: maximum likelihood, to a slope of SLOPE; the model is its coefficients, the
# constant last

SLOPE = 1e-10

def slope(X, y, b):
    "The largest slope that is left, over the largest one at zero; columns in units of their size."
    Z = np.column_stack([X, np.ones(len(X))])
    size = np.sqrt((Z * Z).mean(axis=0))
    Z /= size
    p = 1 / (1 + np.exp(-Z @ (b * size)))
    return abs(Z.T @ (y - p)).max() / abs(Z.T @ (y - 0.5)).max()

def coefficients(make):
    "A learner of these alone."
    def fit(X, y, w=None):
        model = make().fit(X, y)
        return np.append(model.coef_, model.intercept_)
    return Learner(fit)

def our_logistic(row):
    from dtree_lit import LogisticClassifier
    return coefficients(lambda: LogisticClassifier(tol=SLOPE))

def sklearn_logistic(row, solver):
    from sklearn.linear_model import LogisticRegression
    return coefficients(lambda: LogisticRegression(C=np.inf, solver=solver, tol=SLOPE,
                                                   max_iter=20_000))

def statsmodels_logistic(row):
    from statsmodels.api import Logit
    def fit(X, y, w=None):
        return np.asarray(Logit(y, np.column_stack([X, np.ones(len(X))])).fit(
            method="newton", tol=SLOPE, maxiter=200, disp=0).params)
    return Learner(fit)

def one_hot(row):
    from sklearn.preprocessing import OneHotEncoder
    return encoded(row, partial(OneHotEncoder, handle_unknown="ignore"))

def ordinal(row):
    from sklearn.preprocessing import OrdinalEncoder
    return encoded(row,
                   partial(OrdinalEncoder, handle_unknown="use_encoded_value", unknown_value=-1))

def sdr(row):
    "The tree of words and numbers, of numbers alone and until nothing is left to divide."
    from dtree_lit import SDRTreeRegressor
    return Learner(lambda X, y, w=None: SDRTreeRegressor(min_share=0,
                                                         max_depth=row.depth).fit(X, y),
                   lambda model, X: model.predict(X),
                   lambda model: int(model.tree_.node_count))

LEARNERS = dict(ours=ours, sklearn=sklearn, levels=levels, ydf=ydf, xgboost=xgboost,
                lightgbm=lightgbm, rpart=rpart, c45=c45, j48=j48, sdr=sdr, ordinal=ordinal)
LEARNERS |= {"one-hot": one_hot}
LEARNERS |= {f"{name}, {criterion}": by(criterion, LEARNERS[name]) for name in ("ours", "sklearn")
             for criterion in ("gini", "entropy")}
LEARNERS |= {"ours, sdr": by("sdr", ours), "sklearn, squared_error": by("squared_error", sklearn)}
OF_KIND = dict(
    forest={"ours": our_forest, "sklearn": sklearn_forest, "ydf": ydf_forest,
            "lightgbm": lightgbm_forest, "intelex": intelex_forest,
            "intelex, exact": daal_forest},
    neighbors=dict(ours=our_points, sklearn=sklearn_points, scipy=scipy_points,
                   pykdtree=pykdtree_points, faiss=faiss_points),
    logistic={"ours": our_logistic,
              "newton-cholesky": partial(sklearn_logistic, solver="newton-cholesky"),
              "lbfgs": partial(sklearn_logistic, solver="lbfgs"),
              "statsmodels": statsmodels_logistic})

@cache
def cluster():
    "Two workers of one thread each."
    from distributed import Client, LocalCluster
    return Client(LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0"))

def on_dask(row, X, y):
    "Our tree on these workers, who have the rows already."
    import dask.array as da
    from distributed import wait
    from dtree_lit.dask import DaskCARTClassifier
    model, chunk = DaskCARTClassifier(criterion=row.criterion, max_depth=row.depth,
                                      client=cluster()), -(-len(X) // 8)
    shards = model.shards_of(da.from_array(X, chunks=(chunk, X.shape[1])),
                             da.from_array(y, chunks=chunk))
    wait(shards.states)
    return lambda: model._grown_on(shards), Learner(None, nodes=lambda tree: int(tree.node_count))

def xgboost_on_dask(row, X, y):
    "One tree over 256 bins, on the same workers, who have the rows already; it makes bins, too."
    import dask.array as da
    from distributed import wait
    from xgboost import dask as x
    client, chunk = cluster(), -(-len(X) // 8)
    X, y = client.persist([da.from_array(X, chunks=(chunk, X.shape[1])),
                           da.from_array(y, chunks=chunk)])
    wait([X, y])
    rules = dict(objective="binary:logistic", tree_method="hist", max_depth=row.depth,
                 learning_rate=1, min_child_weight=0, reg_lambda=0)
    def fit(): return x.train(client, rules, x.DaskQuantileDMatrix(client, X, y), 1)["booster"]
    return fit, Learner(None, nodes=lambda model: len(model.trees_to_dataframe()))

ON_DASK = dict(dask=on_dask, xgboost=xgboost_on_dask)

def learner_of(name, row, **params):
    "How this learner is called in this row."
    kind = "forest" if row.option.startswith(FOREST) else row.group
    return OF_KIND.get(kind, LEARNERS)[name](row, **params)

PACKAGES = {name: name for name in ("ydf", "xgboost", "lightgbm", "pykdtree", "faiss",
                                    "statsmodels")}
PACKAGES |= {"dask": "distributed", "intelex": "sklearnex", "intelex, exact": "daal4py"}

@cache
def installed(name):
    "Can this learner take part?"
    if name == "rpart":
        return (bool(shutil.which("Rscript"))
                and subprocess.run(["Rscript", "-e", "library(rpart)"],
                                   capture_output=True).returncode == 0)
    if name == "j48": return bool(shutil.which("javac")) and WEKA.exists()
    return name not in PACKAGES or find_spec(PACKAGES[name]) is not None
