/// The storage format of a channel: `le:s12/16>>4` in a `scan_elements/*_type` file.
///
/// `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]` (Documentation/ABI/testing/sysfs-bus-iio). The number is extracted
/// by shifting right, masking to `bits` and extending the sign.
package struct ScanElementFormat: Sendable, Hashable {
  /// The most significant byte comes first.
  package var isBigEndian: Bool
  /// Two's complement.
  package var isSigned: Bool
  /// The number of significant bits; 1 to 64.
  package var bits: Int
  /// The number of bits in the scan: 8, 16, 32 or 64.
  package var storageBits: Int
  /// The position of the lowest significant bit.
  package var shift: Int
  /// How many such numbers the channel has: 1 except for vectors such as quaternions.
  package var repeatCount: Int

  /// The number of bytes in the scan, which is also the channel's alignment.
  package var storageBytes: Int { storageBits / 8 * repeatCount }

  /// Creates a format; `nil` if the numbers are inconsistent.
  package init?(
    isBigEndian: Bool = false, isSigned: Bool, bits: Int, storageBits: Int, shift: Int = 0, repeatCount: Int = 1
  ) {
    guard [8, 16, 32, 64].contains(storageBits), (1...storageBits).contains(bits),
      (0...storageBits - bits).contains(shift), (1...64).contains(repeatCount)
    else { return nil }
    (self.isBigEndian, self.isSigned, self.bits) = (isBigEndian, isSigned, bits)
    (self.storageBits, self.shift, self.repeatCount) = (storageBits, shift, repeatCount)
  }

  /// Parses the kernel's format; `nil` if it violates the ABI.
  package init?(parsing text: some StringProtocol) {
    var rest = Substring(text)
    let (order, sign) = (rest.prefix(3), rest.dropFirst(3).prefix(1))
    rest = rest.dropFirst(4)
    guard ["be:", "le:"].contains(order), ["s", "u"].contains(sign), let bits = Self.number(behind: "", in: &rest),
      let storage = Self.number(behind: "/", in: &rest),
      let repeatCount = rest.hasPrefix("X") ? Self.number(behind: "X", in: &rest) : 1,
      let shift = rest.hasPrefix(">>") ? Self.number(behind: ">>", in: &rest) : 0, rest.isEmpty
    else { return nil }
    self.init(
      isBigEndian: order == "be:", isSigned: sign == "s", bits: bits, storageBits: storage, shift: shift,
      repeatCount: repeatCount)
  }

  /// Takes a mark and up to three decimal digits; `nil` if there are none, or more.
  private static func number(behind mark: String, in text: inout Substring) -> Int? {
    guard text.hasPrefix(mark) else { return nil }
    let digits = text.dropFirst(mark.count).prefix { ("0"..."9").contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    text = text[digits.endIndex...]
    return Int(digits)
  }

  /// The largest number that the bits can represent.
  var largestValue: Double {
    let meaning = isSigned ? bits - 1 : bits
    return Double(sign: .plus, exponent: meaning, significand: 1) - 1
  }
}

extension ScanElementFormat: CustomStringConvertible {
  /// The kernel's format.
  package var description: String {
    "\(isBigEndian ? "be" : "le"):\(isSigned ? "s" : "u")\(bits)/\(storageBits)"
      + (repeatCount > 1 ? "X\(repeatCount)" : "") + ">>\(shift)"
  }
}
