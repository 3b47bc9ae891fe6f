/// A Bluetooth sensor: `C0:FF:EE:00:11:22`, optionally followed by `,strides`.
public struct BluetoothAddress: Sendable, Hashable, CustomStringConvertible {
  /// The device's address: six octets in upper-case hexadecimal digits, separated by colons.
  public let device: String
  /// Whether its cadence counts strides, which are the steps of one foot.
  public var countsStrides: Bool

  /// Parses an address with its option.
  /// - Throws: `invalidBluetoothAddress`.
  public init(parsing text: String) throws(SourceURI.ParsingError) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let octets = words[0].split(separator: ":", omittingEmptySubsequences: false)
    guard octets.count == 6, octets.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy({ $0.isHexDigit }) }),
      words.dropFirst() == [] || words.dropFirst() == ["strides"]
    else { throw .invalid(text, as: "ble") }
    device = words[0].uppercased()
    countsStrides = words.count > 1
  }

  /// The text that parses as this address.
  public var description: String { device + (countsStrides ? ",strides" : "") }
}
