import Foundation
import History
import JSONLines
import Pedometry
import Platform

/// The output of `pedometer export`, as CSV or JSON Lines; its minutes keep their sources.
enum OwnExport {
  private struct Line: Decodable {
    var start: String
    var source: String
    var name: String
    var steps: Int
    var distanceTravelled: Double
    var activeTime: Double
    var floorsAscended: Int?
    var floorsDescended: Int?
  }

  /// The longest active time of a minute: the first step of a bout counts the time before it, too. Longer ones are
  /// shortened, because the steps are still right.
  static let longestActiveTime = Duration.seconds(60) + WalkedStep.longestActiveTime

  static func isOwn(_ head: some StringProtocol) -> Bool {
    head.hasPrefix("start,source,name,steps,") || head.hasPrefix("{\"start\":\"") && head.contains("\"source\":")
  }

  static func read(_ input: InputFile, now: Date) throws -> ImportedFile {
    var file = ImportedFile()
    let hasMark = input.head.starts(with: [0xEF, 0xBB, 0xBF])
    let isCSV = input.head.dropFirst(hasMark ? 3 : 0).starts(with: Array("start,".utf8))
    let decoder = JSONDecoder()
    // The last line break may be missing; a line that was cut off is left out.
    try input.lines { number, bytes in
      if isCSV, number == 1 { return }
      let line = bytes.dropFirst(hasMark && number == 1 ? 3 : 0)
      try input.cost.takeRow(of: input.path)
      guard
        let entry = isCSV
          ? cells(String(decoding: line, as: UTF8.self)) : try? decoder.decode(Line.self, from: Data(line)),
        let start = RFC3339.secondsSince1970(entry.start).map(Date.init(timeIntervalSince1970:)), !entry.source.isEmpty
      else {
        return file.skip(
          at: "line \(number)", of: "\(input.path):\(number)",
          "not a line of 'pedometer export'; the file may be incomplete")
      }
      let fault = fault(of: entry, start, now)
      guard fault == nil, let source = file.source(HistorySource(identity: entry.source, name: entry.name)) else {
        return file.refuse(entry.steps, at: "line \(number)", time: start, fault ?? ImportedFile.tooManySources)
      }
      let activeTime = Duration(stated: entry.activeTime) ?? .zero
      let totals = WalkTotals(
        steps: entry.steps, distanceTravelled: entry.distanceTravelled, activeTime: min(activeTime, longestActiveTime),
        floorsAscended: entry.floorsAscended, floorsDescended: entry.floorsDescended)
      file.minutes.append(HistoryMinute(start: start, source: source, totals: totals))
    }
    try file.requireEntries()
    return file
  }

  /// Why a line cannot be right.
  private static func fault(of entry: Line, _ start: Date, _ now: Date) -> String? {
    if !(1...ImportPlan.most).contains(entry.steps) { return "not 1 to \(ImportPlan.most) steps in a minute" }
    if start.timeIntervalSince1970 < 0 { return "before 1970" }
    if start > now + 60 { return "in the future" }
    if start.timeIntervalSince1970.truncatingRemainder(dividingBy: 60) != 0 { return "not the beginning of a minute" }
    if !(0...Double(entry.steps) * WalkedStep.longestDistance).contains(entry.distanceTravelled) {
      return "not 0 to \(Int(WalkedStep.longestDistance)) metres a step"
    }
    guard let activeTime = Duration(stated: entry.activeTime), activeTime >= .zero else {
      return "impossible active time"
    }
    let floors = [entry.floorsAscended, entry.floorsDescended].compactMap { $0 }
    return floors.allSatisfy { (0...entry.steps).contains($0) } ? nil : "more floors than fit into a minute"
  }

  private static func cells(_ line: String) -> Line? {
    let cells = CSV.cells(line).map(CSV.original)
    guard cells.count == 9, let steps = Int(cells[3]), let distance = Double(cells[4]), let active = Double(cells[6])
    else { return nil }
    return Line(
      start: cells[0], source: cells[1], name: cells[2], steps: steps, distanceTravelled: distance,
      activeTime: active, floorsAscended: Int(cells[7]), floorsDescended: Int(cells[8]))
  }
}
