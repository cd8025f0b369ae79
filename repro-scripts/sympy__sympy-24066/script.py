"""An exponent whose units cancel counts as dimensionless; one with a unit left does not."""
import sys

try:
    from sympy import exp
    from sympy.physics.units import farad, ohm, second
    from sympy.physics.units.systems.si import SI

    ratio = second / (ohm * farad)
    dimension = SI._collect_factor_and_dimension(ratio)[1]
    if not SI.get_dimension_system().is_dimensionless(dimension):
        raise AssertionError("second/(ohm*farad) should have no dimension")
except Exception as error:
    print("could not find out:", repr(error))
    sys.exit(2)

try:
    found = SI._collect_factor_and_dimension(100 + exp(ratio))[1]
except ValueError as error:
    print("100 + exp(second/(ohm*farad)) is refused:", error)
    sys.exit(1)
if not SI.get_dimension_system().is_dimensionless(found):
    print("100 + exp(second/(ohm*farad)) has dimension", found, "instead of none")
    sys.exit(1)

try:
    SI._collect_factor_and_dimension(100 + exp(second))
except ValueError:
    sys.exit(0)
print("100 + exp(second) is taken, although the exponent is a time")
sys.exit(1)
