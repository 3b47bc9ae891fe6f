import Testing

@testable import LinuxSensors

@Suite("What an input device's counts mean", .timeLimit(.minutes(10)))
struct EvdevScaleTests {
  @Test(
    "where nothing states it, gravity at rest does: near a usual number that, else what is shown",
    arguments: [(8192.0, 8192), (8800, 8192), (1020, 1024), (930, 1000), (270, 256), (340, 340), (16, 16)])
  func guess(size: Double, counts: Int) {
    #expect(EvdevScale.countsPerG(showing: size, extent: 4 * size) == counts)
  }

  @Test(
    "what cannot be gravity is no guess: nothing, next to nothing, and what fills the axes or is lost in them",
    arguments: [(0.0, 100.0), (15, 100), (1000, 1000), (1000, 45_000)])
  func refused(size: Double, extent: Double) { #expect(EvdevScale.countsPerG(showing: size, extent: extent) == nil) }

  @Test("axes that state no extent are no obstacle")
  func noExtent() { #expect(EvdevScale.countsPerG(showing: 256, extent: 0) == 256) }
}
