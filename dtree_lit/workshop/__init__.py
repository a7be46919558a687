"""What everything may import: compiler, figures, drawing, validation, tables, the ledger of statements, the glossary.

claims : What five lecture documents say, and what a cell finds about each statement.
    claims : Return all statements of the five documents, in their order, each with its verdict.
drawing : A strip for every subtree, in two loops, so that no two boxes overlap.
exercises : Exercises of the pages: an answer is a number, a choice or a function, and is judged at once.
figures : One palette, one kind of axes, and examples drawn as discs and squares.
glossary : The terms of the documents in English, Korean and Chinese, with their symbols, and where they are derived.
    glossary : Look up a term in English, Korean or Chinese.
jit : One function between derivations and the compiler, and a cache that cannot serve stale code.
machine_code : Compiled kernels linked into one library, which is found by names and kinds of arguments, without numba.
table_files : CSV, Parquet, Feather, ARFF and workbooks, compressed or not, read in parts with the type of each column.
tables : Numbers are read as they are, categories as codes, with a codebook for each column.
validation : Tables, columns and weights: what is read as doubles, and what is refused with a clear message.
"""
