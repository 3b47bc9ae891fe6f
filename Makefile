# Everything a newcomer needs: `make demo` and `make test`. The rest is for those who change something: `make help`.

SWIFT ?= swift
export SWIFT
# The same flags in every step: changing one builds everything anew.
FLAGS = --explicit-target-dependency-import-check error
# What `pedometer` is built from, what everything is built from, and what the tests need besides.
DEMO_PACKAGES = git pkg-config libc6-dev g++ zlib1g-dev libarchive-dev libudev-dev libevdev-dev
PACKAGES = $(DEMO_PACKAGES) libsqlite3-dev libssl-dev
TEST_PACKAGES = $(PACKAGES) umockdev dbus-daemon python3-dbus python3-gi
# `pedometer` needs one of the packages that all traits together need. Where those are there already, the demo is built with
# them: other traits would compile this package's modules anew.
DEMO_TRAITS = $(if $(wildcard .build/checkouts/hummingbird),,--traits CommandLine)
RELEASE = .build/release/pedometer
FULL = .build/release/pedometer-full
DAEMON = .build/release/pedometerd

# Where things go; both, and DESTDIR, may be given. udev reads rules below /usr, /usr/local and /etc only.
PREFIX ?= /usr/local
UDEVRULES ?= $(PREFIX)/lib/udev/rules.d
SYSUSERS ?= $(PREFIX)/lib/sysusers.d
UNITS ?= $(PREFIX)/lib/systemd/system
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/pedometer
MAN = $(DESTDIR)$(PREFIX)/share/man/man1
MAN8 = $(DESTDIR)$(PREFIX)/share/man/man8
DOC = $(DESTDIR)$(PREFIX)/share/doc/pedometer
BASH = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d

.PHONY: demo test help test-kernel test-web test-load build release lint format bench fuzz docs install uninstall packages \
  test-packages clean

demo: ## Count a recording and explain what happened.
	@.ci/packages $(DEMO_PACKAGES)
	@.ci/fetch "make demo" $(DEMO_TRAITS)
	$(SWIFT) build -c release --static-swift-stdlib $(FLAGS) $(DEMO_TRAITS) --product pedometer
	@Fixtures/demo $(RELEASE)

test: test-packages ## Build everything and run all tests; it ends after TEST_MINUTES=30 whatever they do.
	@.ci/fetch "make test"
	$(SWIFT) build --build-tests $(FLAGS)
	.ci/tests --parallel $(FLAGS)

help: ## List what can be made.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

test-kernel: release ## Test the release executable with virtual sensors on two real kernels, in QEMU.
	Tests/KernelLab/run-all -b $(RELEASE)

test-web: release ## The live page in Chromium; and let openapi-spec-validator, schemathesis and promtool judge the service.
	@.ci/packages curl python3-venv
	Tests/Web/run -b .build/release
	Tests/ServiceChecks/run -b .build/release/pedometerd

test-load: test-packages release ## A thousand readers of the live stream, a thousand walkers in rooms, a hundred clients that ask for years.
	@.ci/packages curl python3
	$(SWIFT) build --build-tests $(FLAGS)
	Tests/ServiceLoad/run
	Tests/ServiceLoad/rooms
	Tests/ServiceLoad/history

build: packages ## Build for debugging.
	@.ci/fetch "make build"
	$(SWIFT) build $(FLAGS)

release: packages ## Build for use.
	@.ci/fetch "make release"
	$(SWIFT) build -c release --static-swift-stdlib $(FLAGS)

lint: ## Check the style.
	$(SWIFT) format lint --strict -r Sources Tests Benchmarks/Sources Fuzz/Sources Fuzz/Package.swift Examples/Sources Examples/Tests Examples/Package.swift Package.swift Benchmarks/Package.swift
	@.ci/lint

format: ## Apply the style.
	$(SWIFT) format -i -r Sources Tests Benchmarks/Sources Fuzz/Sources Fuzz/Package.swift Examples/Sources Examples/Tests Examples/Package.swift Package.swift Benchmarks/Package.swift

bench: release ## Print what things cost, as ratios against C.
	$(SWIFT) run --package-path Benchmarks -c release benchmarks

