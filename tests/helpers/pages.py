"One run of the notebooks."
from concurrent.futures import ThreadPoolExecutor

from helpers.places import ROOT

def executed(**how):
    "The records of notebooks; by a thread, since a test of the browser keeps a loop in this one."
    import execute
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(execute.execute, ROOT, **how).result()
