/// The address that the app phyphox shows when it allows remote access, as in `phyphox:http://192.168.1.7:8080`.
public struct PhyphoxAddress: Sendable, Hashable, CustomStringConvertible {
  /// Host and port, as `192.168.1.7:8080`; without a port it is 80.
  public let authority: String

  /// The URL, without a slash at its end.
  public var url: String { "http://" + authority }

  /// Reads what stands behind `phyphox:`; `http://` and a slash at the end may be left out.
  init(parsing text: String) throws(SourceURI.ParsingError) {
    let scheme = "http://"
    var rest = text.hasPrefix(scheme) ? text.dropFirst(scheme.utf8.count) : text[...]
    if rest.hasSuffix("/") { rest = rest.dropLast() }
    if Authority(rest) == nil { throw .invalid("phyphox:" + text, as: "phyphox") }
    authority = String(rest)
  }

  /// What stands behind `phyphox:`.
  public var description: String { url }
}
