#!/usr/bin/env bash
# Runs every example offline, with its defaults, and compares what it printed with Examples/Expected/NAME.txt and what
# it wrote with what a sound file and a drawing have to be.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --package-path Examples
programs=$(swift build --package-path Examples --show-bin-path)
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/home"

# An example is a program that renders offline; some also draw.
examples=$(grep --recursive --files-with-matches --include='*.swift' 'var offline:' Examples/Sources)
for source in $examples; do
  name=$(basename "$(dirname "$source")")
  files=("$name.wav")
  options=(--offline "$name.wav")
  if grep --quiet 'var plot:' "$source"; then
    files+=("$name.svg")
    options+=(--plot "$name.svg")
  fi
  printf '%s %s\n' "$name" "${options[*]}"
  mkdir "$folder/$name"
  # Joined by &&: on the left of || no failure ends a subshell.
  (
    cd "$folder/$name" \
      && env -u ALSOFT_CONF HOME="$folder/home" XDG_CONFIG_HOME="$folder/home" ALSOFT_DRIVERS=null \
        "$programs/$name" "${options[@]}" >printed.txt </dev/null \
      && "$root/Scripts/check-output" "$root/Examples/Expected/$name.txt" printed.txt "${files[@]}"
  ) || {
    printf 'Scripts/test-examples.sh: %s failed, or is not as Examples/Expected/%s.txt says\n' "$name" "$name" >&2
    exit 1
  }
done
