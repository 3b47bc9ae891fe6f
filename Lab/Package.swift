// swift-tools-version: 6.2
import PackageDescription

let lab: [SwiftSetting] = [
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

// A separate package, so that nobody who counts, builds or tests the pedometer compiles the tool that fits its detector. It sees
// the inside of the detector by `@testable import`, because what it fits is no interface for others.
let package = Package(
  name: "lab",
  dependencies: [
    .package(name: "pedometer", path: "..", traits: ["CommandLine"]),
    .package(url: "https://github.com/apple/swift-argument-parser", .upToNextMinor(from: "1.8.0")),
  ],
  targets: [
    .executableTarget(
      name: "detector-lab",
      dependencies: [
        .product(name: "_Lab", package: "pedometer"),
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: lab),
    .testTarget(name: "DetectorLabTests", dependencies: ["detector-lab"], swiftSettings: lab),
  ],
  swiftLanguageModes: [.v6]
)
