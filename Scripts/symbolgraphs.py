"""The symbol graphs of the modules with a public API, which Scripts/check-docs leaves."""

import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
# In the order of the site.
MODULES = [
    "Spatial3D", "FileDecode", "GameAudio", "AudioSessions", "Spatial3DTesting", "Spatial3DReports", "OpenALMigration",
    "MusicalTime", "PCM", "AudioNotifications",
]
EXTENSION = "swift.extension"


def build_folder():
    bin_path = subprocess.check_output(["swift", "build", "--show-bin-path"], cwd=ROOT, text=True)
    return pathlib.Path(bin_path.strip())


def import_arguments():
    """What a compiler needs to import the built modules."""
    products = build_folder()
    shims = ("CSpatial3DShim", "CSpatial3DSupport")
    maps = [products / f"{name}.build" / "module.modulemap" for name in shims]
    maps += [ROOT / "Sources" / name / "module.modulemap" for name in ("CSpatial3DOpenAL", "CSpatial3DSndFile")]
    return [
        "-I", products / "Modules",
        *(word for name in shims for word in ("-Xcc", f"-I{ROOT / 'Sources' / name / 'include'}")),
        *(word for map in maps for word in ("-Xcc", f"-fmodule-map-file={map}")),
    ]


def graph_folder():
    return build_folder() / "symbolgraph"


def graph_files(folder, module):
    """A module's own graph, and those of its extensions of other modules' types, such as Spatial3D@PCM."""
    return [folder / f"{module}.symbols.json", *sorted(folder.glob(f"{module}@*.symbols.json"))]


def is_declaration(symbol):
    """Whether a symbol is API: unavailable declarations are messages, and an extension is where its members stand."""
    is_available = not any(item.get("isUnconditionallyUnavailable") for item in symbol.get("availability", []))
    return is_available and symbol["kind"]["identifier"] != EXTENSION


def graphs():
    """The module of each graph, its declarations by their USR, and the relationships."""
    folder = graph_folder()
    for module in MODULES:
        for file in graph_files(folder, module):
            if not file.is_file():
                sys.exit(f"There are no symbol graphs of {module}: run Scripts/check-docs first.")
            graph = json.loads(file.read_text(encoding="utf-8"))
            symbols = {symbol["identifier"]["precise"]: symbol for symbol in graph["symbols"] if is_declaration(symbol)}
            yield module, symbols, graph["relationships"]
