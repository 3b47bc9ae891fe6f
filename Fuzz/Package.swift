// swift-tools-version: 6.2
import PackageDescription

// A package of its own, because everything in it is compiled with the sanitizers: `make fuzz MINUTES=10`.
let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "pedometer", path: "..", traits: ["CommandLine"])],
  targets: [
    .executableTarget(
      name: "fuzz-recordings",
      dependencies: [
        .product(name: "Accelerometry", package: "pedometer"),
        .product(name: "Recordings", package: "pedometer"),
      ],
      // libFuzzer brings the main function.
      swiftSettings: [.unsafeFlags(["-parse-as-library"])])
  ],
  swiftLanguageModes: [.v6]
)
