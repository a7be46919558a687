"""A table of the reader's own, in the page: how it is read, the tree, its prunings, where it errs.

table.js calls these functions, whose arguments and results are what JSON can hold. Whatever decides
is the library's and the same as on the command line. It needs numpy alone."""
import re, shlex, warnings
from base64 import b64decode
from html import escape
from pathlib import Path

import numpy as np
from dtree_lit import Schema, grow, to_python, to_sql, view_tree
from dtree_lit.measures.whole_units import fine_unit
from dtree_lit.pruning.cost_complexity import cross_validated, dealt, held_out
from dtree_lit.reporting.fit_predict import refuse_unlabeled
from dtree_lit.reporting.honest_scores import warnings_about
from dtree_lit.trees.estimator_inputs import warn_of_ids
from dtree_lit.trees.files import file_of_tree
from dtree_lit.trees.link_prices import cut_back, pruning_path, weakest_links
from dtree_lit.trees.nodes import Codes, region
from dtree_lit.trees.words import in_words, tidied
from dtree_lit.workshop.drawing import plain_number
from dtree_lit.workshop.table_files import (column_notes, columns_in_file, Commas, odd_words,
                                            spelt, UNKNOWN)
from dtree_lit.workshop.validation import names_as_array

FOLDS = 10                  # as `--prune cost` has them, with the seed 0
LISTED = 50                 # rows, and leaves, that are listed where the tree errs
LONGEST = 300_000           # letters of a program that is shown
ADVICE = {"--drop": "drop", "--comma": "comma"}         # what a note on a column may name
INSTEAD = {"with --missing=": "with the field below",   # of an option: what the page has
           "say --missing=": "treat it as missing, with the field below",
           "say --comma ": "choose numbers with a decimal comma",
           "say --numeric ": "choose numbers"}
kept = {}                   # the table and the tree at which the reader looks

# ---- reading

def in_page(text):
    "A sentence of the library, with what the page has in place of the command line."
    for option, control in INSTEAD.items(): text = re.sub(f"{option}.*", control, text)
    return re.sub(", with --drop .*|, or convert it, .*", "", text)

def read(name, data, kinds, missing):
    """Read a table: a file of the project by its path, or bytes in base64. Its columns, and the
    target that is likely; `kinds` is what the reader says of columns, by name, and `missing` has
    the texts, beside the usual ones, that mean a missing value."""
    path = name if data is None else Path(name).name
    if data is not None: Path(path).write_bytes(b64decode(data))
    try: taken = columns_in_file(path, kinds=kinds, missing=[*UNKNOWN, *missing])
    except ValueError as e: raise ValueError(in_page(f"{e}")) from None
    columns = {one: c.column() for one, c in taken.items()}
    found = kinds | {one: "comma" for one, c in taken.items() if type(c) is Commas}
    kept.clear()
    kept.update(path=path, columns=columns, kinds=kinds, found=found, missing=missing)
    return dict(rows=len(next(iter(columns.values())).values), target=likely_target(columns),
                columns=[dict(name=one, kind="numbers" if c.words is None else "words")
                         for one, c in columns.items()])

def likely_target(columns):
    "The last column of several values that no note wants left out; else the last."
    notes = zip(columns.items(), column_notes(columns, {}))
    good = [name for (name, c), note in notes if "--drop" not in note and different(c) > 1]
    return (good or [*columns])[-1]

def different(column):
    "How many different values a column has."
    if column.words is not None: return len(column.words)
    return len(np.unique(column.values[~np.isnan(column.values)]))

# ---- growing

def doubles(column):
    "Numbers, or codes, with NaN where one is missing."
    return column.values if column.words is None else np.where(
        column.values < 0, np.nan, column.values)

def examples(target, dropped, skip):
    "Which rows there are, and rows, targets and schema as the command line takes them."
    path, columns = kept["path"], kept["columns"]
    features = {one: c for one, c in columns.items() if one != target and one not in dropped}
    if not features: raise ValueError(f"{path} has no column beside {target!r} to learn from")
    y, words = doubles(columns[target]), columns[target].words
    refuse_unlabeled(np.isnan(y), target, skip, ", with the box below")
    there = np.flatnonzero(~np.isnan(y))
    X = np.column_stack([doubles(c)[there] for c in features.values()])
    books = [c.words if c.words is None else tuple(c.words) for c in features.values()]
    schema = Schema(tuple(features), tuple(books), (None if words is None else tuple(words),),
                    "squared_error" if words is None else "gini")
    return there, X.view(Codes), y[there] if words is None else y[there].astype(np.intp), schema

