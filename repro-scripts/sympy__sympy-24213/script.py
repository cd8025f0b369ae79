"""Terms of a sum may name equal dimensions differently; a truly different one is still refused."""
import sys

try:
    from sympy.physics.units import Quantity, acceleration, meter, second, time, velocity
    from sympy.physics.units.systems.si import SI

    def quantity(name, dimension, scale):
        made = Quantity(name)
        SI.set_quantity_dimension(made, dimension)
        SI.set_quantity_scale_factor(made, scale)
        return made

    speed = quantity("speed", velocity, 2 * meter / second)
    pull = quantity("pull", acceleration, -10 * meter / second**2)
    span = quantity("span", time, 5 * second)
except Exception as error:
    print("could not find out:", repr(error))
    sys.exit(2)

try:
    factor, _ = SI._collect_factor_and_dimension(pull * span + speed)
except ValueError as error:
    print("acceleration*time + velocity is refused:", error)
    sys.exit(1)
if factor != -48:
    print("acceleration*time + velocity has the factor", factor, "instead of -48")
    sys.exit(1)

try:
    SI._collect_factor_and_dimension(pull + speed)
except ValueError:
    sys.exit(0)
print("acceleration + velocity is taken")
sys.exit(1)
