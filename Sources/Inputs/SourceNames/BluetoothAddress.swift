/// A Bluetooth sensor with options: `C0:FF:EE:00:11:22`, optionally followed by `,motion` or `,strides`.
public struct BluetoothAddress: Sendable, Hashable, CustomStringConvertible {
  /// The device's address: six octets in upper-case hexadecimal digits, separated by colons.
  public let device: String
  /// Whether to read raw acceleration instead of the steps that the sensor counts.
  public var wantsMotion: Bool
  /// Whether its cadence counts strides, which are the steps of one foot.
  public var countsStrides: Bool

  /// Parses an address with its options.
  /// - Throws: `invalidBluetoothAddress`.
  public init(parsing text: String) throws(SourceURI.ParsingError) {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
    let octets = words[0].split(separator: ":", omittingEmptySubsequences: false)
    let options = words.dropFirst()
    guard octets.count == 6, octets.allSatisfy({ $0.utf8.count == 2 && $0.allSatisfy({ $0.isHexDigit }) }),
      options.allSatisfy({ ["motion", "strides"].contains($0) }), options.count <= 1
    else { throw .invalid(text, as: "ble") }
    device = words[0].uppercased()
    wantsMotion = options.contains("motion")
    countsStrides = options.contains("strides")
  }

  /// The text that parses as this address.
  public var description: String { device + (wantsMotion ? ",motion" : "") + (countsStrides ? ",strides" : "") }
}
