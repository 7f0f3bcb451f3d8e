#!/usr/bin/env bash
# Checks what the tests do not: style, warnings, imports, documentation, listings, examples. Stops at the first failure.
set -euo pipefail
cd "$(dirname "$0")/.."

check() {
  local claim=$1
  shift
  printf '\n== %s\n' "$claim"
  "$@" || {
    printf '\nScripts/check.sh: failed: %s\n         reproduce: %s\n' "$claim" "$*" >&2
    exit 1
  }
}

strict=(
  --scratch-path .build/strict
  --explicit-target-dependency-import-check error
  -Xswiftc -warnings-as-errors -Xswiftc -require-explicit-sendable
  -Xcc -Wall -Xcc -Wextra -Xcc -Werror
)

Scripts/bootstrap python3
check 'The tree holds what it should and no machine of ours' Scripts/check-tree
check 'Every Swift file is formatted' \
  swift format lint --strict --recursive --parallel Package.swift Sources Tests Examples Benchmarks Snippets
check 'Modules import what they may' Scripts/check-imports
check 'Every listing in the documentation is code that compiles' Scripts/check-listings
check 'Libraries, snippets and tests build without a warning' swift build --build-tests "${strict[@]}"
check 'The products build for release' swift build -c release --scratch-path .build/strict "${strict[@]:2}"
check 'Every public symbol is documented and every link resolves' Scripts/check-docs
check 'The examples print what they should' Scripts/test-examples.sh
check 'The benchmarks build' swift build --package-path Benchmarks
printf '\nAll checks passed.\n'
