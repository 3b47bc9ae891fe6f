/// A value of a ``JSONLine``, or of a row of CSV.
package protocol LineValue: Sendable {
  /// As JSON, on one line.
  var json: String { get }
  /// As a cell of CSV; empty without a value.
  var cell: String { get }
}

extension LineValue {
  package var cell: String { json }
}

extension String: LineValue {
  package var json: String { JSONLine.quoted(self) }
  package var cell: String { CSV.quoted(self) }
}
extension Int: LineValue { package var json: String { "\(self)" } }
extension Bool: LineValue { package var json: String { "\(self)" } }
extension JSONLine: LineValue { package var json: String { object } }
extension Optional: LineValue where Wrapped: LineValue {
  package var json: String { self?.json ?? "null" }
  package var cell: String { self?.cell ?? "" }
}
extension Array: LineValue where Element: LineValue {
  package var json: String { "[" + map(\.json).joined(separator: ",") + "]" }
  /// Texts in one cell.
  package var cell: String { CSV.quoted(map { $0 as? String ?? $0.json }.joined(separator: "; ")) }
}
/// Seconds with three decimals.
extension Duration: LineValue { package var json: String { decimals(3).json } }

/// A number with as many decimals as it needs, but not more than these; `null` unless it is finite.
package struct JSONNumber: LineValue {
  fileprivate let value: Double
  fileprivate let decimals: Int

  package var json: String { Decimals.text(value, decimals) ?? "null" }
  package var cell: String { Decimals.text(value, decimals) ?? "" }
}

extension Double {
  package func decimals(_ most: Int) -> JSONNumber { JSONNumber(value: self, decimals: most) }
}
extension Double? {
  package func decimals(_ most: Int) -> JSONNumber? { map { $0.decimals(most) } }
}
extension [Double] {
  package func decimals(_ most: Int) -> [JSONNumber] { map { $0.decimals(most) } }
}
extension Duration {
  /// Seconds.
  package func decimals(_ most: Int) -> JSONNumber { (self / .seconds(1)).decimals(most) }
}
