"""Mapping a permutation group's generators to themselves is a homomorphism; nonsense is not."""
import sys

try:
    from sympy.combinatorics import Permutation
    from sympy.combinatorics.homomorphisms import homomorphism
    from sympy.combinatorics.named_groups import CyclicGroup, DihedralGroup, SymmetricGroup

    groups = [DihedralGroup(3), DihedralGroup(5), SymmetricGroup(4)]
except Exception as error:
    print("could not find out:", repr(error))
    sys.exit(2)

for group in groups:
    try:
        identity = homomorphism(group, group, group.generators, group.generators)
    except ValueError as error:
        print("the identity on %s is refused: %s" % (group, error))
        sys.exit(1)
    for element in group.elements:
        if identity(element) != element:
            print("the identity on %s maps %s to %s" % (group, element, identity(element)))
            sys.exit(1)

threefold, fourfold = CyclicGroup(3), CyclicGroup(4)
try:
    homomorphism(threefold, fourfold, threefold.generators, [Permutation([1, 2, 3, 0])])
except ValueError:
    sys.exit(0)
print("an element of order 3 may be mapped to one of order 4")
sys.exit(1)
