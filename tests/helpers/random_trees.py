"Trees and rows by lot, and walks through them by plain code."
import numpy as np
from dtree_lit.trees.batch_walk import IN_SHARES
from dtree_lit.trees.nodes import Schema, TYPES, walk
from dtree_lit.trees.tree import Tree, from_sklearn
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

@st.composite
def trees(draw, thresholds_only=False):
    """A tree with thresholds, tables, tests for missing values, nodes that do not know every
    child, and branches that hang in the air."""
    m = draw(st.integers(1, 4))
    categories = tuple(None if thresholds_only
                       else draw(st.one_of(st.none(),
                                           st.integers(1, 5).map(lambda K: tuple("abcde"[:K]))))
                       for _ in range(m))
    K = draw(st.integers(1, 3))
    nodes, todo = [None], [0]
    while todo:
        k = todo.pop(draw(st.integers(0, len(todo) - 1)))
        f = draw(st.integers(0, m - 1))
        if len(nodes) > 40 or not draw(st.integers(0, 3)):
            nodes[k] = (-1, 0, -2, np.nan, None, -1)
            continue
        w = 2 if categories[f] is None else draw(st.integers(1, 3))
        # nothing leads to these
        if draw(st.booleans()): nodes += [(-1, 0, -2, np.nan, None, -1)] * draw(st.integers(0, 2))
        table = (None if categories[f] is None
                 else draw(st.lists(st.integers(-1, w - 1), min_size=len(categories[f]),
                                    max_size=len(categories[f]))))
        t = draw(st.sampled_from([np.nan, -np.inf, np.inf, -1.0, 0.0, 0.5, 1.0]))
        nodes[k] = (len(nodes), w, f, t, table,
                    draw(st.integers(0 if thresholds_only and draw(st.booleans()) else -1, w - 1)))
        todo += range(len(nodes), len(nodes) + w)
        nodes += [None] * w
    first, width, feature, t, tables, missing = zip(*nodes)
    start, branch = [], []
    for table in tables:
        start.append(-1 if table is None else len(branch))
        branch += table or []
    schema = Schema(tuple(f"x{f}" for f in range(m)), categories, (tuple(range(K)),),
                    draw(st.sampled_from(["entropy", "gini", "misclassification"])),
                    unseen=draw(st.sampled_from(["ends", "missing"])))
    counts = draw(st.lists(st.lists(st.integers(0, 9), min_size=K, max_size=K), min_size=len(nodes),
                           max_size=len(nodes)))
    raw = dict(feature=feature, t=t, first=first, counts=np.array(counts, float), width=width,
               start=start, branch=branch, missing=missing)
    return Tree.of(schema, **raw), raw | dict(as_missing=schema.unseen == "missing")

values = st.sampled_from([-np.inf, -2.0, -1.0, -0.0, 0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 4.0, 5.0, 1e30,
                          np.inf, np.nan])

def rows(draw, tree, n):
    return np.array(draw(st.lists(values, min_size=n * tree.n_features,
                                  max_size=n * tree.n_features))).reshape(n, tree.n_features)

def base(name):
    """A tree of every kind: thresholds, gaps, tables, several outputs, numbers, shares, given
    values, a leaf."""
    X, y = load_iris(return_X_y=True)
    if name in ("classes", "outputs", "given"):
        tree = from_sklearn(DecisionTreeClassifier(max_depth=4,
                                                   random_state=0).fit(X, np.stack([y, y % 2], 1)
                                                                       if name == "outputs" else y))
    if name == "numbers":
        tree = from_sklearn(DecisionTreeRegressor(max_depth=3,
                                                  random_state=0).fit(
            np.where(X > 5, np.nan, X), X[:, 3]))
    if name == "given":
        tree = tree._replace(values=(tree.counts + 1) / (tree.weight + 3)[:, None, None])
    if name in ("tables", "shares"):
        tree = Tree.of(Schema(("x", "colour"), (None, ("red", "green", "blue")), (("a", "b"),),
                              "gini"), [0, 1, 1, -2, -2, -2, -2, -2], [0.1] + [0] * 7,
                       [1, 3, 5] + [-1] * 5, np.ones((8, 2)),
                       width=[2, 2, 3] + [0] * 5, start=[-1, 0, 3] + [-1] * 5,
                       branch=[0, -1, 1, 2, 0, -1],
                       missing=[1, -2 if name == "shares" else 0, -1] + [-1] * 5)
    return tree if name != "leaf" else Tree.of(Schema(("x",), (None,), ((0, 1),), "gini"), [-2],
                                               [np.nan], [-1], [[1, 2]])

BASES = {name: base(name)
         for name in ("classes", "outputs", "numbers", "tables", "shares", "given", "leaf")}

STRANGE = [-2**31, -2**63, -7, -3, -2, -1, 0, 0.5, 1, 2, 3, 5, 100, 2**30, 2**31, 2**32 + 1,
           2.0**53, np.nan, np.inf, -np.inf, 1.7e308]

def is_safe(tree):
    "Asked of the packed arrays, before a kernel walks: no step leads out of them."
    n, m, leaf = tree.node_count, tree.n_features, tree.width == 0
    nodes, tables = tree._table
    assert not any(a.flags.writeable for a in (nodes, tables, tree._plain[0], *tree[:-1]))
    assert ((nodes["feature"] < max(m, 1)).all() and (tables < n).all()
            and (nodes["first"].astype(int) + nodes["last"] < len(tables)).all())
    assert (np.isnan(nodes["t"]) | (nodes["last"] == 2) & (nodes["coded"] == 0)).all()
    if tree._by_threshold:
        plain = tree._plain[0]
        assert ((plain["feature"] < max(m, 1)).all() and (plain["first"] + (~leaf) < n).all()
                and np.isnan(plain["t"][leaf]).all())
    assert all(a.dtype == TYPES[name] and a.flags.c_contiguous
               for name, a in zip(tree._fields, tree[:-1]))

def walks(tree, X):
    """Every row ends where the walk ends, or below, in shares; and is answered by a class or a
    number."""
    expected = np.array([walk(tree, x) for x in X])
    alone = tree.missing[expected] != IN_SHARES
    assert (tree.apply(X)[alone] == expected[alone]).all()
    p, answers = tree.predict(X), tree.predict_labels(X).reshape(len(X), -1)
    assert np.isfinite(p).all()
    for o, classes in enumerate(tree.schema.classes):
        if classes:
            assert (set(answers[:, o].tolist()) <= set(np.array(classes).tolist()) and p.min() >= 0
                    and p.max() <= 1 + 1e-8)
