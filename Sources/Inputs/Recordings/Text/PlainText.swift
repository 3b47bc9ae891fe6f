/// ASCII in place of the signs, blanks and digits that some programs write in numbers and times: a Unicode minus, the
/// no-break space that browsers put before AM and PM, marks of writing direction, digits of other scripts. Colours of a
/// terminal are dropped, and the NUL in each character of a line in UTF-16.
enum PlainText {
  /// A line as ASCII numbers need it; all other characters stay.
  /// - Parameter dropsReturns: whether carriage returns inside the line are removed.
  /// - Returns: `nil` if nothing changes.
  static func plain(_ bytes: Span<UInt8>, _ line: Range<Int>, dropsReturns: Bool) -> [UInt8]? {
    guard
      line.contains(where: {
        bytes[$0] >= 0x80 || bytes[$0] == escape || bytes[$0] == 0 || (dropsReturns && bytes[$0] == 0x0D)
      })
    else { return nil }
    let nuls = line.count { bytes[$0] == 0 }
    let isWide = nuls > 2 && nuls * 2 >= line.count - 2 && nuls * 2 <= line.count + 2
    var text: [UInt8] = []
    text.reserveCapacity(line.count)
    var isChanged = false
    var i = line.lowerBound
    while i < line.upperBound {
      let byte = bytes[i]
      if byte == escape {
        let length = lengthOfSequence(bytes, i, line.upperBound)
        if length > 1 { isChanged = true } else { text.append(byte) }
        i += length
        continue
      }
      if byte < 0x80 {
        if dropsReturns && byte == 0x0D || isWide && byte == 0 { isChanged = true } else { text.append(byte) }
        i += 1
        continue
      }
      let (scalar, length) = scalar(bytes, i, line.upperBound)
      if let scalar, let ascii = ascii(scalar) {
        isChanged = true
        if ascii > 0 { text.append(ascii) }
      } else {
        for k in i..<i + length { text.append(bytes[k]) }
      }
      i += length
    }
    return isChanged ? text : nil
  }

  private static let escape: UInt8 = 0x1B

  /// The length of the sequence with which a program sets the colour of a terminal or its title, `ESC [ 3 2 m`; 1 if it is none.
  private static func lengthOfSequence(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int {
    guard start + 1 < end else { return 1 }
    var i = start + 2
    switch bytes[start + 1] {
    case UInt8(ascii: "["):
      while i < end, (0x20...0x3F).contains(bytes[i]) { i += 1 }
      return i < end && (0x40...0x7E).contains(bytes[i]) ? i + 1 - start : 1
    case UInt8(ascii: "]"):
      while i < end, bytes[i] != 0x07 { i += 1 }
      return i < end ? i + 1 - start : 1
    default: return 1
    }
  }

  /// The beginning of a text with line feeds only, and ASCII in numbers and times.
  static func plain(beginning text: [UInt8]) -> [UInt8] {
    var plain = Self.plain(text.span, text.indices, dropsReturns: false) ?? text
    guard plain.contains(0x0D) else { return plain }
    var kept = 0
    for i in plain.indices {
      if plain[i] == 0x0A { while kept > 0, plain[kept - 1] == 0x0D { kept -= 1 } }
      plain[kept] = plain[i]
      kept += 1
    }
    while kept > 0, plain[kept - 1] == 0x0D { kept -= 1 }
    plain.removeSubrange(kept...)
    return plain
  }

  /// A character of two or three bytes; `nil` and one byte if it is none.
  private static func scalar(_ bytes: Span<UInt8>, _ i: Int, _ end: Int) -> (Unicode.Scalar?, length: Int) {
    func rest(_ place: Int) -> UInt32? {
      place < end && bytes[place] & 0xC0 == 0x80 ? UInt32(bytes[place] & 0x3F) : nil
    }
    let first = UInt32(bytes[i])
    if first & 0xE0 == 0xC0, let second = rest(i + 1) { return (Unicode.Scalar((first & 0x1F) << 6 | second), 2) }
    if first & 0xF0 == 0xE0, let second = rest(i + 1), let third = rest(i + 2) {
      return (Unicode.Scalar((first & 0x0F) << 12 | second << 6 | third), 3)
    }
    return (nil, 1)
  }

  /// What a character is written for in numbers and times; 0 for nothing, `nil` for any other character.
  private static func ascii(_ scalar: Unicode.Scalar) -> UInt8? {
    switch scalar.value {
    case 0x2212, 0x2010...0x2013, 0xFE63, 0xFF0D: UInt8(ascii: "-")
    case 0xFF0B: UInt8(ascii: "+")
    case 0x00A0, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: 0x20
    case 0x061C, 0x200B...0x200F, 0x202A...0x202E, 0x2060...0x2069, 0xFEFF, 0x066C: 0
    case 0x066B, 0xFF0E: UInt8(ascii: ".")
    case 0x060C, 0xFF0C: UInt8(ascii: ",")
    case 0x0660...: digit(scalar)
    default: nil
    }
  }

  private static func digit(_ scalar: Unicode.Scalar) -> UInt8? {
    guard scalar.properties.numericType == .decimal, let value = scalar.properties.numericValue else { return nil }
    return 0x30 + UInt8(value)
  }
}
