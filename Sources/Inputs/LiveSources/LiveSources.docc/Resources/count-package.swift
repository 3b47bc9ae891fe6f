// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "count",
  dependencies: [
    .package(url: "URL of this repository", branch: "main", traits: [])
  ],
  targets: [
    .executableTarget(
      name: "count",
      dependencies: [
        .product(name: "Accelerometry", package: "pedometer"),
        .product(name: "Recordings", package: "pedometer"),
        .product(name: "StepDetection", package: "pedometer"),
      ])
  ])
