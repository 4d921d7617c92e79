GAIT = .build/release/gait
DOCS = .build/docs
STRICT = -Xswiftc -warnings-as-errors
SWIFT_FILES = Package.swift Sources Tests

# Trains on the simulated sample data, evaluates on people it has not seen, classifies one of their recordings.
demo: release
	Scripts/demo $(GAIT)

# SwiftPM compiles dependencies with -suppress-warnings, so only Gait's own warnings count.
test: prerequisites
	swift build --build-tests $(STRICT)
	swift test $(STRICT)

# The same tests on optimised code, and those that only hold there: nothing allocates on the road.
test-# Runs exported models in onnxruntime, and reads them with coremltools, in a virtual environment in .build.
check-exports: release
	Scripts/check-exports $(GAIT)

# Trains the model that comes with Gait; DATA is the folder with the public sets (datasets/README.md).
DATA = ../shared/data
model: release
	Scripts/model $(GAIT) $(DATA)

release: prerequisites
	swift test --configuration release --scratch-path .build/tests-release -Xswiftc -enable-testing

# Features beside NumPy, tsflex and tsfel on one core; the peers go into a virtual environment in .build.
bench: release
	Scripts/bench $(GAIT)

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

.PHONY: bench check-exports demo docs format lint model prerequisites release release-v3 test test-release
