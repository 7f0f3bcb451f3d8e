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

# Every program with the option has a text to be compared with.
grep --recursive --files-with-matches --include='*.swift' 'var offline:' Examples/Sources | while read -r source; do
  name=$(basename "$(dirname "$source")")
  [[ -f Examples/Expected/$name.txt ]] || {
    printf 'Scripts/test-examples.sh: Examples/Expected/%s.txt is missing\n' "$name" >&2
    exit 1
  }
done

for expected in Examples/Expected/*.txt; do
  name=$(basename "$expected" .txt)
  options=(--offline "$name.wav")
  ! grep --quiet --fixed-strings "$name.svg" "$expected" || options+=(--plot "$name.svg")
  mkdir "$folder/$name"
  printf '%s %s\n' "$name" "${options[*]}"
  (
    cd "$folder/$name"
    env -u ALSOFT_CONF HOME="$folder/home" XDG_CONFIG_HOME="$folder/home" ALSOFT_DRIVERS=null \
      "$programs/$name" "${options[@]}" >printed.txt </dev/null
    "$root/Scripts/check-output" "$root/$expected" printed.txt
  ) || {
    printf 'Scripts/test-examples.sh: %s is not as expected\n' "$name" >&2
    exit 1
  }
done
