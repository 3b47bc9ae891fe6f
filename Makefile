# Everything a newcomer needs: `make demo` and `make test`. The rest is for those who change something.

SWIFT ?= swift
# The same flags in every step: changing one builds everything anew.
FLAGS = --explicit-target-dependency-import-check error
PACKAGES = git pkg-config libc6-dev g++ zlib1g-dev libudev-dev libevdev-dev umockdev
RELEASE = .build/release/pedometer

.PHONY: demo test build release lint format bench docs packages clean

demo: release ## Count a recording and explain what happened.
	@Fixtures/demo $(RELEASE)

test: packages ## Build everything and run all tests.
	$(SWIFT) build --build-tests $(FLAGS)
	$(SWIFT) test --skip-build --parallel $(FLAGS)

build: packages ## Build for debugging.
	$(SWIFT) build $(FLAGS)

release: packages ## Build for use.
	@$(SWIFT) --version >/dev/null 2>&1 || { echo "There is no Swift here; install a toolchain of 6.2 or later." >&2; exit 1; }
	$(SWIFT) build -c release $(FLAGS)

lint: ## Check the style.
	$(SWIFT) format lint --strict -r Sources Tests Benchmarks/Sources Package.swift Benchmarks/Package.swift

format: ## Apply the style.
	$(SWIFT) format -i -r Sources Tests Benchmarks/Sources Package.swift Benchmarks/Package.swift

bench: release ## Print what things cost, as ratios against C.
	$(SWIFT) run --package-path Benchmarks -c release benchmarks

docs: packages ## Build the documentation's site in .build/docs.
	@.ci/docs

packages:
	@.ci/packages $(PACKAGES)

clean:
	rm -rf .build Benchmarks/.build
