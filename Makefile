# Start with `make demo` and `make test`; `make help` lists the rest.

SWIFT ?= swift
export SWIFT
# The same flags in every step, because a change rebuilds everything.
FLAGS = --explicit-target-dependency-import-check error
# Without debug information and an index (see .ci/TestRunner.swift), and by whole modules, a build takes half of the time.
TEST_BUILD ?= -debug-info-format none --disable-index-store
TEST_COMPILER ?= $(CURDIR)/packaging/wholemodule/swiftc
# Traits other than the default, for `pedometer` alone: CommandLine.
TRAITS ?=
export TRAITS
RELEASE_BUILD = SWIFT_EXEC="$(CURDIR)/packaging/size/swiftc" $(SWIFT) build -c release --static-swift-stdlib $(FLAGS) \
  $(if $(OLD_GLIBC),-Xlinker -z -Xlinker nopack-relative-relocs)
# Packages for building `pedometer`, for building everything, and for the tests.
DEMO_PACKAGES = git pkg-config libc6-dev g++ zlib1g-dev libisal-dev libarchive-dev libudev-dev libevdev-dev
PACKAGES = $(DEMO_PACKAGES) libsqlite3-dev libssl-dev libqrencode-dev
TEST_PACKAGES = $(PACKAGES) umockdev dbus-daemon python3-dbus python3-gi mosquitto
# `pedometer` needs one of the packages of all traits. If all are present, the demo uses all traits, because other traits
# would recompile this package's modules.
DEMO_TRAITS = $(if $(wildcard .build/checkouts/hummingbird),,--traits CommandLine)
RELEASE = .build/release/pedometer
FULL = .build/release/pedometer-full
STRIP ?= strip

# Installation folders; both can be overridden, and DESTDIR be set. udev reads rules below /usr, /usr/local and /etc only.
PREFIX ?= /usr/local
UDEVRULES ?= $(PREFIX)/lib/udev/rules.d
SYSUSERS ?= $(PREFIX)/lib/sysusers.d
UNITS ?= $(PREFIX)/lib/systemd/system
# Below a home folder, systemd reads the units of that user, and neither it nor udev and the system bus read anything else.
IN_HOME = $(if $(DESTDIR),,$(filter $(HOME)/%,$(PREFIX)))
USERUNITS ?= $(PREFIX)/$(if $(IN_HOME),share,lib)/systemd/user
# The system bus reads policies below /usr/share and /etc only.
DBUS = $(DESTDIR)$(PREFIX)/share/dbus-1
DBUSPOLICY ?= $(if $(filter /usr/local,$(PREFIX)),/etc,$(PREFIX)/share)/dbus-1/system.d
LIBEXEC = $(DESTDIR)$(PREFIX)/libexec/pedometer
MAN = $(DESTDIR)$(PREFIX)/share/man/man1
# Before executables of another architecture: what runs them.
RUN ?=
MAN8 = $(DESTDIR)$(PREFIX)/share/man/man8
DOC = $(DESTDIR)$(PREFIX)/share/doc/pedometer
BASH = $(DESTDIR)$(PREFIX)/share/bash-completion/completions
ZSH = $(DESTDIR)$(PREFIX)/share/zsh/site-functions
FISH = $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d
APPLICATIONS = $(DESTDIR)$(PREFIX)/share/applications
ICONS = $(DESTDIR)$(PREFIX)/share/icons/hicolor/scalable/apps
EXTENSION = $(DESTDIR)$(PREFIX)/share/gnome-shell/extensions/pedometer@org.pedometer

.PHONY: demo test test-build lab test-lab help test-kernel test-web test-cluster test-load test-abi test-asan test-tsan coverage mutants trust abi embedded wheel r-package test-r deb test-deb dist build release lint format bench revalidate \
  fuzz docs pictures install uninstall packages test-packages clean

demo: ## Count a recording and explain what happened.
	@.ci/packages $(DEMO_PACKAGES)
	@.ci/fetch "make demo" $(DEMO_TRAITS)
	$(RELEASE_BUILD) $(DEMO_TRAITS) --product pedometer
	@Fixtures/demo $(RELEASE)

test: test-packages ## Build everything and run all tests; stops after TEST_MINUTES=60.
	@.ci/fetch "make test"
	@$(MAKE) --no-print-directory test-build
	.ci/tests --parallel

test-build: ## Build the tests only. TEST_BUILD= adds debug information, and TEST_COMPILER= compiles only the files that changed.
	@trap 'rm -f Tests/XCTMain.swift' EXIT; trap 'exit 130' INT TERM HUP; cp .ci/TestRunner.swift Tests/XCTMain.swift && \
	  $(if $(TEST_COMPILER),SWIFT_EXEC="$(TEST_COMPILER)" )$(SWIFT) build --build-tests $(FLAGS) $(TEST_BUILD)

