import Drawing
import JSONLines

/// One self-contained page of a study: how steps a day are distributed, wear, failures with what to do, a line for each
/// participant. It loads nothing, so it opens offline.
package struct StudyReport {
  private let collation: Collation
  private let title: String

  /// - Parameter title: the heading.
  package init(_ collation: Collation, title: String) {
    self.collation = collation
    self.title = title
  }

  /// The page.
  package var html: String {
    let results = collation.results
    let steps = results.compactMap { $0.record.number("stepsPerValidDay") }
    let wear = results.compactMap { $0.record.number("wearHoursPerValidDay") }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(SVG.escaped(title))</title>
      <style>\(Self.style)</style></head><body><main>
      <h1>\(SVG.escaped(title))</h1>
      \(overview(steps, wear))
      \(Self.histogram(steps, title: "Steps per valid day", unit: "steps per day"))
      \(Self.histogram(wear, title: "Hours of wear per valid day", unit: "hours", most: 24))
      \(problems)
      \(participants)
      <h2>Methods</h2><p>\(SVG.escaped(MethodsText.paragraph(collation) ?? "No recording has a result yet."))</p>
      </main></body></html>

      """
  }

  private static let style = """
    :root{color-scheme:light dark;--ink:#1f2933;--muted:#52606d;--edge:#d5dae0;--back:#fff;--bar:#2563a8}
    @media(prefers-color-scheme:dark){:root{--ink:#e8ebef;--muted:#a3adb9;--edge:#3c4550;--back:#171b20;--bar:#7fb2ea}}
    body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 system-ui,Helvetica,Arial,sans-serif}
    main{max-width:70rem;margin:0 auto;padding:1rem}
    dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:1rem}
    dt{color:var(--muted)}dd{margin:0;font-size:1.6rem;font-weight:600}
    .scroll{overflow-x:auto}table{border-collapse:collapse;width:100%}
    th,td{text-align:left;padding:.25rem .6rem;border-bottom:1px solid var(--edge);vertical-align:top}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}
    svg{max-width:100%;height:auto}.bar{fill:var(--bar)}.axis{stroke:var(--edge)}svg text{fill:var(--muted);font-size:12px}
    .track{display:inline-block;width:8rem;height:.7rem;border:1px solid var(--edge);vertical-align:middle}
    .track span{display:block;height:100%;background:var(--bar)}
    """

  private func overview(_ steps: [Double], _ wear: [Double]) -> String {
    func item(_ name: String, _ value: String) -> String { "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }
    let items = [
      item("recordings", "\(collation.records.count)"), item("with results", "\(collation.results.count)"),
      item("failed", "\(collation.failures.count)"), item("not analysed", "\(collation.missing.count)"),
      item("median steps per day", Self.median(steps).flatMap { Decimals.text($0, 0) } ?? "–"),
      item("median hours of wear", Self.median(wear).flatMap { Decimals.text($0, 1) } ?? "–"),
    ]
    return "<dl>\(items.joined())</dl>"
  }

  static func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard let middle = sorted.dropFirst(sorted.count / 2).first else { return nil }
    return sorted.count % 2 == 1 ? middle : (middle + sorted[sorted.count / 2 - 1]) / 2
  }

  private static func histogram(_ values: [Double], title: String, unit: String, most: Double? = nil) -> String {
    guard let top = most ?? values.max().map({ max(1000, ($0 / 1000).rounded(.up) * 1000) }), !values.isEmpty else {
      return "<h2>\(title)</h2><p>No valid day.</p>"
    }
    let bins = most == nil ? min(40, max(1, Int(top / 1000))) : 24
    var counts = [Int](repeating: 0, count: bins)
    for value in values { counts[min(bins - 1, max(0, Int(value / top * Double(bins))))] += 1 }
    let highest = counts.max() ?? 1
    let (width, height) = (900.0, 180.0)
    var bars = ""
    for (index, count) in counts.enumerated() where count > 0 {
      let size = Double(count) / Double(highest) * 140
      bars +=
        "<rect class=\"bar\" x=\"\(text(40 + Double(index) * 840 / Double(bins) + 1))\" y=\"\(text(150 - size))\" "
        + "width=\"\(text(840 / Double(bins) - 2))\" height=\"\(text(size))\"/>"
    }
    for share in [0.0, 0.25, 0.5, 0.75, 1] {
      bars +=
        "<text x=\"\(text(40 + 840 * share))\" y=\"168\" text-anchor=\"middle\">\(text(top * share, 0))</text>"
    }
    bars += "<text x=\"36\" y=\"20\" text-anchor=\"end\">\(highest)</text>"
    let summary = "\(title) of \(values.count) recordings; the highest bar has \(highest)."
    return """
      <h2>\(title)</h2><svg viewBox="0 0 \(text(width, 0)) \(text(height, 0))" role="img" aria-label="\(summary)">
      <line class="axis" x1="40" y1="150" x2="880" y2="150"/>\(bars)</svg><p>\(summary) Horizontal axis: \(unit).</p>
      """
  }

  private static func text(_ value: Double, _ decimals: Int = 1) -> String { Decimals.text(value, decimals) ?? "0" }

  private var problems: String {
    let failures = collation.failures
    let doubtful = collation.results.filter { !($0.record.values["warnings"]?.cell ?? "").isEmpty }
    var text = "<h2>Failures</h2>"
    text +=
      failures.isEmpty
      ? "<p>None.</p>"
      : Self.table(
        ["recording", "exit code", "reason"],
        failures.map { [$0.entry.id, String($0.record.exitCode), $0.record.message ?? ""] })
    text += "<h2>Warnings</h2>"
    text +=
      doubtful.isEmpty
      ? "<p>None.</p>"
      : Self.table(
        ["recording", "warnings"], doubtful.map { [$0.entry.id, $0.record.values["warnings"]?.cell ?? ""] })
    return text
  }

  private static func table(_ heading: [String], _ rows: [[String]]) -> String {
    let head = heading.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let body = rows.map { "<tr>" + $0.map { "<td>\(SVG.escaped($0))</td>" }.joined() + "</tr>" }.joined(separator: "\n")
    return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(heading.joined(separator: ", "))\">"
      + "<table><thead><tr>\(head)</tr></thead><tbody>\(body)</tbody></table></div>"
  }

  private var participants: String {
    let most = max(1, collation.results.compactMap { $0.record.number("stepsPerValidDay") }.max() ?? 1)
    let rows = collation.results.map { entry, record in
      let steps = record.number("stepsPerValidDay")
      let share = Self.text(100 * (steps ?? 0) / most, 1)
      let cells = [
        steps.map { Self.text($0, 0) } ?? "–", record.values["validDays"]?.cell ?? "",
        record.number("wearHoursPerValidDay").map { Self.text($0) } ?? "–",
        record.number("peak30Cadence").map { Self.text($0, 0) } ?? "–",
      ].map { "<td class=\"n\">\($0)</td>" }.joined()
      return
        "<tr><th scope=\"row\">\(SVG.escaped(entry.id))</th>\(cells)<td><span class=\"track\"><span style=\"width:\(share)%\">"
        + "</span></span></td></tr>"
    }
    let heads = ["steps per valid day", "valid days", "wear, h per day", "peak 30-min cadence"]
      .map { "<th scope=\"col\" class=\"n\">\($0)</th>" }.joined()
    return
      "<h2>Participants</h2><div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"Participants\"><table><thead><tr>"
      + "<th scope=\"col\">recording</th>\(heads)<th scope=\"col\">steps</th></tr></thead><tbody>\(rows.joined(separator: "\n"))"
      + "</tbody></table></div>"
  }
}

extension StudyRecord {
  /// A number of the record; `nil` when it has none of that name.
  func number(_ key: String) -> Double? {
    if case .number(let value) = values[key] { return value }
    return nil
  }
}

extension StudyReport {
  /// Writes the page.
  package func write(to path: String) throws(SystemFailure) { try TextFile.write(html, to: path) }
}
