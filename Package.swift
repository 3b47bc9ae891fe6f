// swift-tools-version: 6.2
import PackageDescription

/// For every Swift target: Swift 6 language mode, strict memory safety, warnings as errors; and lifetimes of spans that functions
/// change, which Swift 6.2 does not infer.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .enableExperimentalFeature("Lifetimes"),
  .treatAllWarnings(as: .error),
]

// Products of other packages need traits: a user of the libraries writes `traits: []` and fetches only this package.
// CONTRIBUTING.md gives the reasons, also why no trait enables another.
let argumentParser = Target.Dependency.product(
  name: "ArgumentParser", package: "swift-argument-parser",
  condition: .when(traits: ["CommandLine", "Everything"]))
let database = Target.Dependency.product(
  name: "GRDB", package: "GRDB.swift", condition: .when(traits: ["History", "Everything"]))

extension Target.Dependency {
  static func network(_ product: String, of package: String) -> Self {
    .product(name: product, package: package, condition: .when(traits: ["Network", "Everything"]))
  }

  static func service(_ product: String, of package: String) -> Self {
    .product(name: product, package: package, condition: .when(traits: ["Everything"]))
  }
}

/// For the executables: without the tables of exported names and of relocations, which would stay in memory for their
/// whole run: 1.3 MB less for `pedometer live`; and without the tables for unwinding the stack, a seventh of each file.
/// Only products that are linked need it, so that the libraries remain usable as dependencies. glibc 2.36 and later, as
/// on Debian 12, read compact relocations. Without hashes of modules and a build ID, the same sources give the same bytes.
let compact: [LinkerSetting] = [
  .unsafeFlags(
    ["-use-ld=lld"]
      + [
        "--no-export-dynamic", "-z", "pack-relative-relocs",
        "--no-eh-frame-hdr", "-T", "\(Context.packageDirectory)/packaging/link/no-unwinding.ld",
        "--build-id=none", "-T", "\(Context.packageDirectory)/packaging/link/no-hashes.ld",
      ].flatMap { ["-Xlinker", $0] },
    .when(configuration: .release))
]

/// Swift 6.2 looks for the declarations in C of what is implemented in Swift in this header, later ones in all imported modules.
#if compiler(<6.3)
  let implementsHeader: [SwiftSetting] = [
    .enableExperimentalFeature("CImplementation"),
    .unsafeFlags([
      "-import-objc-header", "\(Context.packageDirectory)/Sources/Bindings/CPedometer/include/pedometer.h",
    ]),
  ]
#else
  let implementsHeader: [SwiftSetting] = []
#endif

/// The targets of a folder of `Sources`, or their tests in the folder of the same name of `Tests`, with the same settings. What a folder may use
/// stands in its README, and `.ci/lint` checks it.
func floor(_ name: String, _ targets: [Target]) -> [Target] {
  for target in targets {
    if target.type != .system { target.swiftSettings = strict + (target.swiftSettings ?? []) }
    if target.path == nil { target.path = "\(target.type == .test ? "Tests" : "Sources")/\(name)/\(target.name)" }
  }
  return targets
}

