import Testing

/// Where the tests of 'make test' begin: all of them use Swift Testing. During their build it is Tests/XCTMain.swift. Without that
/// file SwiftPM looks for tests of XCTest in the compiler's index, whose making takes a quarter of the time of a build. 'swift test'
/// does so, and needs no options.
@main
struct TestRunner {
  static func main() async { await Testing.__swiftPMEntryPoint() as Never }
}
