/// A QR code symbol according to ISO/IEC 18004:2015: byte mode, versions 1 to 10, error correction level M.
///
/// That suffices for 213 bytes, more than any address here, and level M tolerates 15 % damage. The mask is always the first: readers
/// accept every one, and the search for the most regular symbol, which the standard recommends, is not worth its code.
package struct QRCode: Sendable, Hashable {
  /// 1 to 10; a symbol has 17 + 4 × version modules on each side.
  let version: Int
  /// Modules per side, without the quiet zone.
  let size: Int
  /// Dark modules, row by row.
  private(set) var modules: [Bool]
  /// Modules that do not contain data.
  private var isFunction: [Bool]

  /// The width of the required light margin, in modules.
  static let quietZone = 4

  /// Whether a module is dark.
  subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

  /// Creates the smallest symbol for the bytes.
  /// - Returns: `nil` for more than 213 bytes.
  package init?(_ bytes: [UInt8]) {
    guard let version = (1...Self.blocks.count).first(where: { Self.room(in: $0) >= bytes.count }) else { return nil }
    (self.version, size) = (version, 17 + 4 * version)
    modules = Array(repeating: false, count: size * size)
    isFunction = modules
    drawFunctionPatterns()
    drawFormat()
    draw(Self.interleaved(Self.dataCodewords(bytes, version), version))
  }

  // MARK: codewords

  /// The blocks of a version at level M (table 9): error correction codewords per block, then groups of blocks with
  /// their number of data codewords.
  private static let blocks: [(correction: Int, groups: [(count: Int, data: Int)])] = [
    (10, [(1, 16)]), (16, [(1, 28)]), (26, [(1, 44)]), (18, [(2, 32)]), (24, [(2, 43)]),
    (16, [(4, 27)]), (18, [(4, 31)]), (22, [(2, 38), (2, 39)]), (22, [(3, 36), (2, 37)]), (26, [(4, 43), (1, 44)]),
  ]

  private static func capacity(_ version: Int) -> Int {
    blocks[version - 1].groups.reduce(0) { $0 + $1.count * $1.data }
  }

  /// The bytes that fit after the mode and the length (8 bits, 16 bits from version 10).
  private static func room(in version: Int) -> Int { (capacity(version) * 8 - 4 - (version < 10 ? 8 : 16)) / 8 }

  /// The mode, the length and the bytes, padded (7.4).
  static func dataCodewords(_ bytes: [UInt8], _ version: Int) -> [UInt8] {
    var bits: [Bool] = []
    let add = { (value: Int, count: Int) in
      for bit in (0..<count).reversed() { bits.append(value >> bit & 1 == 1) }
    }
    add(0b0100, 4)
    add(bytes.count, version < 10 ? 8 : 16)
    for byte in bytes { add(Int(byte), 8) }
    let capacity = capacity(version)
    add(0, min(4, capacity * 8 - bits.count))
    add(0, (8 - bits.count % 8) % 8)
    var codewords = stride(from: 0, to: bits.count, by: 8).map { start in
      bits[start..<start + 8].reduce(UInt8(0)) { $0 << 1 | ($1 ? 1 : 0) }
    }
    for index in 0..<capacity - codewords.count { codewords.append(index % 2 == 0 ? 0xEC : 0x11) }
    return codewords
  }

  /// The codewords of all blocks, interleaved, followed by those for error correction (7.6).
  private static func interleaved(_ data: [UInt8], _ version: Int) -> [UInt8] {
    let plan = blocks[version - 1]
    var parts: [[UInt8]] = []
    var rest = data[...]
    for group in plan.groups {
      for _ in 0..<group.count {
        parts.append(Array(rest.prefix(group.data)))
        rest = rest.dropFirst(group.data)
      }
    }
    let corrections = parts.map { correction(of: $0, count: plan.correction) }
    let longest = parts.map(\.count).max() ?? 0
    return (0..<longest).flatMap { index in parts.compactMap { index < $0.count ? $0[index] : nil } }
      + (0..<plan.correction).flatMap { index in corrections.map { $0[index] } }
  }

  /// Error correction codewords: the remainder of a division by the generator polynomial (7.5.2).
  static func correction(of data: [UInt8], count: Int) -> [UInt8] {
    var generator: [UInt8] = [1]
    var root: UInt8 = 1
    for _ in 0..<count {
      generator = (generator + [0]).enumerated().map { index, term in
        index == 0 ? term : term ^ multiply(generator[index - 1], root)
      }
      root = multiply(root, 2)
    }
    var remainder = data + Array(repeating: 0, count: count)
    for index in data.indices {
      let factor = remainder[index]
      for (place, term) in generator.enumerated() { remainder[index + place] ^= multiply(term, factor) }
    }
    return Array(remainder.suffix(count))
  }

  /// Multiplies in GF(256) modulo x⁸ + x⁴ + x³ + x² + 1.
  private static func multiply(_ a: UInt8, _ b: UInt8) -> UInt8 {
    var (product, a, b) = (0, Int(a), b)
    while b != 0 {
      if b & 1 == 1 { product ^= a }
      a = a << 1 ^ (a & 0x80 == 0 ? 0 : 0x11D)
      b >>= 1
    }
    return UInt8(product)
  }

  // MARK: function patterns

  /// The centres of the alignment patterns along a side (annex E).
  private static let alignment: [[Int]] = [
    [], [6, 18], [6, 22], [6, 26], [6, 30], [6, 34], [6, 22, 38], [6, 24, 42], [6, 26, 46], [6, 28, 50],
  ]

  private mutating func set(_ x: Int, _ y: Int, _ isDark: Bool) {
    guard 0..<size ~= x, 0..<size ~= y else { return }
    modules[y * size + x] = isDark
    isFunction[y * size + x] = true
  }

  private mutating func drawFunctionPatterns() {
    for place in 0..<size {
      set(6, place, place % 2 == 0)
      set(place, 6, place % 2 == 0)
    }
    for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] {
      for dy in -4...4 {
        for dx in -4...4 { set(x + dx, y + dy, ![2, 4].contains(max(abs(dx), abs(dy)))) }
      }
    }
    let centres = Self.alignment[version - 1]
    for x in centres {
      for y in centres where !((x == 6 && y == 6) || (x == 6 && y == size - 7) || (x == size - 7 && y == 6)) {
        for dy in -2...2 {
          for dx in -2...2 { set(x + dx, y + dy, max(abs(dx), abs(dy)) != 1) }
        }
      }
    }
    drawVersion()
  }

  /// The version number as an (18, 6) code, from version 7 (7.10).
  private mutating func drawVersion() {
    guard version >= 7 else { return }
    var remainder = version
    for _ in 0..<12 { remainder = remainder << 1 ^ (remainder >> 11 & 1) * 0x1F25 }
    let bits = version << 12 | remainder
    for index in 0..<18 {
      let (a, b) = (size - 11 + index % 3, index / 3)
      set(a, b, bits >> index & 1 == 1)
      set(b, a, bits >> index & 1 == 1)
    }
  }

  /// The level (M is 00) and the mask (0) as a (15, 5) code (7.9).
  private mutating func drawFormat() {
    let bits = 0x5412
    let bit = { (index: Int) in bits >> index & 1 == 1 }
    for index in 0..<6 { set(8, index, bit(index)) }
    set(8, 7, bit(6))
    set(8, 8, bit(7))
    set(7, 8, bit(8))
    for index in 9..<15 { set(14 - index, 8, bit(index)) }
    for index in 0..<8 { set(size - 1 - index, 8, bit(index)) }
    for index in 8..<15 { set(8, size - 15 + index, bit(index)) }
    set(8, size - 8, true)
  }

  // MARK: data

  /// In columns of width two from the right, alternately upwards and downwards (7.7.3); masked as a chessboard (table 10).
  private mutating func draw(_ codewords: [UInt8]) {
    var index = 0
    for right in stride(from: size - 1, to: 0, by: -2) {
      let right = right <= 6 ? right - 1 : right
      for step in 0..<size {
        let isUp = (right + 1) & 2 == 0
        let y = isUp ? size - 1 - step : step
        for x in [right, right - 1] where !isFunction[y * size + x] {
          let isDark = index < codewords.count * 8 && codewords[index / 8] >> (7 - index % 8) & 1 == 1
          modules[y * size + x] = isDark != ((x + y) % 2 == 0)
          index += 1
        }
      }
    }
  }
}

