// swift-tools-version: 6.2
import PackageDescription

// A separate package, so that users of the libraries do not build it.
let package = Package(
  name: "benchmarks",
  dependencies: [.package(name: "pedometer", path: "..", traits: ["History"])],
  targets: [
    .target(name: "CReference", linkerSettings: [.linkedLibrary("m"), .linkedLibrary("z")]),
    .executableTarget(
      name: "benchmarks",
      dependencies: [
        "CReference",
        .product(name: "Accelerometry", package: "pedometer"),
        .product(name: "LinuxSensors", package: "pedometer"),
        .product(name: "Pedometry", package: "pedometer"),
        .product(name: "Recordings", package: "pedometer"),
        .product(name: "StepDetection", package: "pedometer"),
        .product(name: "History", package: "pedometer"),
      ],
      swiftSettings: [.treatAllWarnings(as: .error)]),
  ],
  swiftLanguageModes: [.v6]
)
