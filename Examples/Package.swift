// swift-tools-version: 6.2
import PackageDescription

// Five small programs that use the libraries like a user's package: they depend on this repository, and fetch only what
// they need. `.ci/examples` builds and runs them.
let package = Package(
  name: "examples",
  dependencies: [.package(name: "pedometer", path: "..", traits: ["History"])],
  targets: [
    .executableTarget(
      name: "count-file",
      dependencies: [
        .product(name: "Accelerometry", package: "pedometer"),
        .product(name: "Recordings", package: "pedometer"),
        .product(name: "StepDetection", package: "pedometer"),
      ]),
    .executableTarget(
      name: "live-reconnect",
      dependencies: [
        .product(name: "Counting", package: "pedometer"),
        .product(name: "LiveSources", package: "pedometer"),
        .product(name: "Pedometry", package: "pedometer"),
      ]),
    .executableTarget(
      name: "core-motion", dependencies: [.product(name: "CoreMotionPedometer", package: "pedometer")]),
    .executableTarget(
      name: "own-source",
      dependencies: [
        .product(name: "Accelerometry", package: "pedometer"),
        .product(name: "Pedometers", package: "pedometer"),
      ]),
    .target(name: "GoalKeeper", dependencies: [.product(name: "Pedometry", package: "pedometer")]),
    .testTarget(
      name: "GoalKeeperTests",
      dependencies: ["GoalKeeper", .product(name: "Pedometry", package: "pedometer")]),
  ],
  swiftLanguageModes: [.v6]
)
