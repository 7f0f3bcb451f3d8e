# The commands of this package; `make` alone lists them.

EXAMPLES = --package-path Examples
# Their tests share the folder of the package's build: the libraries are not compiled twice.
EXAMPLE_TESTS = $(EXAMPLES) --scratch-path .build

.DEFAULT_GOAL := help
.PHONY: help demo pictures tools uninstall-tools test check docs format

# Where `make tools` installs the tools, and the traits that it builds them with: LibAVCodec, Resampling, or both with a
# comma.
PREFIX = $(HOME)/.local
TRAITS =

help: ## list these goals
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 24

demo: ## render walks among sounds and torches: demo/circle.html to look and listen, demo/torches.svg
	@Scripts/bootstrap
	@mkdir -p demo
	swift run $(EXAMPLES) circle --offline demo/circle.wav --plot demo/circle.svg --page demo/circle.html
	swift run $(EXAMPLES) torches --offline demo/torches.wav --plot demo/torches.svg
	@echo 'Open demo/circle.html in a browser to look and listen, and demo/torches.svg for 10,000 torches.'

pictures: ## draw the pictures of all guides anew, from what the library renders
	@Scripts/bootstrap
	@for name in circle column dungeon explore house monster phonecall torches; do \
	  swift run $(EXAMPLES) $$name --offline .build/$$name.wav --plot Docs/Images/$$name.svg; \
	done
	Scripts/draw-guides

tools: ## install audioinfo and audioconvert below PREFIX, with TRAITS such as LibAVCodec,Resampling
	@Scripts/bootstrap
	@Scripts/install-tools '$(PREFIX)' '$(TRAITS)'

uninstall-tools: ## remove them from PREFIX
	rm -f '$(PREFIX)/bin/audioinfo' '$(PREFIX)/bin/audioconvert'

test: ## build and run every test; needs no sound card
	@Scripts/bootstrap
	@Scripts/bootstrap-server
	swift build --build-tests
	swift build --build-tests $(EXAMPLE_TESTS)
	Scripts/run-tests
	Scripts/run-tests $(EXAMPLE_TESTS)

check: ## run all that continuous integration runs
	.ci/run

docs: ## build the documentation site into .build/docs
	@Scripts/bootstrap python3
	Scripts/check-docs --site .build/docs

format: ## format every Swift file
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks Fuzzing Snippets
