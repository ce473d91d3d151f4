# Both commands set themselves up: `make test` and `make report` work in a fresh clone.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
WORKERS ?= auto
REPORTS := paper-002-synthetic property-atlas reproduction audit-002-table2

.PHONY: report reports docs test lint clean

report: $(VENV)/.installed
	$(BIN)/metaeval report

# The reference reports that are committed under reports/, each page with its data beside it.
reports: $(VENV)/.installed
	$(BIN)/metaeval report
	$(BIN)/metaeval check --all --out reports/property-atlas.html
	$(BIN)/metaeval check --all --format csv > reports/property-atlas.csv
	$(BIN)/metaeval reproduce --out reports/reproduction.html
	$(BIN)/metaeval reproduce --format csv > reports/reproduction.csv
	$(BIN)/metaeval reproduce 002-table2 --out reports/audit-002-table2.html
	$(BIN)/metaeval reproduce 002-table2 --format csv > reports/audit-002-table2.csv
	$(BIN)/python -m metaeval.reporting.index reports/index.html $(REPORTS:%=reports/%.html)

# The generated pages of docs/; they show what reports/property-atlas.csv says.
docs: $(VENV)/.installed
	METAEVAL_NO_PLUGINS=1 $(BIN)/python docs/make_pages.py

test: $(VENV)/.installed
	$(BIN)/python -m pytest -n $(WORKERS)

lint: $(VENV)/.installed
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

$(VENV)/.installed: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	touch $@

clean:
	rm -rf $(VENV) build *.egg-info .mypy_cache .ruff_cache .pytest_cache