help: ## List the targets.
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

test-kernel: release ## Test the release executable with virtual sensors on two real kernels, in QEMU.
	Tests/Trials/KernelLab/run-all -b $(RELEASE)

test-web: release ## Test the page in Chromium, and check the service with openapi-spec-validator, schemathesis and promtool.
	@.ci/packages curl python3-venv
	Tests/Trials/Web/run -b .build/release
	Tests/Trials/ServiceChecks/run -b .build/release/pedometerd

test-cluster: release ## A study on a private Slurm with a node that is lost, by GNU parallel and by Snakemake.
	Tests/Trials/Cluster/engines-trial -b .build/release || [ $$? = 77 ]
	Tests/Trials/Cluster/peers-trial -b .build/release || [ $$? = 77 ]
	Tests/Trials/Cluster/slurm-trial -b .build/release || [ $$? = 77 ]

test-load: test-packages release test-build ## Load tests: 1000 stream readers, 1000 walkers in rooms, 100 clients with long queries.
	@.ci/packages curl python3
	Tests/Trials/ServiceLoad/run
	Tests/Trials/ServiceLoad/rooms
	Tests/Trials/ServiceLoad/history

build: packages ## Build for debugging.
	@.ci/fetch "make build"
	$(SWIFT) build $(FLAGS)

release: packages ## Build for release; with OLD_GLIBC=1 also for Ubuntu 22.04, larger and with more memory.
	@.ci/fetch "make release" $(TRAITS:%=--traits %)
	$(RELEASE_BUILD) $(if $(TRAITS),--traits $(TRAITS) --product pedometer) $$(packaging/icu/reduce .build/icu/icudt.o)

lint: ## Check the style.
	$(SWIFT) format lint --strict -r Sources Tests Benchmarks/Sources Lab/Sources Lab/Tests Lab/Package.swift Fuzz/Sources Fuzz/Package.swift Mutants Examples/Sources Examples/Tests Examples/Package.swift Package.swift Benchmarks/Package.swift
	@.ci/lint

format: ## Apply the style.
	$(SWIFT) format -i -r Sources Tests Benchmarks/Sources Lab/Sources Lab/Tests Lab/Package.swift Fuzz/Sources Fuzz/Package.swift Mutants Examples/Sources Examples/Tests Examples/Package.swift Package.swift Benchmarks/Package.swift

bench: release ## Run benchmarks, as ratios to C.
	$(SWIFT) run --package-path Benchmarks -c release -Xswiftc -enable-testing benchmarks

# What was added to the recordings for the fit of the shipped gate, and the data sets that make the mean error.
FIT = --copies 4 --negatives 60 --negative-share 0.05 --hard-weight 4 --day-power 0.3
MACRO ?= pebble_wrist,oxford_phone,voisard_lowerback,weallwalk_pocket,dsads_walks,marpino_legs,pdiot_counted
LEAVE_OUT ?= person source kind
SEEDS ?= 3

lab: packages ## Build detector-lab, which fits the detector, in Lab/.build/release.
	$(SWIFT) build --package-path Lab -c release -Xswiftc -enable-testing

test-lab: packages ## Test detector-lab.
	$(SWIFT) test --package-path Lab

revalidate: ## Measure the detector on RECORDINGS="DIR…" and write Documentation/Validation.md. Hours; fewer with LEAVE_OUT=person SEEDS=1.
	@[ -n "$(RECORDINGS)" ] || { echo "make revalidate: give folders with an index.csv each: make revalidate RECORDINGS=DIR" >&2; exit 64; }
	@$(MAKE) --no-print-directory release lab
	Lab/.build/release/detector-lab validate $(RECORDINGS) $(FIT) --macro $(MACRO) $(LEAVE_OUT:%=--leave-out %) --seeds $(SEEDS) \
	  $(PEERS:%=--peer %) --dated "$$(date +%F), version $$($(RELEASE) --version)" > .build/validation.md
	mv .build/validation.md Documentation/Validation.md

fuzz: packages ## Fuzz all readers for MINUTES=10 in all; with FORMAT=cwa, only that one.
	Fuzz/build
	MINUTES=$(or $(MINUTES),10) FORMAT=$(FORMAT) Fuzz/run

abi: packages ## Link the C interface to .build/c/libpedometer.so.
	@.ci/fetch "make abi" $(TRAITS:%=--traits %)
	packaging/c/build

embedded: ## Build the detector for microcontrollers (Cortex-M4, 32-bit RISC-V) in .build/embedded, and compare its steps under QEMU.
	@.ci/packages gcc-arm-none-eabi libnewlib-arm-none-eabi qemu-system-arm gcc-riscv64-unknown-elf picolibc-riscv64-unknown-elf qemu-system-misc || true
	packaging/embedded/check