fuzz: packages ## Read what a fuzzer makes of the recordings in Fuzz/Corpus, for MINUTES=10.
	$(SWIFT) build --package-path Fuzz -c release -Xswiftc -enable-testing -Xswiftc -sanitize=fuzzer,address \
	  -Xcc -fsanitize=address -Xswiftc -use-ld=lld
	@mkdir -p Fuzz/.build/corpus
	Fuzz/.build/release/fuzz-recordings -max_total_time=$$(( $(or $(MINUTES),10) * 60 )) -max_len=16384 -timeout=10 \
	  -rss_limit_mb=2048 -artifact_prefix=Fuzz/.build/ Fuzz/.build/corpus Fuzz/Corpus

docs: packages ## Build the documentation's site in .build/docs.
	@.ci/docs

# Not rebuilt when it is there, so that root need not build.
$(RELEASE) $(FULL) $(DAEMON):
	$(MAKE) release

install: $(RELEASE) $(FULL) $(DAEMON) ## Install executables, service, udev rule, group and user, manuals and completions.
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(LIBEXEC)" "$(DESTDIR)$(UDEVRULES)" "$(DESTDIR)$(SYSUSERS)" "$(DESTDIR)$(UNITS)" \
	  "$(MAN)" "$(MAN8)" "$(DOC)" "$(BASH)" "$(ZSH)" "$(FISH)"
	install -m 755 $(RELEASE) $(DAEMON) "$(DESTDIR)$(PREFIX)/bin"
	install -m 755 $(FULL) "$(LIBEXEC)"
	-@strip "$(DESTDIR)$(PREFIX)/bin/pedometer" "$(DESTDIR)$(PREFIX)/bin/pedometerd" "$(LIBEXEC)/pedometer-full" 2>/dev/null
	sed 's|^ExecStart=/usr/local/bin|ExecStart=$(PREFIX)/bin|' packaging/systemd/pedometerd.service \
	  > "$(DESTDIR)$(UNITS)/pedometerd.service"
	chmod 644 "$(DESTDIR)$(UNITS)/pedometerd.service"
	install -m 644 packaging/config/pedometerd.yaml "$(DOC)"
	install -m 644 udev-rules/72-pedometer.rules "$(DESTDIR)$(UDEVRULES)"
	install -m 644 packaging/sysusers.d/pedometer.conf "$(DESTDIR)$(SYSUSERS)"
	sed 's|/usr/local|$(PREFIX)|g' packaging/man/pedometer.1 > "$(MAN)/pedometer.1"
	chmod 644 "$(MAN)/pedometer.1"
	install -m 644 packaging/man/pedometerd.8 "$(MAN8)"
	$(RELEASE) --generate-completion-script bash > "$(BASH)/pedometer"
	$(RELEASE) --generate-completion-script zsh > "$(ZSH)/_pedometer"
	$(RELEASE) --generate-completion-script fish > "$(FISH)/pedometer.fish"
	$(DAEMON) --generate-completion-script bash > "$(BASH)/pedometerd"
	$(DAEMON) --generate-completion-script zsh > "$(ZSH)/_pedometerd"
	$(DAEMON) --generate-completion-script fish > "$(FISH)/pedometerd.fish"
	@[ -n "$(DESTDIR)" ] || packaging/activate "$(SYSUSERS)/pedometer.conf"

uninstall: ## Take away what install brought.
	rm -f "$(DESTDIR)$(PREFIX)/bin/pedometer" "$(LIBEXEC)/pedometer-full" "$(DESTDIR)$(UDEVRULES)/72-pedometer.rules" \
	  "$(DESTDIR)$(SYSUSERS)/pedometer.conf" "$(MAN)/pedometer.1" \
	  "$(BASH)/pedometer" "$(ZSH)/_pedometer" "$(FISH)/pedometer.fish" \
	  "$(DESTDIR)$(PREFIX)/bin/pedometerd" "$(DESTDIR)$(UNITS)/pedometerd.service" "$(MAN8)/pedometerd.8" \
	  "$(DOC)/pedometerd.yaml" "$(BASH)/pedometerd" "$(ZSH)/_pedometerd" "$(FISH)/pedometerd.fish"
	-@rmdir "$(DOC)" "$(LIBEXEC)" 2>/dev/null
	@[ -n "$(DESTDIR)" ] || packaging/activate

packages: ## Install the Debian packages that building needs.
	@.ci/packages $(PACKAGES)

test-packages: ## Install the Debian packages that the tests need.
	@.ci/packages $(TEST_PACKAGES)

clean: ## Remove everything that was built.
	rm -rf .build Benchmarks/.build