extension QRCode {
  /// For a terminal: half blocks with two rows per line, in explicit colours.
  package var terminalText: String {
    let edge = Self.quietZone
    let isDark = { (x: Int, y: Int) in 0..<size ~= x && 0..<size ~= y && self[x, y] }
    return stride(from: -edge, to: size + edge, by: 2).map { y in
      let row = (-edge..<size + edge).map { x in
        switch (isDark(x, y), isDark(x, y + 1)) {
        case (true, true): "█"
        case (true, false): "▀"
        case (false, true): "▄"
        case (false, false): " "
        }
      }
      return "\u{1B}[38;5;16;48;5;231m\(row.joined())\u{1B}[0m\n"
    }.joined()
  }

  /// An SVG picture whose modules are one unit wide.
  /// - Parameter title: the alternative text.
  func svg(title: String) -> String {
    let side = size + 2 * Self.quietZone
    var path = ""
    for y in 0..<size {
      for x in 0..<size where self[x, y] { path += "M\(x + Self.quietZone) \(y + Self.quietZone)h1v1h-1z" }
    }
    return """
      <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 \(side) \(side)" role="img" shape-rendering="crispEdges">\
      <title>\(title)</title><path fill="#fff" d="M0 0h\(side)v\(side)h-\(side)z"/><path fill="#000" d="\(path)"/></svg>

      """
  }
}
