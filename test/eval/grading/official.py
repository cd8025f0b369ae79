"""What the official package says of logs, rows and runs.

usage: official.py [PACKAGE_FOLDER] < REQUEST > ANSWER, both JSON. PACKAGE_FOLDER holds another
version than the venv's.
"""

import contextlib
import json
import os
import sys
import tempfile
from pathlib import Path
from types import SimpleNamespace

if len(sys.argv) > 1:
    sys.path.insert(0, sys.argv[1])

import swebench
from swebench.harness import grading, reporting

V4 = swebench.__version__.startswith("4.")


def spec_of(row: dict) -> SimpleNamespace:
    spec = SimpleNamespace(**row)
    if V4:
        spec.version = next(iter(grading.MAP_REPO_VERSION_TO_SPECS[spec.repo]))
    return spec


def parser_of(spec: SimpleNamespace):
    if V4:
        return grading.MAP_REPO_TO_PARSER[spec.repo]
    return grading.PARSER_REGISTRY[spec.log_parser]


def graded(case: dict, path: Path) -> dict:
    """The parser on the text itself, then the grader on a file that holds it."""
    spec = spec_of(case["row"])
    try:
        statuses = list(parser_of(spec)(case["log"], spec).items())
    except IndexError:
        statuses = None
    path.write_bytes(case["log"].encode("utf-8"))
    prediction = {"instance_id": spec.instance_id, "model_patch": "diff"}
    try:
        report = grading.get_eval_report(spec, prediction, str(path), True)
    except IndexError:
        report = None
    return {"statuses": statuses, "report": report}


def run_report(run: dict) -> dict:
    """Reports and logs are laid where the harness keeps them, in the current folder."""
    for instance_id, texts in run["files"].items():
        folder = Path("logs/run_evaluation") / run["run_id"] / "model" / instance_id
        folder.mkdir(parents=True)
        for name, text in texts.items():
            (folder / name).write_text(text)
    dataset = [{"instance_id": instance_id} for instance_id in run["instance_ids"]]
    predictions = {made["instance_id"]: made for made in run["predictions"]}
    written = reporting.make_run_report(predictions, dataset, run["run_id"])
    return {"name": str(written), "report": json.loads(Path(written).read_text())}


def script_of(row: dict) -> str:
    from swebench.harness.utils import make_test_spec

    return make_test_spec(row).eval_script


def main() -> None:
    request = json.load(sys.stdin)
    with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stdout(sys.stderr):
        os.chdir(folder)
        answer = {
            "graded": [graded(case, Path("log.txt")) for case in request.get("logs", [])],
            "runs": [run_report(run) for run in request.get("runs", [])],
            "scripts": [script_of(row) for row in request.get("rows", [])],
        }
        os.chdir("/")
    json.dump(answer, sys.stdout)


main()