let package = Package(
  name: "pedometer",
  products: [
    .library(name: "Accelerometry", targets: ["Accelerometry"]),
    .library(name: "Pedometry", targets: ["Pedometry"]),
    .library(name: "StepDetection", targets: ["StepDetection"]),
    .library(name: "Recordings", targets: ["Recordings", "IIOScans", "SourceNames"]),
    .library(name: "LinuxSensors", targets: ["LinuxSensors", "IIOScans", "SourceNames"]),
    .library(name: "ChaseEngine", targets: ["ChaseEngine"]),
    .library(name: "Counting", targets: ["Counting"]),
    .library(name: "Pedometers", targets: ["Pedometers"]),
    .library(name: "LiveSources", targets: ["LiveSources", "SourceNames"]),
    .library(name: "History", targets: ["History"]),
    .library(name: "CoreMotionPedometer", targets: ["CoreMotionPedometer"]),
    .library(name: "RaceRoom", targets: ["RaceRoom", "ServiceTransport", "ServiceNetwork"]),
    .library(name: "Analytics", targets: ["Analytics"]),
    // Rooms without requests over the network, for Fuzz/ only.
    .library(name: "_RoomRules", targets: ["RaceRoom"]),
    .library(name: "_Settings", targets: ["ServiceSettings"]),
    .library(name: "_Imports", targets: ["HistoryImport"]),
    .library(name: "_Clients", targets: ["ServiceCore"]),
    // What fits the detector, for Lab/ only.
    .library(
      name: "_Lab",
      targets: [
        "SourceNames", "CProcessStart", "StepDetection", "Recordings", "Accelerometry", "Pedometry", "Drawing",
        "Platform",
      ]),
    // What C, Python and R link to; `make abi` makes a shared library of it.
    .library(name: "PedometerABI", type: .static, targets: ["PedometerABI"]),
    .executable(name: "pedometer", targets: ["pedometer"]),
    .executable(name: "pedometer-full", targets: ["pedometer-full"]),
    .executable(name: "pedometerd", targets: ["pedometerd"]),
  ],
  traits: [
    .default(enabledTraits: ["Everything"]),
    .trait(name: "Everything", description: "All executables, libraries and tests; on by default."),
    .trait(name: "CommandLine", description: "What 'pedometer' needs."),
    .trait(name: "History", description: "What the library History needs: a database."),
    .trait(name: "Network", description: "What rooms and reports need: requests over HTTP."),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.0")),
    .package(url: "https://github.com/groue/GRDB.swift", .upToNextMinor(from: "7.10.0")),
    // Only one of its two traits: with both, builds are repeated, as CONTRIBUTING.md explains for ours.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.0"),
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/swift-server/async-http-client", .upToNextMinor(from: "1.37.0")),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
    .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.0")),
    .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.0")),
    .package(url: "https://github.com/apple/swift-nio-ssl", .upToNextMinor(from: "2.37.0")),
    .package(url: "https://github.com/apple/swift-nio-extras", .upToNextMinor(from: "1.35.0")),
    .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.0")),
  ],
  targets: [
    // System: the C library under one name, C code and libraries, text, pictures, requests over the network
    floor(
      "System",
      [
        .systemLibrary(name: "Czlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "Clibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
        .systemLibrary(name: "Clibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
        .systemLibrary(name: "Cqrencode", pkgConfig: "libqrencode", providers: [.apt(["libqrencode-dev"])]),
        .systemLibrary(name: "Ccrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        // and C code: ioctls and packed events, optional libraries, SIMD parsing, character widths
        .target(name: "CSensorShim", dependencies: ["Clibevdev"]),
        .target(name: "CSystemBus"),
        .target(name: "CDigitMask"),
        .target(name: "Carchive"),
        .target(name: "CInflate", dependencies: ["Czlib"]),
        .target(name: "CTerminal"),
        .target(name: "CXMLReader"),
        // the arguments and the standard streams of an executable
        .target(name: "CProcessStart"),
        // the C library under one name
        .target(name: "Platform"),
        // numbers as text and JSON; HTTP requests
        .target(name: "JSONLines", dependencies: ["Platform"]),
        // SVG pictures
        .target(name: "Drawing", dependencies: ["JSONLines"]),
        .target(name: "ServiceTransport", dependencies: ["Platform"]),
        // HTTP requests with TLS: three times as large as all code that counts steps, so only pedometer-full and pedometerd link it
        .target(
          name: "ServiceNetwork",
          dependencies: [
            "Platform", "ServiceTransport",
            .network("AsyncHTTPClient", of: "async-http-client"),
            .network("NIOCore", of: "swift-nio"),
            .network("NIOPosix", of: "swift-nio"),
          ]),
        // a WebSocket client: with HTTP requests as large, so only pedometer-full and pedometerd link it
        .target(
          name: "WebSocketNetwork",
          dependencies: [
            "Platform", "ServiceTransport",
            .network("NIOCore", of: "swift-nio"),
            .network("NIOPosix", of: "swift-nio"),
            .network("NIOHTTP1", of: "swift-nio"),
            .network("NIOSSL", of: "swift-nio-ssl"),
            .network("NIOWebSocket", of: "swift-nio"),
          ]),
      ]),
    // Core: samples become steps
    floor(
      "Core",
      [
        .target(name: "Accelerometry"),
        .target(name: "Pedometry"),
        // scans of an IIO buffer, live and in raw recordings
        .target(name: "IIOScans", dependencies: ["Accelerometry"]),
        .target(
          name: "StepDetection", dependencies: ["Accelerometry", "Pedometry"],
          // the numbers of the gate, which a fit writes
          resources: [.embedInCode("Gate")]),
        .target(
          name: "Counting", dependencies: ["Accelerometry", "Pedometry", "StepDetection", "JSONLines", "Platform"]),
      ]),
    // Inputs: recordings and sensors become samples
    floor(
      "Inputs",
      [
        // names of sources, such as iio:device0
        .target(name: "SourceNames"),
        .target(
          name: "Recordings",
          dependencies: [
            "Accelerometry", "IIOScans", "SourceNames", "JSONLines", "Platform", "CDigitMask", "Czlib", "CInflate",
            "Carchive",
          ]),
        .target(
          name: "LinuxSensors",
          dependencies: [
            "CSensorShim", "CSystemBus", "Clibudev", "Clibevdev", "Accelerometry", "IIOScans",
            "Pedometry",
            "SourceNames",
            "Platform",
          ]),
        .target(
          name: "Pedometers",
          dependencies: ["Accelerometry", "Pedometry", "StepDetection", "Recordings", "Counting", "Platform"]),
        .target(
          name: "LiveSources",
          dependencies: [
            "SourceNames",
            "Accelerometry", "Pedometry", "Recordings", "LinuxSensors", "Counting", "Pedometers", "JSONLines",
            "Platform", "ServiceTransport",
          ]),
      ]),
    // Game: the chase, rooms, reports
    floor(
      "Game",
      [
        .target(name: "ChaseEngine", dependencies: ["Pedometry"]),
        // the sprites and colours of the game, for terminals and pages
        .target(name: "ChaseScenery", dependencies: ["JSONLines", "Platform"]),
        .target(
          name: "RaceRoom", dependencies: ["ChaseEngine", "Pedometry", "Platform", "ServiceTransport"]),
        .target(name: "Analytics", dependencies: ["JSONLines", "Platform", "ServiceTransport"]),
      ]),
    // Service: counting all day
    floor(
      "Service",
      [
        // output about walks, chases, sensors and the machine that both executables share
        .target(
          name: "Presentation",
          dependencies: [
            "Accelerometry", "Pedometry", "LinuxSensors", "Counting", "LiveSources", "ChaseEngine", "JSONLines",
            "Platform",
          ]),
        .target(
          name: "History", dependencies: ["Pedometry", "Analytics", "JSONLines", "Platform", database]),
        // files of other programs with steps
        .target(
          name: "HistoryImport",
          dependencies: ["History", "Pedometry", "Recordings", "JSONLines", "Platform", "CXMLReader", database]),
        // the configuration file
        .target(
          name: "ServiceSettings", dependencies: ["Platform", .service("Yams", of: "Yams")]),
        // sources are counted all day: sensors and clients, the history's writer, answers from it
        .target(
          name: "ServiceCore",
          dependencies: [
            "SourceNames", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "LinuxSensors", "Counting",
            "JSONLines", "LiveSources",
            "Presentation", "History", "Analytics", "Platform", "ServiceTransport", "Ccrypto",
            .service("ServiceLifecycle", of: "swift-service-lifecycle"),
            .service("Logging", of: "swift-log"),
            .service("NIOCore", of: "swift-nio"),
          ]),
        // the figures for other programs: MQTT, D-Bus
        .target(
          name: "ServiceMessaging",
          dependencies: [
            "ServiceCore", "ServiceSettings", "Presentation", "LinuxSensors", "Pedometry", "JSONLines", "History",
            "RaceRoom", "Platform", "ServiceTransport", "WebSocketNetwork", "CSystemBus",
            .service("ServiceLifecycle", of: "swift-service-lifecycle"),
            .service("Logging", of: "swift-log"),
            .service("NIOCore", of: "swift-nio"),
            .service("NIOPosix", of: "swift-nio"),
            .service("NIOSSL", of: "swift-nio-ssl"),
          ],
          // what the object on D-Bus says of itself
          resources: [.embedInCode("DBus/org.pedometer.Pedometer1.xml")]),
        // several people: their histories, their challenges
        .target(
          name: "ServiceWalkers",
          dependencies: [
            "ServiceCore", "Pedometry", "JSONLines", "LiveSources", "History", "RaceRoom", "Platform",
            .service("ServiceLifecycle", of: "swift-service-lifecycle"),
            .service("Logging", of: "swift-log"),
          ]),
        // requests and the event stream, and who may use them; the page
        .target(
          name: "ServiceHTTP",
          dependencies: [
            "ServiceCore", "ServiceSettings", "ServiceWalkers", "Pedometry", "ChaseEngine", "ChaseScenery", "JSONLines",
            "History", "HistoryImport", "Recordings", "RaceRoom",
            "Analytics", "Platform", "ServiceTransport", "Cqrencode",
            .service("Hummingbird", of: "hummingbird"),
            .service("HummingbirdTLS", of: "hummingbird"),
            .service("ServiceLifecycle", of: "swift-service-lifecycle"),
            .service("Logging", of: "swift-log"),
            .service("NIOCore", of: "swift-nio"),
            .service("NIOHTTP1", of: "swift-nio"),
            .service("NIOHTTPTypes", of: "swift-nio-extras"),
            .service("NIOHTTPTypesHTTP1", of: "swift-nio-extras"),
            .service("HTTPTypes", of: "swift-http-types"),
            .service("NIOSSL", of: "swift-nio-ssl"),
          ],
          // The page and the API document are part of the executable, so that it runs from any folder.
          resources: [.embedInCode("Public")]),
        // the daemon: its configuration, and what it makes of these parts
        .target(
          name: "PedometerService",
          dependencies: [
            "SourceNames", "ServiceCore", "ServiceMessaging", "ServiceWalkers", "ServiceHTTP", "ServiceSettings",
            "Accelerometry", "Pedometry", "Recordings", "LinuxSensors", "ChaseEngine", "JSONLines",
            "LiveSources", "Presentation", "History", "HistoryImport", "RaceRoom", "Platform", "ServiceNetwork",
            "ServiceTransport", "WebSocketNetwork",
            .service("ServiceLifecycle", of: "swift-service-lifecycle"),
            .service("Logging", of: "swift-log"),
            .service("NIOCore", of: "swift-nio"),
            .service("NIOSSL", of: "swift-nio-ssl"),
          ]),
      ]),
    // Programs: what people start
    floor(
      "Programs",
      [
        // studies with many recordings: minutes, days, wear, tables
        .target(
          name: "Studies",
          dependencies: [
            "Accelerometry", "Pedometry", "StepDetection", "Recordings", "Counting", "Pedometers", "LiveSources",
            "JSONLines", "Drawing", "Platform", "Ccrypto",
          ]),
        // what commands write and read in a terminal: lines, keys, a screen of cells
        .target(
          name: "Terminals",
          dependencies: ["JSONLines", "LiveSources", "Recordings", "SourceNames", "CTerminal", "Platform"],
          // shell functions that complete sources
          resources: [.embedInCode("Completion")]),
        // the chase as a game in a terminal: its pictures, keys, room and reports
        .target(
          name: "ChaseTerminal",
          dependencies: [
            "SourceNames", "Terminals", "Accelerometry", "Pedometry", "Recordings", "Pedometers", "LiveSources",
            "ChaseEngine",
            "ChaseScenery", "RaceRoom", "Analytics", "JSONLines", "ServiceTransport", "Platform",
          ]),
        // commands: arguments, output and exit codes
        .target(
          name: "PedometerCommands",
          dependencies: [
            "SourceNames", "Terminals", "ChaseTerminal",
            "Accelerometry", "IIOScans", "Pedometry", "StepDetection", "Recordings", "LinuxSensors", "Counting",
            "Pedometers",
            "ChaseEngine", "JSONLines", "Drawing", "LiveSources", "Presentation", "RaceRoom", "Analytics",
            "ServiceTransport", "Platform",
            argumentParser,
          ],
          // the programs for boards, of `pedometer board`
          resources: [.embedInCode("Board/Sketches")]),
        .executableTarget(
          name: "pedometer",
          dependencies: ["CProcessStart", "PedometerCommands", "Terminals", "Platform", argumentParser],
          linkerSettings: compact),
        .target(
          name: "DaemonCommand",
          dependencies: [
            "Platform", "Terminals", "PedometerService", "ServiceWalkers", "ServiceSettings", argumentParser,
          ]),
        // An installation has it under the name 'pedometerd', too.
        .executableTarget(
          name: "pedometer-full",
          dependencies: [
            "CProcessStart", "PedometerCommands", "Terminals", "DaemonCommand", "ServiceCore", "WebSocketNetwork",
            "JSONLines", "LiveSources", "Presentation", "History", "HistoryImport", "Pedometry", "ServiceTransport",
            "ServiceNetwork", "Studies",
            "Recordings", "Platform", "Drawing", argumentParser, database,
          ], linkerSettings: compact),
        .executableTarget(
          name: "pedometerd", dependencies: ["CProcessStart", "DaemonCommand"],
          linkerSettings: compact),
      ]),
    // Bindings: other languages and another API
    floor(
      "Bindings",
      [
        // the header for programs in C, and what belongs to a thread
        .target(name: "CPedometer"),
        // Core Motion's CMPedometer over the history and over any pedometer
        .target(
          name: "CoreMotionPedometer", dependencies: ["History", "Pedometry"]),
        // counting for programs in other languages
        .target(
          name: "PedometerABI",
          dependencies: [
            "CPedometer", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "Counting", "Pedometers",
            "Platform",
          ], swiftSettings: implementsHeader),
      ]),
    // tests
    [
      .target(
        name: "TestSupport",
        dependencies: [
          "Accelerometry", "IIOScans", "Pedometry", "Recordings", "ChaseEngine", "ServiceTransport", "RaceRoom",
          "Analytics", "LinuxSensors", "LiveSources", "Platform",
        ],
        path: "Tests/TestSupport")
    ],
    floor(
      "System",
      [
        .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"]),
        .testTarget(name: "DrawingTests", dependencies: ["Drawing", "TestSupport"]),
        .testTarget(
          name: "ServiceNetworkTests", dependencies: ["ServiceNetwork", "ServiceTransport", "RaceRoom", "TestSupport"]),
      ]),
    floor(
      "Core",
      [
        .testTarget(name: "AccelerometryTests", dependencies: ["Accelerometry"]),
        .testTarget(
          name: "IIOScansTests", dependencies: ["IIOScans", "Accelerometry", "Platform", "TestSupport"]),
        .testTarget(name: "PedometryTests", dependencies: ["Pedometry", "TestSupport"]),
        .testTarget(
          name: "StepDetectionTests",
          dependencies: ["StepDetection", "Accelerometry", "Pedometry", "Recordings", "Platform", "TestSupport"]),
        .testTarget(
          name: "CountingTests",
          dependencies: [
            "Counting", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "Platform", "TestSupport",
          ]),
      ]),
    floor(
      "Inputs",
      [
        .testTarget(name: "SourceNamesTests", dependencies: ["SourceNames"]),
        .testTarget(
          name: "RecordingsTests",
          dependencies: [
            "SourceNames", "Recordings", "Accelerometry", "CDigitMask", "IIOScans", "Czlib", "CInflate", "JSONLines",
            "Platform", "TestSupport",
          ]),
        .executableTarget(
          name: "sensor-probe",
          dependencies: ["SourceNames", "LinuxSensors", "LiveSources", "Counting", "Accelerometry", "Pedometry"],
          path: "Tests/Inputs/sensor-probe"),
        .testTarget(
          name: "LinuxSensorsTests",
          dependencies: [
            "SourceNames", "LinuxSensors", "CSensorShim", "Accelerometry", "IIOScans", "Pedometry", "Platform",
            "TestSupport",
            "sensor-probe",
          ]),
        .testTarget(
          name: "PedometersTests",
          dependencies: [
            "Pedometers", "Accelerometry", "Counting", "Pedometry", "StepDetection", "Recordings", "TestSupport",
          ]),
        .testTarget(
          name: "LiveSourcesTests",
          dependencies: [
            "SourceNames", "LiveSources", "Counting", "JSONLines", "Accelerometry", "Pedometry", "LinuxSensors",
            "Recordings",
            "Pedometers",
            "ChaseEngine", "ServiceTransport", "Platform", "TestSupport", "pedometer",
          ]),
      ]),
    floor(
      "Game",
      [
        .testTarget(
          name: "ChaseSceneryTests", dependencies: ["ChaseScenery", "JSONLines"]),
        .testTarget(
          name: "ChaseEngineTests", dependencies: ["ChaseEngine", "Pedometry", "Platform", "TestSupport"]),
        .testTarget(
          name: "RaceRoomTests",
          dependencies: ["RaceRoom", "ChaseEngine", "Pedometry", "ServiceTransport", "TestSupport"]),
        .testTarget(
          name: "AnalyticsTests", dependencies: ["Analytics", "ServiceTransport", "TestSupport"]),
      ]),
    floor(
      "Service",
      [
        .testTarget(
          name: "HistoryTests",
          dependencies: [
            "History", "Pedometry", "Analytics", "Platform", "TestSupport", database,
          ]),
        .testTarget(
          name: "PedometerServiceTests",
          dependencies: [
            "SourceNames", "PedometerService", "ServiceCore", "ServiceMessaging", "ServiceWalkers", "ServiceHTTP",
            "ServiceSettings",
            "pedometerd", "pedometer", "pedometer-full", "DaemonCommand",
            "ServiceNetwork",
            "WebSocketNetwork",
            "Accelerometry", "Pedometry", "Counting", "Platform",
            "StepDetection", "Recordings", "LinuxSensors", "LiveSources", "Presentation", "JSONLines", "History",
            "HistoryImport", "RaceRoom", "Analytics",
            "ChaseEngine", "ServiceTransport", "TestSupport", database,
            .service("HummingbirdTesting", of: "hummingbird"),
            .service("Hummingbird", of: "hummingbird"),
            .service("Logging", of: "swift-log"),
            .service("NIOCore", of: "swift-nio"),
            .service("NIOEmbedded", of: "swift-nio"),
            .service("NIOHTTP1", of: "swift-nio"),
            .service("NIOHTTPTypes", of: "swift-nio-extras"),
            .service("NIOPosix", of: "swift-nio"),
            .service("NIOSSL", of: "swift-nio-ssl"),
            .service("NIOWebSocket", of: "swift-nio"),
            .service("HTTPTypes", of: "swift-http-types"),
            .service("ServiceLifecycle", of: "swift-service-lifecycle"),
          ]),
      ]),
    floor(
      "Programs",
      [
        .testTarget(
          name: "StudiesTests",
          dependencies: [
            "Studies", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "LiveSources", "JSONLines",
            "Platform", "TestSupport",
          ]),
        .testTarget(
          name: "TerminalsTests", dependencies: ["Terminals", "Platform", "TestSupport"]),
        .testTarget(
          name: "ChaseTerminalTests",
          dependencies: [
            "SourceNames", "ChaseTerminal", "PedometerCommands", "Terminals", "Accelerometry", "Pedometry",
            "Recordings", "Pedometers",
            "ChaseEngine", "ChaseScenery",
            "RaceRoom", "LiveSources", "TestSupport",
          ]),
        .testTarget(
          name: "CommandTests",
          dependencies: [
            "SourceNames", "PedometerCommands", "Terminals", "pedometer", "pedometer-full", "Accelerometry",
            "Pedometry",
            "StepDetection", "Recordings",
            "LinuxSensors", "Pedometers", "ChaseEngine", "JSONLines", "LiveSources", "Presentation", "History",
            "RaceRoom",
            "Analytics", "Studies", "Platform", "HistoryImport", "Counting", "ServiceCore", "PedometerABI",
            "CPedometer",
            "ServiceTransport", "TestSupport",
            argumentParser, database,
          ]),
      ]),
    floor(
      "Bindings",
      [
        .testTarget(
          name: "PedometerABITests",
          dependencies: [
            "PedometerABI", "CPedometer", "Accelerometry", "Counting", "Recordings", "StepDetection", "Platform",
            "TestSupport",
          ]),
        .testTarget(
          name: "CoreMotionPedometerTests",
          dependencies: ["CoreMotionPedometer", "History", "Pedometry", "TestSupport"]),
      ]),
  ].flatMap(\.self),
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)
