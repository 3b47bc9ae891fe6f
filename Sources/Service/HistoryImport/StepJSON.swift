import Foundation
import History
import JSONLines
import Platform

/// Lists of entries in JSON.
///
/// Google Takeout, folder `Fit/All Data`: `{"Data Source": "derived:com.google.step_count.delta:…", "Data Points":
/// [{"startTimeNanos": …, "endTimeNanos": …, "fitValue": [{"value": {"intVal": 12}}]}]}`. The archive of a Fitbit account:
/// `steps-2026-05-06.json` with minutes, `[{"dateTime": "05/06/26 10:15:00", "value": "12"}]`, and `sleep-….json`.
enum StepJSON {
  private struct Document: Decodable {
    var source: String

    enum CodingKeys: String, CodingKey { case source = "Data Source" }
  }

  /// A data point of Google, or a night of Fitbit with local times such as `2026-05-05T23:10:30.000`.
  private struct Entry: Decodable {
    struct Value: Decodable {
      struct Number: Decodable { var intVal: Int? }
      var value: Number
    }
    var startTimeNanos, endTimeNanos: Int64?
    var fitValue: [Value]?
    var startTime, endTime: String?
  }

  static func read(_ input: InputFile, now: Date) throws -> ImportedFile {
    let isFitbit = input.head.first { $0 > 0x20 } == UInt8(ascii: "[")
    let name = input.path.split(separator: "/").last?.firstMatch(of: /(steps|sleep)-\d{4}-\d\d-\d\d/)?.1
    // Minutes of something else look the same.
    if isFitbit, name == nil {
      throw ImportFailure(
        at: input.path, "of a Fitbit account only steps-YYYY-MM-DD.json has steps; give it, or its folder")
    }
    let (isSleep, entryName) = (isFitbit && name == "sleep", isFitbit ? "entry" : "data point")
    let decoder = JSONDecoder()
    var (elements, file, count) = (JSONElements(), ImportedFile(), 0)
    var points: [(number: Int, period: ImportedPeriod)] = []
    func take(_ bytes: [UInt8]) throws {
      count += 1
      var period = isFitbit ? minute(bytes) : nil
      // Most of the minutes of years are at rest.
      if period?.steps == 0 { return }
      try input.cost.takeRow(of: input.path)
      if period == nil, let entry = try? decoder.decode(Entry.self, from: Data(bytes)) {
        if isSleep {
          let times = [entry.startTime, entry.endTime].compactMap { $0.flatMap { RFC3339.secondsSince1970($0 + "Z") } }
          if times.count == 2, times[0] < times[1] { file.clock.sleeps.append(times[0]..<times[1]) }
        } else if let start = entry.startTimeNanos, let end = entry.endTimeNanos,
          let steps = entry.fitValue?.first?.value.intVal
        {
          period = ImportedPeriod(
            start: Date(timeIntervalSince1970: Double(start) / 1e9),
            end: Date(timeIntervalSince1970: Double(end) / 1e9),
            steps: steps, source: fitbit)
        }
      }
      if let period { return points.append((count, period)) }
      let number = "\(entryName) \(count)"
      if isSleep { return }
      file.skip(at: number, of: "\(input.path), \(number)", "the times or a whole number of steps are missing")
    }
    do { try input.pieces { try elements.take($0, take) } } catch is JSONElements.Excess {
      throw ImportFailure(at: input.path, "the JSON has a value that is longer than any of an export")
    }
    if isFitbit {
      guard elements.frame.contains(UInt8(ascii: "]")) else {
        throw ImportFailure(at: input.path, "the JSON is cut off; export it again")
      }
      file.clock.periods = points.map(\.period)
      if points.isEmpty { try file.requireEntries() }
      return file
    }
    let source = try source(elements.frame, input.path)
    for (number, var period) in points {
      period.source = source
      file.add(period, at: "\(entryName) \(number)", now: now)
    }
    try file.requireEntries()
    return file
  }

  private static let fitbit = HistorySource.imported(("fitbit", "Fitbit"), [], ["minutes"])

  /// - Throws: ``ImportFailure`` if it has no steps.
  private static func source(_ frame: [UInt8], _ path: String) throws -> HistorySource {
    guard let document = try? JSONDecoder().decode(Document.self, from: Data(frame)) else {
      throw ImportFailure(
        at: path, "the JSON is neither of 'pedometer export' nor of Google Takeout (Fit, All Data); check the file")
    }
    guard document.source.contains("step_count.delta") else {
      throw ImportFailure(
        at: path, "'\(document.source.prefix(200))' has no steps; give a file whose name contains step_count.delta")
    }
    return HistorySource(identity: "import:google-fit:\(document.source)", name: "Google Fit")
  }

  /// Reads `{"dateTime": "05/06/26 10:15:00", "value": "12"}`, of which years have millions, as if it were in UTC.
  private static func minute(_ entry: [UInt8]) -> ImportedPeriod? {
    let parts = entry.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false)
    guard parts.count >= 7, parts[1].elementsEqual("dateTime".utf8), parts[5].elementsEqual("value".utf8) else {
      return nil
    }
    func number(_ digits: ArraySlice<UInt8>) -> Int? { Int(String(decoding: digits, as: UTF8.self)) }
    // A number has no quotation marks.
    let value = parts.count > 7 ? parts[7] : parts[6].filter { (0x30...0x39).contains($0) }[...]
    let time = parts[3].split { !(0x30...0x39).contains($0) }.compactMap(number)
    guard let steps = number(value), time.count == 6, time[3] < 24, time[4] < 60, time[5] < 61,
      case let year = time[2] < 100 ? 2000 + time[2] : time[2],
      CivilDays.isDate(year: year, month: time[0], day: time[1])
    else { return nil }
    let day = CivilDays.days(year: year, month: time[0], day: time[1])
    let start = Date(timeIntervalSince1970: Double(day * 86_400 + time[3] * 3600 + time[4] * 60 + time[5]))
    return ImportedPeriod(start: start, end: start + 60, steps: steps, source: fitbit)
  }
}
