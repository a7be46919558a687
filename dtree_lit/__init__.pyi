"For type checkers and editors: the public names, as 60_package lists them."

from dtree_lit.entropy import information as information
from dtree_lit.entropy import entropy as entropy
from dtree_lit.entropy import gini as gini
from dtree_lit.entropy import misclassification as misclassification
from dtree_lit.entropy import moments as moments
from dtree_lit.entropy import variance as variance
from dtree_lit.entropy import std as std
from dtree_lit.gain import gain as gain
from dtree_lit.gain import gain_ratio as gain_ratio
from dtree_lit.gain import split_information as split_information
from dtree_lit.gain import gini_gain as gini_gain
from dtree_lit.gain import sdr as sdr
from dtree_lit.candidates import candidates as candidates
from dtree_lit.candidates import midpoint as midpoint
from dtree_lit.candidates import counts_by_value as counts_by_value
from dtree_lit.candidates import Microscope as Microscope
from dtree_lit.splitter import best_split as best_split
from dtree_lit.tree import Tree as Tree
from dtree_lit.tree import Schema as Schema
from dtree_lit.growth import grow as grow
from dtree_lit.cart import CARTClassifier as CARTClassifier
from dtree_lit.cart import CARTRegressor as CARTRegressor
from dtree_lit.files import save as save
from dtree_lit.files import load as load
from dtree_lit.claims import claims as claims
from dtree_lit.glossary import glossary as glossary