def grown(X, y, schema): return grow(X, y, criterion=schema.criterion, schema=schema)

def learn(target, dropped, skip):
    "Grow the tree: what was read, what looks wrong, and each tree of its pruning."
    there, X, y, schema = examples(target, dropped, skip)
    columns = {one: c for one, c in kept["columns"].items() if one not in dropped}
    told = dict(zip(columns, column_notes(columns, kept["found"], target)))
    with warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        said = ["--drop" in told[one] for one in schema.features]      # beside the column
        warn_of_ids(schema.features, said, schema.categories, X)
        tree = grown(X, y, schema)
    odd = warnings_about(tree, X, y)
    doubts = [*about_target(target, columns[target]), *(f"{w.message}" for w in heard), *odd]
    classes = schema.classes[0]
    answers = y if classes is None else names_as_array(classes)[y]
    path, ends = pruning_path(tree), tree.apply(X)
    loss = held_out(tree, weakest_links(tree), path.ccp_alphas, ends, answers, np.ones(len(y)))[0]
    kept.update(target=target, dropped=dropped, skip=skip, there=there, X=X, y=y, answers=answers,
                tree=tree, alphas=path.ccp_alphas, folds=[], best=None, odd=odd)
    leaves = [tree.n_leaves, *path.leaves[1:].tolist()]
    advice = {one: kind for one, note in told.items() for option, kind in ADVICE.items()
              if option in note and one != target}
    odd_ones = [word for one, note in told.items()
                if "--missing" in note and one != target
                for word in odd_words(columns[one].words)]
    told = {one: in_page(note) for one, note in told.items()}
    return dict(told=told, advice=advice, missing=odd_ones, doubts=doubts, rows=len(y), columns=X.shape[1],
                depth=tree.max_depth, numbers=classes is None, leaves=leaves,
                trained=shown_loss(loss / len(y), classes), base=baseline(y, classes))

def about_target(target, column):
    "What is odd about a target."
    n = different(column)
    if n < 2: return [f"{target} has the same value in each row, so there is nothing to learn: "
                      "choose another target"]
    if column.words is not None or n > 10 or (column.values % 1).any(): return []
    return [f"{target} holds numbers, {n} different ones, and the tree predicts their mean: if "
            "they are names of classes, read them as categories"]

def shown_loss(loss, classes):
    "Shares of wrong rows; of numbers the roots of mean squares."
    return (np.sqrt(loss) if classes is None else loss).tolist()

def baseline(y, classes):
    "The loss without a tree: of the most frequent class, or of the mean."
    if classes is None: return float(np.std(y))
    return float(1 - np.bincount(y).max() / len(y))

def fold(i):
    """Grow the tree of fold i, from the rows that it does not hold out. After the last fold: the
    error on held-out rows of each pruning, and which is the least."""
    X, y, tree, folds = (kept[name] for name in ("X", "y", "tree", "folds"))
    classes = tree.schema.classes[0]
    if len(y) < FOLDS: raise ValueError(f"{len(y)} rows are too few for {FOLDS} folds")
    hand = dealt(np.zeros(len(y), int) if classes is None else y, FOLDS, 0)
    others = np.flatnonzero(hand == i)
    small = grown(X[hand != i], y[hand != i], tree.schema)
    folds[i:] = [(small, small.apply(X[others]), others)]
    if i < FOLDS - 1: return None
    unit = fine_unit(np.ptp(y)**2, 48) if classes is None else 1.0
    table = cross_validated(tree, folds, kept["answers"], np.ones(len(y)), unit=unit)
    kept["best"] = table.best()
    return dict(errors=shown_loss(table.error, classes), best=kept["best"])

# ---- what is shown

def pruned(k):
    "The tree of the sequence; the first is the whole tree."
    return cut_back(kept["tree"], kept["alphas"][k]) if k else kept["tree"]

