#!/usr/bin/env bash
# Runs every example offline, with its defaults, and compares what it printed with Examples/Expected/NAME.txt and what
# it wrote with what a sound file, a drawing and a page have to be. An example is an executable target of Examples. A tool has a
# line of arguments in Examples/Expected/NAME.arguments instead; in the folder `sounds` are those of the examples.
set -euo pipefail
cd "$(dirname "$0")/.."

# `make test` has built them there.
build=(swift build --package-path Examples --scratch-path .build)
"${build[@]}"
programs=$("${build[@]}" --show-bin-path)
root=$PWD
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/home"

fail() {
  printf 'Scripts/test-examples.sh: %s\n' "$*" >&2
  exit 1
}

examples=$(
  swift package --package-path Examples describe --type json | python3 -c '
import json, sys
print(*(target["name"] for target in json.load(sys.stdin)["targets"] if target["type"] == "executable"))'
)
for name in $examples; do
  [ -s "Examples/Expected/$name.txt" ] || fail "there is no Examples/Expected/$name.txt, or it is empty"
done
for file in Examples/Expected/*; do
  [[ " $examples " == *" $(basename "${file%.*}") "* ]] || fail "$file belongs to no executable target of Examples"
done

for name in $examples; do
  if [ "$name" = unplug ] && ! (command -v pulseaudio && command -v pactl && command -v parec) >/dev/null; then
    echo 'unplug is skipped: this machine lacks pulseaudio'
    continue
  fi
  guide=Examples/Sources/$name/README.md
  grep -q "^swift run --package-path Examples .*\b$name\b" "$guide" || fail "$guide does not say how to run $name"
  help=$("$programs/$name" --help)
  # Each renders offline; some also draw, or write a page.
  files=("$name.wav")
  options=(--offline "$name.wav")
  if [[ $help == *--plot* ]]; then
    files+=("$name.svg")
    options+=(--plot "$name.svg")
  fi
  if [[ $help == *--page* ]]; then
    files+=("$name.html")
    options+=(--page "$name.html")
  fi
  # Every option after the program's name in its guide is one that it has.
  for option in $(sed -n "s/^swift run --package-path Examples .*\b$name\b//p" "$guide" | grep -o -- '--[a-z-]*'); do
    [[ $help == *"$option"* ]] || fail "$guide names $option, which $name does not have"
  done
  if [ -f "Examples/Expected/$name.arguments" ]; then
    read -ra options <"Examples/Expected/$name.arguments"
    files=()
    for option in "${options[@]}"; do
      if [[ $option == "$name".* ]]; then files+=("$option"); fi
    done
  fi
  printf '%s %s\n' "$name" "${options[*]}"
  mkdir "$folder/$name"
  ln -s "$root/Examples/Sources/Stage/Resources" "$folder/$name/sounds"
  # Joined by &&: on the left of || no failure ends a subshell.
  (
    cd "$folder/$name" \
      && env -u ALSOFT_CONF HOME="$folder/home" XDG_CONFIG_HOME="$folder/home" ALSOFT_DRIVERS=null \
        timeout 120 "$programs/$name" "${options[@]}" >printed.txt </dev/null \
      && "$root/Scripts/check-output" "$root/Examples/Expected/$name.txt" printed.txt ${files[@]+"${files[@]}"}
  ) || fail "$name failed, took more than two minutes, or is not as Examples/Expected/$name.txt says"
  # Without an output that was asked for, nothing is rendered in its place.
  if [[ $help == *--device* ]]; then
    (
      cd "$folder/$name" \
        && status=0 \
        && { env -u ALSOFT_CONF HOME="$folder/home" XDG_CONFIG_HOME="$folder/home" ALSOFT_DRIVERS=null \
          timeout 120 "$programs/$name" --device 'no such output' >/dev/null 2>message.txt </dev/null || status=$?; } \
        && [ "$status" -eq 1 ] && grep -q 'no such output' message.txt
    ) || fail "$name does not end with 1 where the device is missing that --device names"
  fi
done
