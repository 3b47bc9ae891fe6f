import FoundationEssentials

package enum ServiceJSON {
  /// Decodes an answer; `nil` if it is not the expected one.
  package static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(body))
  }
}
