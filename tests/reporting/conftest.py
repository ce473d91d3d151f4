"""One small report, made once for all test processes, and a browser to look at it."""

import fcntl
import pickle
import shutil
from pathlib import Path

import pytest

from metaeval.reporting.gather import gather_study
from metaeval.reporting.report import build
from metaeval.studies.study import find_study
from tests.reporting.systems import systems

CHROMIUM, DRIVER = "/usr/bin/chromium", "/usr/bin/chromedriver"


@pytest.fixture(scope="session")
def evidence(tmp_path_factory):
    folder = tmp_path_factory.getbasetemp()
    # Workers have folders of their own below the one that they share.
    shared = folder.parent if folder.name.startswith("popen-") else folder
    kept = shared / "report-evidence.pickle"
    with (shared / "report-evidence.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            found = gather_study(find_study("quick"), given=systems(shared))
            kept.write_bytes(pickle.dumps(found))
    return pickle.loads(kept.read_bytes())


@pytest.fixture(scope="session")
def report(evidence):
    return build(evidence, ["metaeval", "report", "--study", "quick"])


@pytest.fixture(scope="session")
def page(report, tmp_path_factory):
    path = tmp_path_factory.mktemp("page") / "report.html"
    report.write(path)
    return path


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    for program in (CHROMIUM, DRIVER):
        if not Path(program).exists():
            pytest.skip(f"{program} is not installed")
    webdriver = pytest.importorskip("selenium.webdriver")
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    profile = tmp_path_factory.mktemp("profile")
    for flag in (
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--no-first-run",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        f"--user-data-dir={profile}",
    ):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service(DRIVER))
    yield driver
    driver.quit()
    shutil.rmtree(profile, ignore_errors=True)
