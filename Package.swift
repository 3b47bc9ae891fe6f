// swift-tools-version: 6.2
import PackageDescription

/// Every Swift target: Swift 6 language mode, every use of unsafe memory spelled out, no warning left standing.
let strict: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

let package = Package(
  name: "pedometer",
  products: [
    .library(name: "Accelerometry", targets: ["Accelerometry"]),
    .library(name: "Pedometry", targets: ["Pedometry"]),
    .library(name: "StepDetection", targets: ["StepDetection"]),
    .library(name: "Recordings", targets: ["Recordings"]),
    .library(name: "LinuxSensors", targets: ["LinuxSensors"]),
    .library(name: "ChaseEngine", targets: ["ChaseEngine"]),
    .library(name: "Pedometers", targets: ["Pedometers"]),
    .executable(name: "pedometer", targets: ["pedometer"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0")
  ],
  targets: [
    // 0: the system's libraries
    .systemLibrary(name: "Czlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
    .systemLibrary(name: "Clibudev", pkgConfig: "libudev", providers: [.apt(["libudev-dev"])]),
    .systemLibrary(name: "Clibevdev", pkgConfig: "libevdev", providers: [.apt(["libevdev-dev"])]),
    // and what C says better: ioctls and packed events, one instruction for sixteen bytes
    .target(name: "CSensorShim", dependencies: ["Clibevdev"]),
    .target(name: "CDigitMask"),

    // 1: two pure vocabularies
    .target(name: "Accelerometry", swiftSettings: strict),
    .target(name: "Pedometry", swiftSettings: strict),

    // 2: what the project exists for
    .target(name: "StepDetection", dependencies: ["Accelerometry", "Pedometry"], swiftSettings: strict),
    .target(name: "Recordings", dependencies: ["Accelerometry", "CDigitMask", "Czlib"], swiftSettings: strict),
    .target(
      name: "LinuxSensors", dependencies: ["CSensorShim", "Clibudev", "Clibevdev", "Accelerometry", "Pedometry"],
      swiftSettings: strict),
    .target(name: "ChaseEngine", dependencies: ["Pedometry"], swiftSettings: strict),

    // 3: sources and detection joined behind the founding protocol
    .target(
      name: "Pedometers", dependencies: ["Accelerometry", "Pedometry", "StepDetection", "Recordings"],
      swiftSettings: strict),

    // 4: what people start
    .executableTarget(
      name: "pedometer",
      dependencies: [
        "Accelerometry", "Pedometry", "StepDetection", "Recordings", "LinuxSensors", "Pedometers", "ChaseEngine",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .executableTarget(
      name: "detector-lab",
      dependencies: [
        "StepDetection", "Recordings", "Accelerometry", "Pedometry",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),

    // tests
    .target(
      name: "TestSupport", dependencies: ["Accelerometry", "Pedometry", "Recordings", "ChaseEngine"],
      path: "Tests/TestSupport",
      swiftSettings: strict),
    .testTarget(name: "AccelerometryTests", dependencies: ["Accelerometry"], swiftSettings: strict),
    .testTarget(name: "PedometryTests", dependencies: ["Pedometry"], swiftSettings: strict),
    .testTarget(
      name: "StepDetectionTests",
      dependencies: ["StepDetection", "Accelerometry", "Pedometry", "Recordings", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "RecordingsTests", dependencies: ["Recordings", "Accelerometry", "Czlib", "TestSupport"],
      swiftSettings: strict),
    .executableTarget(
      name: "sensor-probe", dependencies: ["LinuxSensors", "Accelerometry", "Pedometry"], path: "Tests/sensor-probe",
      swiftSettings: strict),
    .testTarget(
      name: "LinuxSensorsTests",
      dependencies: ["LinuxSensors", "CSensorShim", "Accelerometry", "Pedometry", "sensor-probe"],
      swiftSettings: strict),
    .testTarget(
      name: "ChaseEngineTests", dependencies: ["ChaseEngine", "Pedometry", "TestSupport"], swiftSettings: strict),
    .testTarget(
      name: "PedometersTests",
      dependencies: ["Pedometers", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "TestSupport"],
      swiftSettings: strict),
    .testTarget(
      name: "CommandTests",
      dependencies: [
        "pedometer", "Accelerometry", "Pedometry", "StepDetection", "Recordings", "LinuxSensors", "Pedometers",
        "ChaseEngine", "TestSupport",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "DetectorLabTests",
      dependencies: ["detector-lab", "StepDetection", "Recordings", "Accelerometry", "Pedometry", "TestSupport"],
      swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6],
  cLanguageStandard: .gnu17
)
