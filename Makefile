# The commands of this package; `make` alone lists them.

EXAMPLES = --package-path Examples

.DEFAULT_GOAL := help
.PHONY: help demo test check docs format

help: ## list these goals
	@sed -n 's/^\([a-z]*\):.*## \(.*\)/  make \1	\2/p' Makefile | expand -t 16

demo: ## render a sound that circles the listener to demo/circle.wav, and its levels to demo/circle.svg
	@Scripts/bootstrap
	@mkdir -p demo
	swift run $(EXAMPLES) circle --offline demo/circle.wav --plot demo/circle.svg

test: ## build and run every test; needs no sound card
	@Scripts/bootstrap
	@Scripts/bootstrap-server
	swift build --build-tests
	swift build --build-tests $(EXAMPLES)
	Scripts/run-tests
	Scripts/run-tests $(EXAMPLES)

check: ## run all that continuous integration runs
	.ci/run

docs: ## build the documentation site into .build/docs
	@Scripts/bootstrap python3
	Scripts/check-docs --site .build/docs

format: ## format every Swift file
	swift format --in-place --recursive --parallel Package.swift Sources Tests Examples Benchmarks Fuzzing Snippets
