import Platform

/// The folder name of a result, derived from the whole identifier: `site1/p07.cwa` and `site2/p07.cwa` differ.
///
/// Letters, digits, `.`, `_` and `-` are kept, `/` becomes `+`, and every other byte becomes `%` and two hexadecimal
/// digits, so different identifiers have different names. A name of more than 200 bytes is truncated and ends with a
/// hash of the whole identifier.
package enum OutputName {
  static let longest = 200

  /// The name for an entry's identifier.
  package static func of(_ id: String) -> String {
    var name = ""
    for byte in id.utf8 {
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
        name.unicodeScalars.append(Unicode.Scalar(byte))
      // Shell patterns skip hidden folders, and `..` is another folder.
      case UInt8(ascii: ".") where !name.isEmpty: name += "."
      case UInt8(ascii: "/"): name += "+"
      default: name += "%" + byte.padded(2, radix: 16)
      }
    }
    if name.isEmpty { return "%" }
    guard name.utf8.count > longest else { return name }
    return String(name.prefix(longest - 17)) + "-" + id.utf8.fnv1a.padded(16, radix: 16)
  }
}
