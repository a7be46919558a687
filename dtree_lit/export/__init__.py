"""Exporters: Python, JSON, SQL, C, JavaScript and ONNX; and models in files.

language : Conditions, predictions of the nodes, and numbers that read back exactly.
model_files : An estimator with all it needs to read the next table as it read the first.
programs : A tree or a forest in other languages: the same leaves, the same doubles.
    to_javascript : Export a tree or a forest to JavaScript: `predict(row)`, `predict_proba(row)`.
    to_c : Export a tree or a forest to C: `predict` and, for classes, `predict_proba`.
    to_onnx : Export a tree or a forest to ONNX: label and probabilities, or a number.
python : A tree exported to Python, to JSON and to a table.
    to_python : Export a tree or a forest to Python: `predict(row)`, `predict_proba(row)` of a dict.
    to_json : Export a tree to JSON, exact to the last bit.
    from_json : Rebuild a tree from `to_json`; raise ValueError if the text is invalid.
    to_frame : Return a DataFrame of pandas with a row for each node.
sql : A tree, a forest or a rule list as an SQL expression.
    to_sql : Export a tree, a forest or a list of rules to an SQL query; `NULL` is missing.
"""