def show(k):
    "A tree of the sequence: as a figure, its errors, and how the command line grows it."
    tree = pruned(k)
    return dict(card=view_tree(tree, kept["X"], kept["answers"])._repr_html_(),
                errors=where_it_errs(tree), command=command(k),
                model=file_of_tree(tree).decode())

def program(k, language, dialect):
    "A tree of the sequence as SQL or Python."
    tree = pruned(k)
    said = to_python(tree) if language == "python" else to_sql(
        tree, Path(kept["path"]).name.partition(".")[0], dialect=dialect)
    if len(said) <= LONGEST: return said
    raise ValueError(f"with {tree.n_leaves} leaves it has {len(said):,} letters, which is too long "
                     "to be shown: prune the tree")

def command(k):
    "The command that grows this tree from the same file."
    of = lambda kind: ",".join(name for name, v in kept["kinds"].items() if v == kind)
    options = {"--target": kept["target"], "--categorical": of("words"),
               "--numeric": of("numbers"), "--comma": of("comma"),
               "--missing": ",".join([*UNKNOWN[1:], *kept["missing"]] * bool(kept["missing"])),
               "--drop": ",".join(kept["dropped"])}
    said = ["dtree-lit", "fit", Path(kept["path"]).name]
    for option, value in options.items(): said += [option, value] * bool(value)
    said += ["--skip-unlabeled"] * kept["skip"] + ["--keep-suspicious"] * bool(kept["odd"])
    if k and k == kept["best"]: said += ["--prune", "cost"]
    elif k: said += ["--set", f"ccp_alpha={kept['alphas'][k].item()!r}"]
    return shlex.join([*said, "-o", "model.json"])

def row_of(cells, tag="td"): return "<tr>" + "".join(f"<{tag}>{c}</{tag}>" for c in cells) + "</tr>"

def html_table(caption, head, rows):
    "A table, as HTML."
    body = "".join(row_of(escape(str(v)) for v in row) for row in rows)
    return (f'<table class="table"><caption>{escape(caption)}</caption>'
            f"<thead>{row_of(map(escape, head), 'th')}</thead><tbody>{body}</tbody></table>")

def value_in(schema, f, v):
    "A value of a row, as it stands in the file."
    if np.isnan(v): return ""
    return schema.categories[f][int(v)] if schema.categories[f] is not None else plain_number(v)

def where_it_errs(tree):
    "Which leaves and which rows the tree gets wrong, as HTML."
    X, right, schema = kept["X"], kept["answers"], tree.schema
    numbers = schema.classes[0] is None
    ends = tree.apply(X)
    said = tree.node_labels[ends]
    loss = np.abs(said - right) if numbers else (said != right).astype(float)
    wrong = np.flatnonzero(loss)
    if not len(wrong): return "<p>It is right about each of the rows that have grown it.</p>"
    sums = np.bincount(ends, loss, minlength=tree.node_count)
    worst = [k for k in np.argsort(-sums, kind="stable")[:LISTED].tolist() if sums[k]]
    number = {k: i for i, k in enumerate(tree.leaves.tolist(), 1)}
    tell = plain_number if numbers else spelt
    leaves = html_table(
        f"Leaves, those with the most errors first ({len(worst)} of {tree.n_leaves})",
        ["leaf", "rows that end there", "predicts", "rows", "off by, together" if numbers
         else "wrong"],
        [[number[k], in_words(schema, region(tree, k), tidied) or "all rows",
          tell(tree.node_labels[k]), tree.size[k], plain_number(sums[k]) if numbers else int(sums[k])] for k in worst])
    tested = [f for f in range(len(schema.features)) if f in set(tree.feature.tolist())][:8]
    if numbers: wrong = wrong[np.argsort(-loss[wrong], kind="stable")]
    rows = html_table(
        f"Rows {'farthest from their prediction' if numbers else 'that are predicted wrongly'} "
        f"({min(LISTED, len(wrong))} of {len(wrong)}); the line of names is row 1",
        ["row", kept["target"], "predicted", "leaf", *(schema.features[f] for f in tested)],
        [[kept["there"][i] + 2, tell(right[i]), tell(said[i]), number[ends[i]],
          *(value_in(schema, f, X[i, f]) for f in tested)] for i in wrong[:LISTED].tolist()])
    return leaves + rows
