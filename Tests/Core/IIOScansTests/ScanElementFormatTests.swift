import IIOScans
import Platform
import Testing

@Suite("Scan element formats", .timeLimit(.minutes(30)))
struct ScanElementFormatTests {
  @Test(
    "the kernel's formats are parsed",
    arguments: [
      ("le:s12/16>>4", ScanElementFormat(isSigned: true, bits: 12, storageBits: 16, shift: 4)),
      ("be:u24/32>>8", ScanElementFormat(isBigEndian: true, isSigned: false, bits: 24, storageBits: 32, shift: 8)),
      ("le:s64/64>>0", ScanElementFormat(isSigned: true, bits: 64, storageBits: 64)),
      ("le:s8/8", ScanElementFormat(isSigned: true, bits: 8, storageBits: 8)),
      ("le:s32/32X4>>0", ScanElementFormat(isSigned: true, bits: 32, storageBits: 32, repeatCount: 4)),
    ])
  func spellings(_ text: String, _ expected: ScanElementFormat?) {
    #expect(ScanElementFormat(parsing: text) == expected)
    #expect(expected != nil)
  }

  @Test(
    "formats outside the ABI are refused",
    arguments: [
      "", "le", "le:", "xx:s16/32>>0", "s16/32>>0", "le:f32/32>>0", "le:s99/32>>0", "le:s0/16>>0", "le:s16/0>>0",
      "le:s16/24>>0", "le:s16/32>>17", "le:s16/32>>40", "le:s-4/-16>>-1", "le:s16/32X0>>0", "le:s16/32X1000000>>0",
      "le:s16/999999999999>>0", "le:s16/32>>", "le:s16/32>>0 ", "le:s16/32>>0\u{0}", "le:s16/32<<0", "LE:s16/32>>0",
      "le:s+6/32>>0", "le:s１６/32>>0", "le:s16/32X>>0",
    ])
  func nonsense(_ text: String) {
    #expect(ScanElementFormat(parsing: text) == nil)
  }

  @Test("a format parses its own description", arguments: ["le:s12/16>>4", "be:u32/64X2>>3", "le:s64/64>>0"])
  func roundTrip(_ text: String) {
    #expect(ScanElementFormat(parsing: text)?.description == text)
  }

  @Test("no text with the characters of formats crashes, and accepted formats round-trip")
  func fuzz() {
    var random = SplitMix64(seed: 7)
    let alphabet = Array("le:bsu0123456789/>X- .")
    var accepted = 0
    for _ in 0..<20_000 {
      let length = Int.random(in: 0...14, using: &random)
      let tail = String((0..<length).map { _ in alphabet.randomElement(using: &random)! })
      let text = Bool.random(using: &random) ? "le:s" + tail : tail
      guard let format = ScanElementFormat(parsing: text) else { continue }
      accepted += 1
      #expect(ScanElementFormat(parsing: format.description) == format)
    }
    #expect(accepted > 0)
  }
}
