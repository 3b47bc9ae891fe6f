/// A serial port and its settings, as in `serial:/dev/ttyACM0,baud=115200,dtr=off`.
public struct SerialAddress: Sendable, Hashable, CustomStringConvertible {
  /// The default baud rate, in bits per second.
  public static let usualRate = 115_200
  /// The valid baud rates, in bits per second.
  public static let rates = 50...4_000_000

  /// The device node or a link to it; `nil`: the only connected board.
  public var path: String?
  /// The baud rate, in bits per second.
  public var rate: Int
  /// The state of the DTR line after opening; `nil`: unchanged.
  public var dtr: Bool?
  /// The same for RTS.
  public var rts: Bool?

  /// Creates an address.
  public init(path: String?, rate: Int = usualRate, dtr: Bool? = nil, rts: Bool? = nil) {
    (self.path, self.rate, self.dtr, self.rts) = (path, rate, dtr, rts)
  }

  init(parsing text: String) throws(SourceURI.ParsingError) {
    var words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    // The only connected board, with settings: `serial:baud=9600`.
    let isSetting = ["baud=", "dtr=", "rts="].contains { words.first?.hasPrefix($0) ?? false }
    let path = isSetting ? "" : words.removeFirst()
    self.init(path: path.isEmpty ? nil : path)
    for word in words {
      let pair = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      switch (pair[0], pair.count == 2 ? pair[1] : "") {
      case ("baud", let value):
        guard let rate = Int(value), Self.rates.contains(rate) else { throw .invalid(word, as: "serial") }
        self.rate = rate
      case ("dtr", "on"), ("dtr", "off"): dtr = pair[1] == "on"
      case ("rts", "on"), ("rts", "off"): rts = pair[1] == "on"
      default: throw .invalid(word, as: "serial")
      }
    }
  }

  /// The text after `serial:`, without default settings.
  public var description: String {
    var words = path.map { [$0] } ?? []
    if rate != Self.usualRate { words.append("baud=\(rate)") }
    if let dtr { words.append("dtr=\(dtr ? "on" : "off")") }
    if let rts { words.append("rts=\(rts ? "on" : "off")") }
    return words.joined(separator: ",")
  }
}
