#!/usr/bin/env bash
# Checks what the tests do not: style, warnings, imports, documentation, listings, examples. Runs all, then names what
# failed.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=()

check() {
  local claim=$1
  shift
  printf '\n== %s\n' "$claim"
  "$@" || {
    printf 'FAILED: %s\nReproduce it with: %s\n' "$claim" "$*" >&2
    failed+=("$claim")
  }
}

# Warnings are errors, as Package.swift describes. Each kind of build has one folder, so that a library is compiled once a
# kind: debug in .build, with all traits in .build-traits, release in Benchmarks/.build.
export SPATIAL3D_CI=1

Scripts/bootstrap python3 valgrind
check 'The tree holds what it should and no machine of ours' Scripts/check-tree
check 'Every Swift file is formatted' \
  swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks Fuzzing Snippets
check 'Modules import what they may' Scripts/check-imports
check 'Layers inside a module point one way' Scripts/check-layers
check 'Comments and guides are written plainly' Scripts/check-prose
check 'The test of Sendable names every public type' Scripts/check-sendable
check 'Every listing in the documentation is code that compiles' Scripts/check-listings
check 'Libraries, snippets and tests build without a warning' \
  swift build --build-tests --explicit-target-dependency-import-check error
check 'The listings run' Scripts/run-snippets
check "Names of other libraries say what to write instead, and stand in nobody's way" Scripts/check-aliases
check 'The documentation maps every name of OpenAL' Scripts/check-openal-names
check 'The examples print what they should' Scripts/test-examples.sh
check 'Every public symbol is documented and every link resolves' Scripts/check-docs
check 'The public API is what was agreed on' Scripts/check-api
check 'A test refers to every public symbol' Scripts/check-tested
check 'A build without traits asks for nothing but OpenAL and libsndfile' Scripts/check-hints
check 'Files are decoded with every trait' Scripts/test-traits
# With all traits, as the build before it.
check 'The fuzzer builds' swift build --package-path Fuzzing --scratch-path .build-traits
check 'The benchmarks build, and nothing takes longer than it may' Scripts/measure-speed --check
check 'No call, tick or decoder takes more instructions than it did' Scripts/count-instructions --check
check 'The pictures of the guides are what the library renders' Scripts/draw-guides --check

if ((${#failed[@]} > 0)); then
  printf '\nScripts/check.sh: %s of the checks failed:\n' "${#failed[@]}" >&2
  printf '  %s\n' "${failed[@]}" >&2
  exit 1
fi
printf '\nAll checks passed.\n'
