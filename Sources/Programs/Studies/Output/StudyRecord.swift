import Foundation
import JSONLines

/// The record of one recording: its result, or why it has none. It is stored as `summary.json`, which is written last:
/// if it exists, the other files are complete.
package struct StudyRecord: Sendable {
  package var id: String
  /// 0, or the exit code of a recording that failed.
  package var exitCode: Int
  /// The reason of the failure.
  package var message: String?
  package var source: Provenance
  package var values: [String: Value]

  /// A JSON value of the record.
  package enum Value: Sendable, Hashable {
    case number(Double)
    case text(String)
    case list([String])

    /// The text in a table.
    var cell: String {
      switch self {
      case .number(let value): Decimals.text(value, 3) ?? ""
      case .text(let text): text
      case .list(let texts): texts.joined(separator: "; ")
      }
    }
  }

  /// Whether there is a `summary.json`, valid or not.
  static func isThere(_ folder: String) -> Bool { FileManager.default.fileExists(atPath: folder + "/summary.json") }

  /// Reads `summary.json`; `nil` if it is missing or invalid.
  package init?(folder: String) {
    guard let data = FileManager.default.contents(atPath: folder + "/summary.json"),
      let object = try? JSONSerialization.jsonObject(with: data) as? [String: Any],
      let id = object["id"] as? String, let exitCode = object["exitCode"] as? Int,
      let source = (object["provenance"] as? [String: Any]).flatMap({ Provenance(of: id, $0) })
    else { return nil }
    (self.id, self.exitCode, self.source, message) = (id, exitCode, source, object["message"] as? String)
    values = object.compactMapValues { value in
      if let list = value as? [String] { return .list(list) }
      if let text = value as? String { return .text(text) }
      return (value as? NSNumber).map { .number($0.doubleValue) }
    }
  }
}
