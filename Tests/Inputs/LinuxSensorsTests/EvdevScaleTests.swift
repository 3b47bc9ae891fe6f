import Testing

@testable import LinuxSensors

@Suite("The scale of an input device", .timeLimit(.minutes(30)))
struct EvdevScaleTests {
  @Test(
    "without a stated scale, gravity at rest gives it: a usual number if near, otherwise the value itself",
    arguments: [(8192.0, 8192), (8800, 8192), (1020, 1024), (930, 1000), (270, 256), (340, 340), (16, 16)])
  func guess(size: Double, counts: Int) {
    #expect(EvdevScale.countsPerG(showing: size, extent: 4 * size) == counts)
  }

  @Test(
    "impossible gravity gives no scale: zero, near zero, and values that fill the axes or are lost in them",
    arguments: [(0.0, 100.0), (15, 100), (1000, 1000), (1000, 45_000)])
  func refused(size: Double, extent: Double) { #expect(EvdevScale.countsPerG(showing: size, extent: extent) == nil) }

  @Test("axes without a stated range are accepted")
  func noExtent() { #expect(EvdevScale.countsPerG(showing: 256, extent: 0) == 256) }
}
