import Testing

@testable import LinuxSensors

@Suite("Values that an attribute accepts", .timeLimit(.minutes(30)))
struct IIOAttributeTextTests {
  @Test("lists and ranges are distinguished")
  func spellings() {
    #expect(AvailableValues(parsing: "12.500000 25.000000 50.0") == .list([12.5, 25, 50]))
    #expect(AvailableValues(parsing: "[1 0.5 200]") == .range(minimum: 1, step: 0.5, maximum: 200))
    #expect(AvailableValues(parsing: "0.781000 1.563000\n\0") == .list([0.781, 1.563]))
  }

  @Test(
    "invalid text is neither",
    arguments: ["", " ", "fast", "1 2 x", "[1 2]", "[5 1 2]", "[1 -1 2]", "1e999", "nan", "0x10"])
  func nonsense(_ text: String) {
    #expect(AvailableValues(parsing: text) == nil)
  }

  @Test("the smallest sufficient value is used, otherwise the largest")
  func choice() {
    let list = AvailableValues.list([200, 25, 12.5, 100])
    #expect(list.value(notBelow: 50) == 100)
    #expect(list.value(notBelow: 500) == 200)
    let range = AvailableValues.range(minimum: 1, step: 20, maximum: 90)
    #expect(range.value(notBelow: 50) == 61)
    #expect(range.value(notBelow: 0.1) == 1)
    #expect(range.value(notBelow: 1000) == 90)
    #expect(AvailableValues.range(minimum: 1, step: 0, maximum: 90).value(notBelow: 33.3) == 33.3)
  }

  @Test("a frequency is written without exponent, as the kernel reads it")
  func decimals() {
    #expect(IIOBufferConfigurator.decimal(50) == "50")
    #expect(IIOBufferConfigurator.decimal(12.5) == "12.500000")
    #expect(IIOBufferConfigurator.decimal(0.000001) == "0.000001")
    #expect(IIOBufferConfigurator.decimal(1e300) == "1000000000")
    #expect(IIOBufferConfigurator.decimal(-3) == "0")
  }
}