wheel: abi ## Make the Python package in .build/python.
	@.ci/packages python3 binutils
	packaging/python/wheel .build/c/libpedometer.so .build/python

test-abi: release ## Count from C and from Python, and compare with the command.
	@.ci/packages python3-venv binutils g++
	.ci/abi $(RELEASE)

r-package: ## Make the R package in .build/r.
	@.ci/packages r-base-core
	mkdir -p .build/r && cd .build/r && R CMD build $(CURDIR)/packaging/r

test-r: release abi ## Check the R package, and compare its counts with those of the command and of Python.
	@.ci/packages r-base-core r-cran-testthat pkg-config g++ python3
	.ci/r $(RELEASE)

test-asan: packages ## Look for wrong uses of memory in the C interface, with AddressSanitizer.
	Tests/Trials/CInterface/run

test-tsan: test-packages ## Look for data races, with ThreadSanitizer. Builds everything once more.
	.ci/sanitize thread

coverage: test-packages ## Print the share of lines that the tests cover, by target. Builds everything once more.
	.ci/coverage

mutants: ## Change MODULE=ChaseEngine in many small ways, and list the changes that no test notices.
	Mutants/run $(or $(MODULE),ChaseEngine)

trust: test-packages release test-build ## The long trials: damage, faults, conditions, a year in time lapse, a soak, sanitizers, mutants. Hours; goes on if interrupted.
	@.ci/trust

docs: packages ## Build the documentation site in .build/docs.
	@.ci/docs

# Not rebuilt if it exists, so that root need not build.
$(RELEASE) $(FULL):
	$(MAKE) release

deb: $(if $(filter-out $(shell dpkg --print-architecture 2>/dev/null),$(ARCH)),,release abi) ## Make Debian packages in .build/deb; with ARCH=arm64, of what was cross-built into .build/arm64, or EXECUTABLES=DIR.
	@.ci/packages debhelper fakeroot lintian binutils
	packaging/debian/build $(ARCH:%=-a %) $(EXECUTABLES:%=-b %)

test-deb: deb ## Install, use, upgrade and purge the Debian packages in fresh root file systems of Debian 12 and 13.
	@.ci/packages mmdebstrap
	packaging/debian/check $(ARCH:%=-a %) || [ $$? = 77 ]
	packaging/debian/newcomer || [ $$? = 77 ]

dist: release abi ## Make everything that a release consists of in .build/dist, with checksums: see Documentation/Releasing.md.
	@.ci/packages debhelper fakeroot lintian dpkg-dev xz-utils binutils python3
	packaging/dist

pictures: release ## Make the pictures of the README with the program's own commands.
	@.ci/packages chromium python3-venv fonts-dejavu-core
	@[ -x .build/web/venv/bin/python ] || python3 -m venv .build/web/venv
	.build/web/venv/bin/pip install -q playwright pyte
	.build/web/venv/bin/python Documentation/pictures/make .build/release

install: $(RELEASE) $(FULL) ## Install executables, service, udev rule, group and user, desktop files, manuals and completions.
	install -d "$(DESTDIR)$(PREFIX)/bin" "$(LIBEXEC)" "$(DESTDIR)$(USERUNITS)" "$(DBUS)/interfaces" "$(MAN)" "$(MAN8)" "$(DOC)" "$(BASH)" "$(ZSH)" "$(FISH)"
	install -m 755 $(RELEASE) "$(DESTDIR)$(PREFIX)/bin"
