import Foundation
import History

/// A JSON file of Google Takeout, folder `Fit/All Data`: `{"Data Source": "derived:com.google.step_count.delta:…",
/// "Data Points": [{"startTimeNanos": …, "endTimeNanos": …, "fitValue": [{"value": {"intVal": 12}}]}]}`.
enum GoogleFit {
  private struct Document: Decodable {
    var source: String
    var points: [Entry]

    enum CodingKeys: String, CodingKey {
      case source = "Data Source"
      case points = "Data Points"
    }
  }

  private struct Entry: Decodable {
    /// `nil` for anything else.
    var point: Point?

    init(from decoder: any Decoder) { point = try? Point(from: decoder) }
  }

  private struct Point: Decodable {
    struct Value: Decodable {
      struct Number: Decodable { var intVal: Int? }
      var value: Number
    }
    var startTimeNanos: Int64
    var endTimeNanos: Int64
    var fitValue: [Value]
  }

  static func read(_ path: String, _ bytes: Data, now: Date) throws -> ImportedFile {
    let document: Document
    do { document = try JSONDecoder().decode(Document.self, from: bytes) } catch {
      throw ImportFailure(
        place: path,
        reason: "the JSON is neither of 'pedometer export' nor of Google Takeout (Fit, All Data); check the file")
    }
    guard document.source.contains("step_count.delta") else {
      throw ImportFailure(
        place: path, reason: "'\(document.source)' has no steps; give a file whose name contains step_count.delta")
    }
    let source = HistorySource(identity: "import:google-fit:\(document.source)", name: "Google Fit")
    var file = ImportedFile()
    for (index, entry) in document.points.enumerated() {
      guard let point = entry.point, let steps = point.fitValue.first?.value.intVal else {
        let number = "data point \(index + 1)"
        file.skip(at: number, of: "\(path), \(number)", "the times or a whole number of steps are missing")
        continue
      }
      file.add(
        ImportedPeriod(
          start: Date(timeIntervalSince1970: Double(point.startTimeNanos) / 1e9),
          end: Date(timeIntervalSince1970: Double(point.endTimeNanos) / 1e9), steps: steps, source: source),
        at: "data point \(index + 1)", now: now)
    }
    try file.requireEntries()
    return file
  }
}
