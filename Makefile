GAIT = .build/release/gait
GAIT_V3 = .build/v3/release/gait
# Without debug information a build takes about a tenth less processor time. All debug builds have the same options, so that
# they share their files.
STRICT = -Xswiftc -warnings-as-errors -debug-info-format none
SWIFT_FILES = Package.swift Sources Tests Benchmarks/GaitBenchmarks Benchmarks/RunWorkload Benchmarks/StoreTimes \
	Examples/Package.swift Examples/Sources Examples/Server/Package.swift Examples/Server/Sources \
	Fuzzing/Package.swift Fuzzing/Sources/Fuzz/Fuzz.swift
# Set if this processor supports a build for x86-64-v3.
V3 := $(shell grep -w avx2 /proc/cpuinfo 2>/dev/null | grep -qw fma && echo release-v3)

# SwiftPM and clang keep caches in the home folder; where that cannot be written to, in .build.
ifeq ($(shell mkdir -p "$${XDG_CACHE_HOME:-$$HOME/.cache}" 2>/dev/null && test -w "$${XDG_CACHE_HOME:-$$HOME/.cache}" && echo writable),)
export XDG_CACHE_HOME := $(CURDIR)/.build/cache
endif

# Trains on the simulated sample data, evaluates on held-out people, classifies one of their recordings.
demo: release-plain ## trains on the sample data, evaluates, classifies, and tracks a run with GPS
	Scripts/demo $(GAIT)

# SwiftPM compiles dependencies with -suppress-warnings, so only Gait's own warnings count. FILTER='Run.*Tests' chooses tests.
test: build-tests ## builds with warnings as errors and runs the tests; FILTER chooses some
	swift test $(STRICT) $(if $(FILTER),--filter '$(FILTER)')

build-tests: prerequisites ## builds the tests
	swift build --build-tests $(STRICT)

# Models that the Python package writes as ONNX and Core ML, in onnxruntime and coremltools, in a virtual environment in .build.
check-exports: release ## compares exported models in onnxruntime and coremltools
	Scripts/check-programs exports $(GAIT)

# Reads the GPX and TCX of simulated runs with gpxpy and python-tcxparser, in a virtual environment in .build.
check-tracks: release lab ## reads the GPX and TCX of 200 simulated runs with gpxpy and python-tcxparser
	Scripts/check-programs tracks $(GAIT)

# The C interface as one shared library, .build/c/libgait.so, and the Python package's wheel in .build/python.
c-library: prerequisites ## builds the C interface, .build/c/libgait.so
	Scripts/python-package library

wheel: prerequisites ## builds the Python package's wheel
	Scripts/python-package wheel

# Installs the wheel in a bare environment and compares its windows with the command's.
check-python: release ## tests the wheel in a bare environment against the command
	Scripts/python-package check $(GAIT)

# Windows and labels in Spark, by path and by frame, with a worker that is killed, and a model of Spark's MLlib.
check-spark: release ## compares features, labels and a model in Spark with the command (needs Java 17)
	Scripts/check-programs spark $(GAIT) $(DATA)

# Features in Ray, of files.
check-ray: release ## compares features in Ray with the command
	Scripts/check-programs ray $(GAIT)

# What the Python package costs, beside C, blocks and other libraries.
python-costs: c-library ## measures what Python costs beside C and other libraries
	python3 -m venv .build/python/numpy
	.build/python/numpy/bin/pip install --quiet --disable-pip-version-check polars pyarrow -r Benchmarks/peers/jobs_requirements.txt
	PYTHONPATH=python/src .build/python/numpy/bin/python Benchmarks/peers/python_costs.py .build/c/libgait.so

# Opens the pages that the command writes in headless Chromium, in phone and desktop size.
check-report: release lab ## opens every type of page in headless Chromium
	Scripts/check-report $(GAIT)

# The tables of options in the documentation, from the definitions of the command.
option-tables: build-tests ## writes the documentation's tables of options
	GAIT_WRITE_TABLES=1 swift test $(STRICT) --filter OptionTablesTests

# The pictures of pages in the documentation, taken in headless Chromium.
gallery: release lab ## takes the pictures of pages in the documentation
	Scripts/gallery $(GAIT) --update

# Trains the bundled models; DATA is the folder with the public data sets (datasets/README.md).
DATA = ../shared/data
model: lab ## trains the built-in models; DATA is the folder of the public data sets
	.build/release/gait-lab model $(DATA)

# The same tests on optimised code, including the tests for allocations in the pipeline.
test-release: prerequisites ## runs the tests on optimised code
	swift test --configuration release --scratch-path .build/tests-release -Xswiftc -enable-testing \
		$(if $(FILTER),--filter '$(FILTER)')

# Compares pipeline, reading, features, training and scoring with peers, and measures how cost grows. Writes a table
# to .build/bench/benchmarks.md and a page to .build/bench/scale.html. BENCH_QUICK=1 for a short run.
bench: release lab workloads c-library $(if $(V3),workloads-v3) ## times Gait and its peers (Python 3.11 or newer); BENCH_QUICK=1 for a short run
	DATA=$(DATA) Scripts/bench $(GAIT) $(if $(V3),$(GAIT_V3))

# Times every pipeline stage at several sizes. FILTER=features selects stages.
bench-stages: workloads ## times every stage at many sizes; FILTER chooses some
	.build/release/RunWorkload --time $(FILTER)

# What times and counts parts of Gait, at .build/release/RunWorkload.
workloads: prerequisites
	$(BUILD) --product RunWorkload

workloads-v3: prerequisites
	$(BUILD) --product RunWorkload --scratch-path .build/v3 -Xcc -march=x86-64-v3 -Xswiftc -DGAIT_X86_64_V3

