"""parse_expr(evaluate=False) must leave comparisons as they are written."""
import sys

try:
    from sympy import Eq, Ge, Gt, Le, Lt, Ne
    from sympy.parsing.sympy_parser import parse_expr

    cases = [
        ("1 < 2", Lt(1, 2, evaluate=False)),
        ("1 <= 2", Le(1, 2, evaluate=False)),
        ("1 > 2", Gt(1, 2, evaluate=False)),
        ("1 >= 2", Ge(1, 2, evaluate=False)),
        ("1 != 2", Ne(1, 2, evaluate=False)),
        ("1 == 2", Eq(1, 2, evaluate=False)),
    ]
    found = [(text, parse_expr(text, evaluate=False), right) for text, right in cases]
except Exception as error:
    print("could not find out:", repr(error))
    sys.exit(2)

wrong = [case for case in found if case[1] != case[2]]
for text, result, right in wrong:
    print("%s gives %r, expected %s" % (text, result, right))
sys.exit(1 if wrong else 0)
