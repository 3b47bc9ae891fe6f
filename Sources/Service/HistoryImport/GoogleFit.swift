import Foundation
import History

/// A JSON file of Google Takeout, folder `Fit/All Data`: `{"Data Source": "derived:com.google.step_count.delta:…",
/// "Data Points": [{"startTimeNanos": …, "endTimeNanos": …, "fitValue": [{"value": {"intVal": 12}}]}]}`.
enum GoogleFit {
  private struct Document: Decodable {
    var source: String

    enum CodingKeys: String, CodingKey { case source = "Data Source" }
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

  static func read(_ input: InputFile, now: Date) throws -> ImportedFile {
    let path = input.path
    let decoder = JSONDecoder()
    var (elements, points) = (JSONElements(), [ImportedPeriod]())
    var (count, file) = (0, ImportedFile())
    do {
      try input.pieces { piece in
        try elements.take(piece) { bytes in
          count += 1
          try input.cost.takeRow(of: path)
          guard let point = try? decoder.decode(Point.self, from: Data(bytes)),
            let steps = point.fitValue.first?.value.intVal
          else {
            let number = "data point \(count)"
            return file.skip(at: number, of: "\(path), \(number)", "the times or a whole number of steps are missing")
          }
          points.append(
            ImportedPeriod(
              start: Date(timeIntervalSince1970: Double(point.startTimeNanos) / 1e9),
              end: Date(timeIntervalSince1970: Double(point.endTimeNanos) / 1e9), steps: steps, source: unknown))
        }
      }
    } catch is JSONElements.Excess {
      throw ImportFailure(place: path, reason: "the JSON has a value that is longer than any of Google Takeout")
    }
    guard let document = try? decoder.decode(Document.self, from: Data(elements.frame)) else {
      throw ImportFailure(
        place: path,
        reason: "the JSON is neither of 'pedometer export' nor of Google Takeout (Fit, All Data); check the file")
    }
    guard document.source.contains("step_count.delta") else {
      throw ImportFailure(
        place: path,
        reason: "'\(document.source.prefix(200))' has no steps; give a file whose name contains step_count.delta")
    }
    let source = HistorySource(identity: "import:google-fit:\(document.source)", name: "Google Fit")
    for (index, var period) in points.enumerated() {
      period.source = source
      file.add(period, at: "data point \(index + 1)", now: now)
    }
    try file.requireEntries()
    return file
  }

  /// Until the document has ended.
  private static let unknown = HistorySource(identity: "", name: "")
}
