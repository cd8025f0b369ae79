"""Uncontracted gamma matrices must keep their order, wherever the contracted pair stands."""
import sys

try:
    from sympy.physics.hep.gamma_matrices import GammaMatrix as G
    from sympy.physics.hep.gamma_matrices import LorentzIndex, kahane_simplify
    from sympy.tensor.tensor import tensor_indices

    mu, a, b, c = tensor_indices("mu a b c", LorentzIndex)
    pair = G(mu) * G(-mu)
    cases = [
        (pair * G(a) * G(b), 4 * G(a) * G(b)),
        (G(a) * G(b) * pair, 4 * G(a) * G(b)),
        (G(a) * G(b) * G(c) * pair, 4 * G(a) * G(b) * G(c)),
    ]
    wrong = [(given, kahane_simplify(given), right) for given, right in cases]
    wrong = [case for case in wrong if not case[1].equals(case[2])]
except Exception as error:
    print("could not find out:", repr(error))
    sys.exit(2)

for given, found, right in wrong:
    print("%s gives %s, expected %s" % (given, found, right))
sys.exit(1 if wrong else 0)