# Compares instructions and allocations of every pipeline stage and of the command with the counts in Benchmarks/gate/costs.json, which do not
# depend on the clock or on other load; record-costs updates them.
check-costs: release-plain ## compares instructions and allocations of every stage with the recorded ones
	Scripts/install-prerequisites valgrind python3
	swift build --configuration release --scratch-path .build/workloads --product RunWorkload
	python3 Benchmarks/gate/gate.py .build/workloads/release/RunWorkload $(GAIT)-command $(RECORD)

record-costs: ## records instructions and allocations
	$(MAKE) check-costs RECORD=--record

# The command at .build/release/gait, which runs on any processor. If this one has AVX2, also a build for it at
# .build/v3/release/gait. Each is a link to the product gait-command. Swift's libraries are part of it, as it starts in three fifths of the
# instructions then, and runs without a toolchain.
BUILD = swift build --configuration release $(if $(filter Linux,$(shell uname -s)),--static-swift-stdlib)
COMMAND = $(BUILD) --product gait-command

release: release-plain $(V3) ## builds the command, .build/release/gait

release-plain: prerequisites
	$(COMMAND)
	ln -sf gait-command $(GAIT)

release-v3: prerequisites
	$(COMMAND) --scratch-path .build/v3 -Xcc -march=x86-64-v3 -Xswiftc -DGAIT_X86_64_V3
	ln -sf gait-command $(GAIT_V3)

# The laboratory's command at .build/release/gait-lab, which judges models, makes the bundled ones and simulates recordings.
lab: prerequisites ## builds the laboratory, .build/release/gait-lab
	$(BUILD) --product gait-lab

# Installs the commands gait and gait-lab, their completions for bash, zsh and fish, and a manual page for each subcommand.
PREFIX = /usr/local
install: release-plain lab ## installs gait and gait-lab, completions and manual pages; PREFIX is the folder
	Scripts/install-command $(GAIT) "$(DESTDIR)$(PREFIX)"

# The lines that the tests run, by folder, with limits.
coverage: prerequisites ## measures the lines that the tests run; fails below the limits
	Scripts/coverage

# The whole suite under the address sanitizer; under the thread sanitizer, the libraries that work in parallel. Leaks are not looked
# for: the Swift runtime keeps memory until the process ends.
sanitize-address: prerequisites ## runs the tests under the address sanitizer
	ASAN_OPTIONS=detect_leaks=0 swift test --sanitize=address --scratch-path .build/sanitize-address $(if $(FILTER),--filter '$(FILTER)')

sanitize-thread: FILTER = GaitTrainingTests|GaitRunsTests|GaitCTests|GaitLabTests
sanitize-thread: prerequisites ## runs the tests of parallel code under the thread sanitizer
	TSAN_OPTIONS="suppressions='$(CURDIR)/.ci/thread-sanitizer-suppressions'" \
	  swift test --sanitize=thread --scratch-path .build/sanitize-thread --filter '$(FILTER)'

# Plants faults in a copy of the sources, one at a time, and counts those that the tests catch.
judge-tests: prerequisites ## plants faults in a copy of the sources, and counts those that the tests catch
	Scripts/judge-tests

# Kills the command, fills its disk and closes its pipes.
judge-faults: release-plain ## kills the command, fills its disk and closes its pipes
	Scripts/judge-faults $(GAIT)

# Runs every part of .ci/parts that has not passed on the present sources, or only PART, and prints the table of all.
release-check: ## runs the parts of .ci/parts that have not passed on the present sources; PART chooses one
	Scripts/release-check $(PART)

# Fuzzes every parser of untrusted input (or those in TARGETS) for SECONDS each; see Scripts/fuzz.
SECONDS = 60
fuzz: prerequisites ## fuzzes every reader of untrusted input for SECONDS each; TARGETS chooses some
	Scripts/fuzz $(SECONDS) $(TARGETS)

format: ## formats the Swift files
	swift format --in-place --recursive $(SWIFT_FILES)

lint: ## checks the format of the Swift files
	swift format lint --strict --recursive $(SWIFT_FILES)

# The README's commands with their output, and the picture of its recording in *Auto-pause in ten minutes*.
check-readme: prerequisites ## runs the README's commands and compares their output
	swift build --product gait-command $(STRICT)
	swift build --product gait-lab $(STRICT)
	Scripts/check-articles readme .build/debug/gait-command

# The documentation as one site, .build/docs/site; check-docs opens it in headless Chromium.
docs: prerequisites ## builds the documentation, .build/docs/site; a broken link is an error
	Scripts/build-docs $(STRICT)

check-docs: docs ## opens the documentation in headless Chromium
	Scripts/check-docs

# The commands, each with the sentence behind `##`, and the checks that are scripts.
help: ## lists the commands
	@sed -n 's/^\([a-z][a-z-]*\):.* ## \(.*\)/\1\t\2/p' Makefile | sort | awk -F '\t' '{ printf "make %-17s %s\n", $$1, $$2 }'
	@echo
	@echo "Scripts/check-api, check-articles, check-mission and check-bare-machine: their first lines say what they check."
	@echo ".ci/run: everything that must pass before a merge"

prerequisites:
	@Scripts/install-prerequisites

.PHONY: bench bench-stages build-tests c-library check-costs check-docs check-exports check-python check-ray \
	check-readme check-report check-spark check-tracks coverage demo docs format fuzz gallery help install judge-faults \
	judge-tests lab lint model option-tables prerequisites python-costs record-costs release release-check release-plain release-v3 \
	sanitize-address sanitize-thread test test-release wheel workloads workloads-v3
