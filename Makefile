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

bench: release
	Scripts/bench $(GAIT)

release: prerequisites
	swift build --configuration release --product gait

format:
	swift format --in-place --recursive $(SWIFT_FILES)

lint:
	swift format lint --strict --recursive $(SWIFT_FILES)

docs: prerequisites
	swift package $(STRICT) --allow-writing-to-directory $(DOCS) generate-documentation \
		--target Gait --target GaitFormats --target GaitTraining --warnings-as-errors --output-path $(DOCS)

prerequisites:
	@Scripts/install-prerequisites

.PHONY: bench demo docs format lint prerequisites release test
