import Platform
import Testing

@Suite("Numbers from outside", .timeLimit(.minutes(30)))
struct BoundedNumberTests {
  @Test("that do not fit are the nearest that do; what is not a number is 0")
  func bounded() {
    #expect([1.5, -1.5, 1e300, -.infinity, .nan].map { Int64(bounded: $0) } == [2, -2, .max, .min, 0])
    #expect([-1, 255.4, 256].map { UInt8(bounded: $0) } == [0, 255, 255])
    #expect(Int(bounded: 0x1p63) == .max && Int(bounded: -0x1p63) == .min)
  }
}
