import FoundationEssentials

/// What a service's answers say.
package enum ServiceJSON {
  /// Reads an answer; `nil` where it is not what was asked for.
  package static func decode<Value: Decodable>(_ type: Value.Type, _ body: [UInt8]) -> Value? {
    try? JSONDecoder().decode(type, from: Data(body))
  }
}
