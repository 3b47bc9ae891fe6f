import Accelerometry
import Testing

@Suite("Units of acceleration", .timeLimit(.minutes(30)))
struct AccelerationUnitTests {
  @Test(
    "a name gives a unit",
    arguments: [
      ("g", AccelerationUnit.g), ("mg", .milliG), ("m/s2", .metresPerSecondSquared), ("m/s²", .metresPerSecondSquared),
      ("raw=16384", .raw(countsPerG: 16384)), ("raw=0.5", .raw(countsPerG: 0.5)),
    ])
  func named(name: String, unit: AccelerationUnit) { #expect(AccelerationUnit(named: name) == unit) }

  @Test("other names are refused", arguments: ["", "G", "raw=", "raw=0", "raw=-1", "raw=nan", "raw=inf", "auto"])
  func unnamed(name: String) { #expect(AccelerationUnit(named: name) == nil) }
}
