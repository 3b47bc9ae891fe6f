import Cqrencode

/// A QR code symbol (ISO/IEC 18004) of error correction level M, which tolerates 15 % damage, by libqrencode.
package struct QRCode: Sendable, Hashable {
  /// Modules per side, without the quiet zone.
  let size: Int
  /// Dark modules, row by row.
  private let modules: [Bool]

  /// The width of the required light margin, in modules.
  static let quietZone = 4
  /// More bytes than any address here has. A larger symbol is hard to read from a screen.
  private static let mostBytes = 213

  subscript(x: Int, y: Int) -> Bool { modules[y * size + x] }

  /// Creates the smallest symbol for the bytes.
  /// - Returns: `nil` for no bytes, and for more than 213.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= Self.mostBytes,
      let symbol = unsafe QRcode_encodeData(Int32(bytes.count), bytes, 0, QR_ECLEVEL_M)
    else { return nil }
    defer { unsafe QRcode_free(symbol) }
    let size = unsafe Int(symbol.pointee.width)
    self.size = size
    // The other bits say what a module is for.
    modules = unsafe UnsafeBufferPointer(start: symbol.pointee.data, count: size * size).map { $0 & 1 == 1 }
  }

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
