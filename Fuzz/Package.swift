// swift-tools-version: 6.2
import PackageDescription

// A separate package, because everything in it is compiled with sanitizers: `make fuzz MINUTES=10`.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "pedometer", path: "..", traits: ["Everything"])],
  targets: [
    .executableTarget(
      name: "fuzz",
      dependencies: [
        .product(name: "Accelerometry", package: "pedometer"),
        .product(name: "Recordings", package: "pedometer"),
        .product(name: "LinuxSensors", package: "pedometer"),
        .product(name: "LiveSources", package: "pedometer"),
        .product(name: "Analytics", package: "pedometer"),
        .product(name: "StepDetection", package: "pedometer"),
        .product(name: "Pedometry", package: "pedometer"),
        .product(name: "_RoomRules", package: "pedometer"),
        .product(name: "_Settings", package: "pedometer"),
        .product(name: "_Imports", package: "pedometer"),
        .product(name: "_Clients", package: "pedometer"),
        .product(name: "History", package: "pedometer"),
      ],
      // libFuzzer provides the main function.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ],
  swiftLanguageModes: [.v6]
)
