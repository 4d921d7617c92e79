GAIT = .build/release/gait
GAIT_V3 = .build/v3/release/gait
DOCS = .build/docs
STRICT = -Xswiftc -warnings-as-errors
SWIFT_FILES = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Workloads Benchmarks/RunWorkload \
	Benchmarks/Benchmarks Fuzzing/Package.swift Fuzzing/Sources/Fuzz/Fuzz.swift
# Whether this processor has what a build for x86-64-v3 needs.
V3 := $(shell grep -w avx2 /proc/cpuinfo 2>/dev/null | grep -qw fma && echo release-v3)

# Trains on the simulated sample data, evaluates on people it has not seen, classifies one of their recordings.
demo: release-plain
	Scripts/demo $(GAIT)

# SwiftPM compiles dependencies with -suppress-warnings, so only Gait's own warnings count.
test: prerequisites
	swift build --build-tests $(STRICT)
	swift test $(STRICT)

# Runs exported models in onnxruntime, and reads them with coremltools, in a virtual environment in .build.
check-exports: release
	Scripts/check-exports $(GAIT)

# Opens the pages that the command writes in headless Chromium, on a phone and on a desk.
check-report: release
	Scripts/check-report $(GAIT)

# Trains the model that comes with Gait; DATA is the folder with the public sets (datasets/README.md).
DATA = ../shared/data
model: release
	Scripts/model $(GAIT) $(DATA)

# The same tests on optimised code, and those that only hold there: nothing allocates on the road.
test-release: prerequisites
	swift test --configuration release --scratch-path .build/tests-release -Xswiftc -enable-testing

# CSV to labels, reading, features and learners beside what one would use instead, on one core, and how the cost grows: a
# table in .build/bench/benchmarks.md, a page in .build/bench/scale.html. BENCH_QUICK=1 for a short run.
bench: release
	DATA=$(DATA) Scripts/bench $(GAIT) $(if $(V3),$(GAIT_V3))

# Every stage of the road on the benchmark harness: sizes that show how cost grows. FILTER='features.*' for a part.
bench-stages: prerequisites
	swift package --package-path Benchmarks --allow-writing-to-package-directory benchmark --target Stages \
		--grouping metric $(if $(FILTER),--filter '$(FILTER)')

# Instructions and allocations of every stage against those recorded; record-costs records them anew.
check-costs:
	Scripts/check-costs

record-costs:
	Scripts/check-costs --record

# The command at .build/release/gait, which runs on any processor; where this one has AVX2, a build for it beside that,
# at .build/v3/release/gait.
release: release-plain $(V3)

release-plain: prerequisites
	swift build --configuration release --product gait

release-v3: prerequisites
	swift build --configuration release --product gait --scratch-path .build/v3 \
		-Xcc -march=x86-64-v3 -Xswiftc -DGAIT_X86_64_V3

# Fuzzes every reader of untrusted input (or those in TARGETS) for SECONDS each; Scripts/fuzz says more.
SECONDS = 60
fuzz: prerequisites
	Scripts/fuzz $(SECONDS) $(TARGETS)

format:
	swift format --in-place --recursive $(SWIFT_FILES)

lint:
	swift format lint --strict --recursive $(SWIFT_FILES)

# The README's length, its commands with their output, and its picture.
check-readme: prerequisites
	swift build --product gait $(STRICT)
	Scripts/check-readme .build/debug/gait

# Words and names that the project has replaced.
check-words:
	Scripts/check-words

docs: prerequisites
	swift package $(STRICT) --allow-writing-to-directory $(DOCS) generate-documentation \
		--target Gait --target GaitFormats --target GaitTraining --warnings-as-errors --output-path $(DOCS)

prerequisites:
	@Scripts/install-prerequisites

.PHONY: bench bench-stages check-costs check-exports check-readme check-report check-words demo docs format fuzz lint model \
	prerequisites record-costs release release-plain release-v3 test test-release
