/// A topic of an MQTT broker on which samples are published, as in `mqtt://broker.example/phones/ann` or
/// `mqtts://ann@broker.example:8883/phones/ann,password-file=/etc/ann.password,ca=/etc/ssl/home.pem`.
public struct MQTTAddress: Sendable, Hashable {
  /// Host and port, as `broker.example:1883`; without a port it is 1883, with TLS 8883.
  public let authority: String
  /// The topic, in which `+` and `#` stand for any words.
  public let topic: String
  /// Whether to use TLS.
  public let isEncrypted: Bool
  /// The user's name for the broker.
  public let user: String?
  /// A file with the user's password.
  public let passwordFile: String?
  /// A file with the certificates (PEM) of the authorities to trust; `nil`: the system's.
  public let authorities: String?

  /// The address without options.
  public var url: String {
    (isEncrypted ? "mqtts://" : "mqtt://") + (user.map { $0 + "@" } ?? "") + authority + "/" + topic
  }
  /// The host, without brackets.
  public let host: String
  /// The port.
  public let port: UInt16

  /// Reads what stands behind `mqtt:` or `mqtts:`; the two slashes may be left out.
  init(parsing text: String, isEncrypted: Bool) throws(SourceURI.ParsingError) {
    let failure = SourceURI.ParsingError.invalid((isEncrypted ? "mqtts:" : "mqtt:") + text, as: "mqtt")
    let parts = text.split(separator: ",", omittingEmptySubsequences: false)
    var options: [Substring: String] = [:]
    for option in parts.dropFirst() {
      let pair = option.split(separator: "=", maxSplits: 1)
      guard pair.count == 2, pair[0] == "password-file" || pair[0] == "ca" && isEncrypted, options[pair[0]] == nil
      else { throw failure }
      options[pair[0]] = String(pair[1])
    }
    var rest = parts.first ?? ""
    if rest.hasPrefix("//") { rest = rest.dropFirst(2) }
    let server = rest.prefix { $0 != "/" }
    let topic = rest[server.endIndex...].dropFirst()
    let ends = server.split(separator: "@", omittingEmptySubsequences: false)
    guard let authority = ends.last, ends.count <= 2, let place = Authority(authority),
      ends.count == 1 || !ends[0].isEmpty && !ends[0].contains(":"), Self.isTopic(topic),
      ends.count == 2 || options["password-file"] == nil
    else { throw failure }
    self.authority = String(authority)
    (host, port) = (place.host, place.port ?? (isEncrypted ? 8883 : 1883))
    self.topic = String(topic)
    self.isEncrypted = isEncrypted
    user = ends.count == 2 ? String(ends[0]) : nil
    (passwordFile, authorities) = (options["password-file"], options["ca"])
  }

  /// MQTT 3.1.1, section 4.7: `+` is a whole level, `#` the last one.
  private static func isTopic(_ text: Substring) -> Bool {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    return !text.isEmpty && text.utf8.count <= 200 && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
      && levels.allSatisfy { $0 == "+" || $0 == "#" || !$0.contains { $0 == "+" || $0 == "#" } }
      && !levels.dropLast().contains("#")
  }
}

extension MQTTAddress: CustomStringConvertible {
  /// The address with its options, which parses as this source.
  public var description: String {
    url + (passwordFile.map { ",password-file=" + $0 } ?? "") + (authorities.map { ",ca=" + $0 } ?? "")
  }
}
