# lockstep_pytest: a plugin of pytest that writes a line for each test into $LOCKSTEP_RESULTS.

import json
import os
import time

_folder = os.environ.get("LOCKSTEP_RESULTS")
_target = _folder and os.path.join(_folder, "pytest-%d-%d.lines" % (os.getpid(), int(time.time() * 1000)))


def _write(file, name, status):
    if _target:
        with open(_target, "a", encoding="utf-8") as out:
            out.write(json.dumps({"file": file, "name": name, "status": status}) + "\n")


def pytest_runtest_logreport(report):
    file, _, name = report.nodeid.partition("::")
    name = name.replace("::", " > ")
    if report.when == "call":
        skipped = report.skipped or hasattr(report, "wasxfail")
        _write(file, name, "skip" if skipped else "pass" if report.passed else "fail")
    elif report.when == "setup" and not report.passed:
        _write(file, name, "skip" if report.skipped else "fail")
    elif report.when == "teardown" and report.failed:
        _write(file, name + " (teardown)", "fail")


def pytest_collectreport(report):
    if report.failed and report.nodeid:
        _write(report.nodeid, report.nodeid, "fail")
