"""The data of a study without its analyses: what `metaeval generate study` writes."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

import numpy as np

import metaeval
from metaeval.errors import InputError, unknown
from metaeval.files import PROVENANCE, whole_folder, write_json
from metaeval.studies.run import setting_matrices
from metaeval.studies.study import Classifiers, Outputs, Study, find_study, presets
from metaeval.synthesis import label_table, write_labels


def resolve(name: str | None) -> Study:
    """A study by its name or by the beginning of it: paper-002 is paper-002-synthetic."""
    known = list(presets())
    if name is None:
        raise InputError(f"which study? one of {', '.join(known)}, or a TOML file")
    starts = [preset for preset in known if preset.startswith(f"{name}-")]
    if name not in known and len(starts) == 1:
        return find_study(starts[0])
    if name not in known and not name.lower().endswith(".toml"):
        raise unknown("study", name, known)
    return find_study(name)


def write_study(
    name: str | None, out: Path, seed: int | None = None, force: bool = False
) -> list[Path]:
    """Write the outputs (a wide label table) or the matrices (an array a setting) of a study."""
    study = resolve(name)
    if isinstance(study.data, Classifiers):
        raise InputError(
            f"the outputs of {study.name} are trained, not generated; "
            f"metaeval study {study.name} --out {out} writes their confusion matrices"
        )
    seed = study.seed if seed is None else seed
    with whole_folder(out, force) as folder:
        if isinstance(study.data, Outputs):
            data = study.data
            frame = label_table(
                data.families,
                data.ratios,
                seed,
                gold=data.gold,
                placement=data.placement,
                parameters=data.parameters,
            )
            files = ["outputs.csv"]
            write_labels(frame, folder / files[0])
        else:
            # An array a setting, numbered because names repeat; of pairs, one for each side.
            arrays = {
                f"{number + 1:02d} {setting.name}{' second' if side else ''}": setting_matrices(
                    study.data.family,
                    setting,
                    study.data.pairs or study.data.count,
                    seed,
                    number,
                    side,
                )
                for number, setting in enumerate(study.data.settings)
                for side in range(2 if study.data.pairs else 1)
            }
            files = [f"{place}.npz" for place in sorted({_size(a) for a in arrays.values()})]
            for file in files:
                chosen = {k: a for k, a in arrays.items() if f"{_size(a)}.npz" == file}
                np.savez_compressed(folder / file, allow_pickle=False, **chosen)
        made = {
            "study": asdict(study) | {"seed": seed},
            "files": files,
            "versions": {"metaeval": metaeval.__version__, "numpy": np.__version__},
        }
        write_json(made, folder / PROVENANCE)
    return [out / file for file in files]


def _size(stack: np.ndarray[tuple[int, ...], np.dtype[np.int64]]) -> str:
    return f"matrices-{stack.shape[-1]}x{stack.shape[-1]}"
