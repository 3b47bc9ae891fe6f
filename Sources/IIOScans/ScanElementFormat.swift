/// How one channel lies in a scan: `le:s12/16>>4` of a `scan_elements/*_type` file.
///
/// `[be|le]:[s|u]bits/storagebits[Xrepeat][>>shift]` (Documentation/ABI/testing/sysfs-bus-iio). The number is taken
/// out of its storage by shifting right, then masking to `bits`, then extending the sign.
public struct ScanElementFormat: Sendable, Hashable {
  /// The most significant byte comes first.
  public var isBigEndian: Bool
  /// Two's complement.
  public var isSigned: Bool
  /// Bits that mean something; 1 to 64.
  public var bits: Int
  /// Bits taken in the scan: 8, 16, 32 or 64.
  public var storageBits: Int
  /// How far the meaning bits lie from the right.
  public var shift: Int
  /// How many such numbers the channel has; 1 but for vectors such as quaternions.
  public var repeatCount: Int

  /// Bytes the channel takes in the scan. The kernel aligns it to as many.
  public var storageBytes: Int { storageBits / 8 * repeatCount }

  /// Makes a format, or nothing where the numbers contradict each other.
  public init?(
    isBigEndian: Bool = false, isSigned: Bool, bits: Int, storageBits: Int, shift: Int = 0, repeatCount: Int = 1
  ) {
    guard [8, 16, 32, 64].contains(storageBits), (1...storageBits).contains(bits),
      (0...storageBits - bits).contains(shift), (1...64).contains(repeatCount)
    else { return nil }
    self.isBigEndian = isBigEndian
    self.isSigned = isSigned
    self.bits = bits
    self.storageBits = storageBits
    self.shift = shift
    self.repeatCount = repeatCount
  }

  /// Reads the kernel's spelling; nothing when it is not of the ABI.
  public init?(parsing text: some StringProtocol) {
    var rest = Substring(text)
    let isBigEndian: Bool
    if rest.hasPrefix("be:") {
      isBigEndian = true
    } else if rest.hasPrefix("le:") {
      isBigEndian = false
    } else {
      return nil
    }
    rest.removeFirst(3)
    let isSigned: Bool
    switch rest.popFirst() {
    case "s": isSigned = true
    case "u": isSigned = false
    default: return nil
    }
    guard let bits = Self.number(from: &rest), rest.popFirst() == "/", let storage = Self.number(from: &rest) else {
      return nil
    }
    var repeatCount = 1
    if rest.first == "X" {
      rest.removeFirst()
      guard let count = Self.number(from: &rest) else { return nil }
      repeatCount = count
    }
    var shift = 0
    if rest.hasPrefix(">>") {
      rest.removeFirst(2)
      guard let distance = Self.number(from: &rest) else { return nil }
      shift = distance
    }
    guard rest.isEmpty else { return nil }
    self.init(
      isBigEndian: isBigEndian, isSigned: isSigned, bits: bits, storageBits: storage, shift: shift,
      repeatCount: repeatCount)
  }

  /// Up to three decimal digits; more is no number of bits.
  private static func number(from text: inout Substring) -> Int? {
    let digits = text.prefix { ("0"..."9").contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    text.removeFirst(digits.count)
    return Int(digits)
  }

  /// The largest number that the bits can say.
  var largestValue: Double {
    let meaning = isSigned ? bits - 1 : bits
    return Double(sign: .plus, exponent: meaning, significand: 1) - 1
  }
}

extension ScanElementFormat: CustomStringConvertible {
  /// The kernel's spelling.
  public var description: String {
    "\(isBigEndian ? "be" : "le"):\(isSigned ? "s" : "u")\(bits)/\(storageBits)"
      + (repeatCount > 1 ? "X\(repeatCount)" : "") + ">>\(shift)"
  }
}
