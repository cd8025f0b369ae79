"""Logs per second that the official package grades: file read, parsed, judged, report made.

usage: grade_logs.py ROWS_JSON FOLDER; FOLDER holds INSTANCE.log of each row. Prints one number.
"""

import json
import sys
import time
from pathlib import Path
from types import SimpleNamespace

from swebench.harness.grading import get_eval_report


def main(rows_file: str, folder: str) -> None:
    specs = [SimpleNamespace(**row) for row in json.loads(Path(rows_file).read_text())]
    started = time.perf_counter()
    for spec in specs:
        prediction = {"instance_id": spec.instance_id, "model_patch": "diff"}
        get_eval_report(spec, prediction, f"{folder}/{spec.instance_id}.log", True)
    print(len(specs) / (time.perf_counter() - started))


main(sys.argv[1], sys.argv[2])
