// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 language mode, every use of unsafe memory spelled out, no warning left standing.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

// Products of other packages stand behind traits: a user of the libraries says `traits: []` and fetches nothing but this
// package. CONTRIBUTING.md says why it is done so, and why no trait enables another.
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

let package = Package(
  name: "pedometer",
  products: [
    .library(name: "Accelerometry", targets: ["Accelerometry"]),
    .library(name: "Pedometry", targets: ["Pedometry"]),
    .library(name: "StepDetection", targets: ["StepDetection"]),
    .library(name: "Recordings", targets: ["Recordings", "IIOScans"]),
    .library(name: "LinuxSensors", targets: ["LinuxSensors", "IIOScans"]),
    .library(name: "ChaseEngine", targets: ["ChaseEngine"]),
    .library(name: "Counting", targets: ["Counting"]),
    .library(name: "Pedometers", targets: ["Pedometers"]),
    .library(name: "LiveSources", targets: ["LiveSources"]),
    .library(name: "History", targets: ["History"]),
    .library(name: "CoreMotionPedometer", targets: ["CoreMotionPedometer"]),
    .library(name: "RaceRoom", targets: ["RaceRoom", "ServiceTransport", "ServiceNetwork"]),
    .library(name: "Analytics", targets: ["Analytics"]),
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
    // One of its two traits: with both, builds are repeated, as CONTRIBUTING.md says of our own.
    .package(
      url: "https://github.com/hummingbird-project/hummingbird", .upToNextMinor(from: "2.28.0"),
      traits: ["FullFoundation"]),
    .package(url: "https://github.com/swift-server/async-http-client", .upToNextMinor(from: "1.37.0")),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", .upToNextMinor(from: "2.13.0")),
    .package(url: "https://github.com/apple/swift-log", .upToNextMinor(from: "1.16.0")),
    .package(url: "https://github.com/apple/swift-metrics", .upToNextMinor(from: "2.13.0")),
    .package(url: "https://github.com/apple/swift-nio", .upToNextMinor(from: "2.101.0")),
    .package(url: "https://github.com/apple/swift-nio-ssl", .upToNextMinor(from: "2.37.0")),
    .package(url: "https://github.com/apple/swift-nio-extras", .upToNextMinor(from: "1.35.0")),
    .package(url: "https://github.com/apple/swift-http-types", .upToNextMinor(from: "1.8.0")),
    .package(url: "https://github.com/jpsim/Yams", .upToNextMinor(from: "6.2.0")),
  ],
  targets: [
    // 0: the system's libraries
    .systemLibrary(name: "Czlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "Clibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(name: "Clibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    .systemLibrary(name: "Ccrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
    // and what C says better: ioctls and packed events, a library that may be absent, rows and blocks in registers, widths
    // of characters
    .target(name: "CSensorShim", dependencies: ["Clibevdev"]),
    .target(name: "CSystemBus"),
    .target(name: "CDigitMask"),
    .target(name: "Carchive"),
    .target(name: "CTerminal"),

    // the C library under one name
    .target(name: "Platform", swiftSettings: strict),

    // 1: two pure vocabularies
    .target(name: "Accelerometry", swiftSettings: strict),
    .target(name: "Pedometry", swiftSettings: strict),
    // figures as text and as JSON lines; requests and answers
    .target(name: "JSONLines", dependencies: ["Platform"], swiftSettings: strict),
    // pictures as text
    .target(name: "Drawing", dependencies: ["JSONLines"], swiftSettings: strict),
    .target(name: "ServiceTransport", dependencies: ["Platform"], swiftSettings: strict),
    // requests over HTTP with TLS: three times as large as all that counts steps, so only pedometer-full links it
    .target(
      name: "ServiceNetwork",
      dependencies: [
        "Platform", "ServiceTransport",
        .network("AsyncHTTPClient", of: "async-http-client"),
        .network("NIOCore", of: "swift-nio"),
        .network("NIOPosix", of: "swift-nio"),
      ],
      swiftSettings: strict),

    // what an IIO buffer hands out, live and in raw recordings
    .target(name: "IIOScans", dependencies: ["Accelerometry"], swiftSettings: strict),

    // 2: what the project exists for
    .target(name: "StepDetection", dependencies: ["Accelerometry", "Pedometry"], swiftSettings: strict),
    .target(
      name: "Recordings",
      dependencies: ["Accelerometry", "IIOScans", "JSONLines", "Platform", "CDigitMask", "Czlib", "Carchive"],
      swiftSettings: strict),
    .target(
      name: "LinuxSensors",
      dependencies: [
        "CSensorShim", "CSystemBus", "Clibudev", "Clibevdev", "Accelerometry", "IIOScans", "Pedometry", "Platform",
      ],
      swiftSettings: strict),
    .target(name: "ChaseEngine", dependencies: ["Pedometry"], swiftSettings: strict),
    .target(
      name: "RaceRoom", dependencies: ["ChaseEngine", "Pedometry", "Platform", "ServiceTransport"],
      swiftSettings: strict),
    .target(name: "Analytics", dependencies: ["JSONLines", "Platform", "ServiceTransport"], swiftSettings: strict),

    // 3: the road from a source to a step, and sources behind the founding protocol
    .target(
      name: "Counting", dependencies: ["Accelerometry", "Pedometry", "StepDetection", "JSONLines", "Platform"],
      swiftSettings: strict),
    .target(
      name: "Pedometers", dependencies: ["Accelerometry", "Pedometry", "StepDetection", "Recordings", "Counting"],
      swiftSettings: strict),
    .target(
      name: "LiveSources",
      dependencies: [
        "Accelerometry", "Pedometry", "Recordings", "LinuxSensors", "Counting", "Pedometers", "JSONLines",
        "Platform", "ServiceTransport",
      ],
      swiftSettings: strict),
    // what both executables say of walks, chases, sensors and the machine
    .target(
      name: "Presentation",
      dependencies: [
        "Accelerometry", "Pedometry", "LinuxSensors", "Counting", "LiveSources", "ChaseEngine", "JSONLines",
      ],
      swiftSettings: strict),
    .target(
      name: "History", dependencies: ["Pedometry", "Platform", database],
      swiftSettings: strict),
    // Core Motion's CMPedometer over the history and over any pedometer
    .target(
      name: "CoreMotionPedometer", dependencies: ["History", "Pedometry"], swiftSettings: strict),
    .target(
      name: "PedometerService",
      dependencies: [
        "Accelerometry", "Pedometry", "StepDetection", "Recordings", "LinuxSensors", "Counting", "Pedometers",
        "ChaseEngine", "JSONLines", "LiveSources", "Presentation", "History", "RaceRoom", "Analytics",
        "Platform", "ServiceTransport",
        .service("Hummingbird", of: "hummingbird"),
        .service("HummingbirdTLS", of: "hummingbird"),
        .service("ServiceLifecycle", of: "swift-service-lifecycle"),
        .service("Logging", of: "swift-log"),
        .service("Metrics", of: "swift-metrics"),
        .service("NIOCore", of: "swift-nio"),
        .service("NIOHTTP1", of: "swift-nio"),
        .service("NIOHTTPTypes", of: "swift-nio-extras"),
        .service("NIOHTTPTypesHTTP1", of: "swift-nio-extras"),
        .service("HTTPTypes", of: "swift-http-types"),
        .service("NIOSSL", of: "swift-nio-ssl"),
        .service("Yams", of: "Yams"),
      ],
      // The page and the API's document: part of the executable, so that it runs from anywhere.
      resources: [.embedInCode("Public")],
      swiftSettings: strict),

    // recordings by the hundred: minutes, days, wear, tables
    .target(
      name: "Studies",
      dependencies: [
        "Accelerometry", "Pedometry", "StepDetection", "Recordings", "Counting", "JSONLines", "Drawing", "Platform",
        "Ccrypto",
      ],
      swiftSettings: strict),

    // 4: the command line, and 5: what people start
    .target(
      name: "PedometerCommands",
      dependencies: [
        "Accelerometry", "IIOScans", "Pedometry", "StepDetection", "Recordings", "LinuxSensors", "Counting",
        "Pedometers",
        "ChaseEngine", "JSONLines", "Drawing", "LiveSources", "Presentation", "RaceRoom", "Analytics",
        "ServiceTransport", "CTerminal",
        argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "pedometer",
      dependencies: ["PedometerCommands", "Platform", argumentParser],
      swiftSettings: strict),
    .executableTarget(
      name: "pedometer-full",
      dependencies: [
        "PedometerCommands", "JSONLines", "LiveSources", "Presentation", "History", "ServiceTransport",
        "ServiceNetwork", "Studies", "Recordings", "Platform",
        argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "pedometerd",
      dependencies: [
        "PedometerService",
        argumentParser,
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "detector-lab",
      dependencies: [
        "StepDetection", "Recordings", "Accelerometry", "Pedometry", "Drawing", "Platform",
        argumentParser,
      ],
      swiftSettings: strict),

    // tests
    .target(
      name: "TestSupport",
      dependencies: [
        "Accelerometry", "IIOScans", "Pedometry", "Recordings", "ChaseEngine", "ServiceTransport", "RaceRoom",
        "Analytics",
      ],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "PlatformTests", dependencies: ["Platform", "TestSupport"], swiftSettings: strict),
    .testTarget(name: "AccelerometryTests", dependencies: ["Accelerometry"], swiftSettings: strict),
    .testTarget(
      name: "IIOScansTests", dependencies: ["IIOScans", "Accelerometry", "Platform", "TestSupport"],
      swiftSettings: strict),
    .testTarget(name: "DrawingTests", dependencies: ["Drawing"], swiftSettings: strict),
    .testTarget(name: "PedometryTests", dependencies: ["Pedometry", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "StepDetectionTests",
      dependencies: ["StepDetection", "Accelerometry", "Pedometry", "Recordings", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RecordingsTests",
      dependencies: [
        "Recordings", "Accelerometry", "CDigitMask", "IIOScans", "Czlib", "Platform", "TestSupport",
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "sensor-probe",
      dependencies: ["LinuxSensors", "LiveSources", "Counting", "Accelerometry", "Pedometry"],
      path: "Tests/sensor-probe",
      swiftSettings: strict),
    .testTarget(
      name: "LinuxSensorsTests",
      dependencies: [
        "LinuxSensors", "CSensorShim", "Accelerometry", "IIOScans", "Pedometry", "Platform", "TestSupport",
        "sensor-probe",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "ChaseEngineTests", dependencies: ["ChaseEngine", "Pedometry", "Platform", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CountingTests",
      dependencies: [
        "Counting", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "Platform", "TestSupport",
      ],
      swiftSettings: strict),
    .testTarget(
      name: "StudiesTests",
      dependencies: ["Studies", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "PedometersTests",
      dependencies: ["Pedometers", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "PedometerCommands", "pedometer", "pedometer-full", "Accelerometry", "Pedometry", "StepDetection", "Recordings",
        "LinuxSensors", "Pedometers", "ChaseEngine", "JSONLines", "LiveSources", "Presentation", "History", "RaceRoom",
        "Analytics",
        "ServiceTransport", "TestSupport",
        argumentParser,
      ],
      swiftSettings: strict),
    .testTarget(
      name: "LiveSourcesTests",
      dependencies: [
        "LiveSources", "Counting", "JSONLines", "Accelerometry", "Pedometry", "LinuxSensors", "Recordings",
        "Pedometers",
        "ChaseEngine", "ServiceTransport", "Platform", "TestSupport", "pedometer",
      ], swiftSettings: strict),
    .testTarget(
      name: "HistoryTests",
      dependencies: [
        "History", "Pedometry", "TestSupport", database,
      ], swiftSettings: strict),
    .testTarget(
      name: "CoreMotionPedometerTests",
      dependencies: ["CoreMotionPedometer", "History", "Pedometry", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "RaceRoomTests",
      dependencies: ["RaceRoom", "ChaseEngine", "Pedometry", "ServiceTransport", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "ServiceNetworkTests", dependencies: ["ServiceNetwork", "ServiceTransport", "RaceRoom", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "AnalyticsTests", dependencies: ["Analytics", "ServiceTransport", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PedometerServiceTests",
      dependencies: [
        "PedometerService", "pedometerd", "pedometer", "pedometer-full", "ServiceNetwork", "Accelerometry", "Pedometry",
        "StepDetection", "Recordings", "LinuxSensors", "LiveSources", "Presentation", "JSONLines", "History",
        "RaceRoom", "Analytics",
        "ChaseEngine", "ServiceTransport", "TestSupport",
        .service("HummingbirdTesting", of: "hummingbird"),
        .service("Hummingbird", of: "hummingbird"),
        .service("Logging", of: "swift-log"),
        .service("Metrics", of: "swift-metrics"),
        .service("NIOCore", of: "swift-nio"),
        .service("NIOEmbedded", of: "swift-nio"),
        .service("NIOHTTP1", of: "swift-nio"),
        .service("NIOHTTPTypes", of: "swift-nio-extras"),
        .service("NIOPosix", of: "swift-nio"),
        .service("NIOSSL", of: "swift-nio-ssl"),
        .service("HTTPTypes", of: "swift-http-types"),
        .service("ServiceLifecycle", of: "swift-service-lifecycle"),
      ], swiftSettings: strict),
    .testTarget(
      name: "DetectorLabTests",
      dependencies: [
        "detector-lab", "StepDetection", "Recordings", "Accelerometry", "Pedometry", "Drawing", "TestSupport",
      ],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)