ifneq ($(FULL),)
	install -m 755 $(FULL) "$(LIBEXEC)"
	ln -sf ../libexec/pedometer/pedometer-full "$(DESTDIR)$(PREFIX)/bin/pedometerd"
	install -d "$(APPLICATIONS)" "$(ICONS)" "$(EXTENSION)/icons"
	install -m 644 packaging/desktop/org.pedometer.Pedometer.desktop "$(APPLICATIONS)"
	install -m 644 Sources/Service/ServiceHTTP/Public/icon.svg "$(ICONS)/org.pedometer.Pedometer.svg"
	install -m 644 packaging/desktop/gnome-shell/*.js* packaging/desktop/gnome-shell/*.css "$(EXTENSION)"
	install -m 644 packaging/desktop/gnome-shell/icons/*.svg "$(EXTENSION)/icons"
endif
	-@$(STRIP) "$(DESTDIR)$(PREFIX)/bin/pedometer" "$(LIBEXEC)/pedometer-full" 2>/dev/null
	sed 's|^ExecStart=/usr/local/bin|ExecStart=$(PREFIX)/bin|' packaging/systemd/user/pedometerd.service \
	  > "$(DESTDIR)$(USERUNITS)/pedometerd.service"
	chmod 644 "$(DESTDIR)$(USERUNITS)/pedometerd.service"
	install -m 644 packaging/config/pedometerd.yaml "$(DOC)"
	install -m 644 Sources/Service/ServiceMessaging/DBus/org.pedometer.Pedometer1.xml "$(DBUS)/interfaces"
	sed 's|/usr/local|$(PREFIX)|g' packaging/man/pedometer.1 > "$(MAN)/pedometer.1"
	chmod 644 "$(MAN)/pedometer.1"
	install -m 644 packaging/man/pedometerd.8 "$(MAN8)"
	$(RUN) $(RELEASE) --generate-completion-script bash | sed 1d > "$(BASH)/pedometer"
	$(RUN) $(RELEASE) --generate-completion-script zsh > "$(ZSH)/_pedometer"
	$(RUN) $(RELEASE) --generate-completion-script fish > "$(FISH)/pedometer.fish"
	chmod 644 "$(BASH)/pedometer" "$(ZSH)/_pedometer" "$(FISH)/pedometer.fish"
ifneq ($(FULL),)
	$(RUN) "$(DESTDIR)$(PREFIX)/bin/pedometerd" --generate-completion-script bash | sed 1d > "$(BASH)/pedometerd"
	$(RUN) "$(DESTDIR)$(PREFIX)/bin/pedometerd" --generate-completion-script zsh > "$(ZSH)/_pedometerd"
	$(RUN) "$(DESTDIR)$(PREFIX)/bin/pedometerd" --generate-completion-script fish > "$(FISH)/pedometerd.fish"
	chmod 644 "$(BASH)/pedometerd" "$(ZSH)/_pedometerd" "$(FISH)/pedometerd.fish"
endif
ifneq ($(IN_HOME),)
	@packaging/activate --home "$(PREFIX)"
else
	install -d "$(DESTDIR)$(UDEVRULES)" "$(DESTDIR)$(SYSUSERS)" "$(DESTDIR)$(UNITS)" "$(DESTDIR)$(DBUSPOLICY)"
	sed 's|^ExecStart=/usr/local/bin|ExecStart=$(PREFIX)/bin|' packaging/systemd/pedometerd.service \
	  > "$(DESTDIR)$(UNITS)/pedometerd.service"
	chmod 644 "$(DESTDIR)$(UNITS)/pedometerd.service"
	install -m 644 packaging/dbus/org.pedometer.Pedometer1.conf "$(DESTDIR)$(DBUSPOLICY)"
	install -m 644 udev-rules/72-pedometer.rules "$(DESTDIR)$(UDEVRULES)"
	install -m 644 packaging/sysusers.d/pedometer.conf "$(DESTDIR)$(SYSUSERS)"
	@[ -n "$(DESTDIR)" ] || packaging/activate "$(SYSUSERS)/pedometer.conf"
endif

uninstall: ## Remove what install has installed.
	rm -f "$(DESTDIR)$(PREFIX)/bin/pedometer" "$(LIBEXEC)/pedometer-full" "$(DESTDIR)$(UDEVRULES)/72-pedometer.rules" \
	  "$(DESTDIR)$(SYSUSERS)/pedometer.conf" "$(MAN)/pedometer.1" \
	  "$(BASH)/pedometer" "$(ZSH)/_pedometer" "$(FISH)/pedometer.fish" \
	  "$(DESTDIR)$(PREFIX)/bin/pedometerd" "$(DESTDIR)$(UNITS)/pedometerd.service" "$(MAN8)/pedometerd.8" \
	  "$(DESTDIR)$(USERUNITS)/pedometerd.service" "$(DBUS)/interfaces/org.pedometer.Pedometer1.xml" \
	  "$(DESTDIR)$(DBUSPOLICY)/org.pedometer.Pedometer1.conf" \
	  "$(DOC)/pedometerd.yaml" "$(BASH)/pedometerd" "$(ZSH)/_pedometerd" "$(FISH)/pedometerd.fish" \
	  "$(APPLICATIONS)/org.pedometer.Pedometer.desktop" "$(ICONS)/org.pedometer.Pedometer.svg"
	rm -rf "$(EXTENSION)"
	-@rmdir "$(DOC)" "$(LIBEXEC)" 2>/dev/null
	@[ -n "$(DESTDIR)$(IN_HOME)" ] || packaging/activate

packages: ## Install the Debian packages for building.
	@.ci/packages $(PACKAGES)

test-packages: ## Install the Debian packages for the tests.
	@.ci/packages $(TEST_PACKAGES)

clean: ## Remove all build products.
	rm -rf .build Benchmarks/.build
