GAIT = .build/release/gait
DOCS = .build/docs
STRICT = -Xswiftc -warnings-as-errors
SWIFT_FILES = Package.swift Sources Tests Benchmarks/Package.swift Benchmarks/Workloads Benchmarks/RunWorkload \
	Benchmarks/Benchmarks

# Trains on the simulated sample data, evaluates on people it has not seen, classifies one of their recordings.
demo: release
	Scripts/demo $(GAIT)

# SwiftPM compiles dependencies with -suppress-warnings, so only Gait's own warnings count.
test: prerequisites
	swift build --build-tests $(STRICT)
	swift test $(STRICT)

# The same tests on optimised code, and those that only hold there: nothing allocates on the road.
test-release: prerequisites
	swift test --configuration release --scratch-path .build/tests-release -Xswiftc -enable-testing

# Features beside NumPy, tsflex and tsfel, reading CSV beside polars, pyarrow and pandas, on one core; the peers go into a virtual environment in .build.
bench: release
	Scripts/bench $(GAIT)

# Every stage of the road on the benchmark harness: sizes that show how cost grows. FILTER='features.*' for a part.
bench-stages: prerequisites
	swift package --package-path Benchmarks --allow-writing-to-package-directory benchmark --target Stages \
		--grouping metric $(if $(FILTER),--filter '$(FILTER)')

# Instructions and allocations of every stage against those recorded; record-costs records them anew.
check-costs:
	Scripts/check-costs

record-costs:
	Scripts/check-costs --record

release: prerequisites
	swift build --configuration release --product gait

# The same command for processors with AVX2; a plain build runs on any.
release-v3: prerequisites
	swift build --configuration release --product gait --scratch-path .build/v3 \
		-Xcc -march=x86-64-v3 -Xswiftc -DGAIT_X86_64_V3

format:
	swift format --in-place --recursive $(SWIFT_FILES)

lint:
	swift format lint --strict --recursive $(SWIFT_FILES)

docs: prerequisites
	swift package $(STRICT) --allow-writing-to-directory $(DOCS) generate-documentation \
		--target Gait --target GaitFormats --target GaitTraining --warnings-as-errors --output-path $(DOCS)

prerequisites:
	@Scripts/install-prerequisites

.PHONY: bench bench-stages check-costs demo docs format lint prerequisites record-costs release release-v3 test test-release
