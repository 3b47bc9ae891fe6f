import Drawing
import Foundation
import JSONLines
import Pedometry

/// A self-contained HTML page of a study: the distributions of steps and wear per day, failures with remedies, and a strip
/// of days per participant. It loads no other files and runs no script, so it works offline.
package struct StudyReport {
  private let collation: Collation
  private let title: String

  /// - Parameter title: the heading.
  package init(_ collation: Collation, title: String) {
    (self.collation, self.title) = (collation, title)
  }

  package var html: String { html(links: nil) }

  /// - Parameter links: the folder of the results, from the page's; `nil` for a page without links.
  private func html(links: String?) -> String {
    let results = collation.results
    let steps = results.compactMap { $0.record.number("stepsPerValidDay") }
    let wear = results.compactMap { $0.record.number("wearHoursPerValidDay") }
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(SVG.escaped(title))</title>
      <style>\(Self.style)</style></head><body>\(Self.pattern)<main>
      <h1>\(SVG.escaped(title))</h1>
      \(overview(steps, wear))
      \(distributions(steps, wear))
      \(problems)
      \(participants(links))
      <h2>Methods</h2><p>\(SVG.escaped(MethodsText.paragraph(collation) ?? "No recording has a result yet."))</p>
      </main></body></html>

      """
  }

  private static let style = """
    :root{color-scheme:light dark;\(palette { $0.rawValue })}
    @media(prefers-color-scheme:dark){:root{\(palette { $0.onDark })}}
    body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 \(SVG.font)}
    main{max-width:64rem;margin:0 auto;padding:1rem}
    h1{line-height:1.2}h2{margin:2.5rem 0 .5rem}
    dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(7.5rem,1fr));gap:.75rem;margin:1.5rem 0}
    dt{color:var(--muted);font-size:.9rem}dd{margin:0;font-size:1.6rem;font-weight:600}
    .scroll{overflow-x:auto}.scroll:focus-visible{outline:2px solid var(--bar)}
    table{border-collapse:collapse;width:100%}caption,figcaption,p.note{text-align:left;color:var(--muted)}
    figure{margin:0}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--edge);vertical-align:middle}
    th{font-weight:600}td{overflow-wrap:anywhere}td.id,tbody th{min-width:6rem;overflow-wrap:anywhere}
    td.n,th.n{text-align:right;font-variant-numeric:tabular-nums;overflow-wrap:normal}
    code{overflow-wrap:anywhere}svg{display:block}
    .chart{min-width:36rem;width:100%;height:auto}.chart text{fill:var(--muted);font-size:13px}
    .bar{fill:var(--bar)}.axis{stroke:var(--idle)}.grid{stroke:var(--edge)}
    .halo{stroke:var(--back);stroke-width:5}.median{stroke:var(--mark);stroke-width:2;stroke-dasharray:5 4}
    .chart text.mark{fill:var(--ink);font-weight:600}
    .idle{fill:url(#idle);stroke:var(--idle)}.hatch{stroke:var(--idle);stroke-width:2}
    summary{cursor:pointer}
    @media print{.scroll{overflow:visible}}
    """

  private static func palette(_ value: (SVG.Colour) -> String) -> String {
    let names: KeyValuePairs<String, SVG.Colour> = [
      "ink": .ink, "muted": .muted, "edge": .grid, "back": .white, "bar": .blue, "idle": .muted, "mark": .orange,
    ]
    return names.map { "--\($0):\(value($1))" }.joined(separator: ";")
  }

  /// Hatches invalid days, which is also visible in black and white.
  private static let pattern = """
    <svg width="0" height="0" aria-hidden="true" style="position:absolute"><defs><pattern id="idle" width="4" height="4" \
    patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class="hatch" d="M0 0V4"/></pattern></defs></svg>
    """

  /// Whether there is a day with enough wear; otherwise the recordings are shorter walks, and nothing is said of days.
  private var hasDays: Bool { collation.results.contains { $0.record.number("validDays") ?? 0 > 0 } }

  private func distributions(_ steps: [Double], _ wear: [Double]) -> String {
    if !hasDays { return "" }
    return """
      <h2>Steps per day</h2>
      \(Histogram(steps, axis: "mean steps per valid day", step: Histogram.step(for: steps)).figure)
      <h2>Wear per day</h2>
      \(Histogram(wear, axis: "mean hours of wear per valid day", step: 1, top: 24).figure)
      """
  }

  private func overview(_ steps: [Double], _ wear: [Double]) -> String {
    func item(_ name: String, _ value: String) -> String { "<div><dt>\(name)</dt><dd>\(value)</dd></div>" }
    let sum = { (key: String) in self.collation.results.reduce(0) { $0 + ($1.record.number(key) ?? 0) } }
    var items = [
      item("recordings", Self.count(collation.records.count)),
      item("with results", Self.count(collation.results.count)),
    ]
    if !collation.failures.isEmpty { items.append(item("failed", Self.count(collation.failures.count))) }
    if !collation.missing.isEmpty { items.append(item("not analysed", Self.count(collation.missing.count))) }
    if hasDays {
      items += [
        item("valid days", Self.grouped(sum("validDays"))),
        item("median steps per day", Self.median(steps).map(Self.grouped) ?? "–"),
        item("median wear per day", Self.median(wear).flatMap { Decimals.fixed($0, 1) }.map { "\($0) h" } ?? "–"),
      ]
    } else if !collation.results.isEmpty {
      let cadences = collation.results.compactMap { Self.cadence($0.record) }
      items += [
        item("steps in all", Self.grouped(sum("steps"))),
        item("recorded", Decimals.duration(.seconds(sum("duration")))),
        item("median cadence", Self.median(cadences).map { "\(Self.grouped($0))/min" } ?? "–"),
      ]
    }
    func median(_ key: String, _ decimals: Int) -> String? {
      Self.median(collation.results.compactMap { $0.record.number(key) }).flatMap { Decimals.fixed($0, decimals) }
    }
    if let stride = median("strideTime", 2) { items.append(item("median stride time", "\(stride) s")) }
    if let variation = median("strideTimeVariation", 1) {
      items.append(item("median stride variation", "\(variation) %"))
    }
    return "<dl>\(items.joined())</dl>"
  }

  /// Steps a minute of walking.
  private static func cadence(_ record: StudyRecord) -> Double? {
    guard let steps = record.number("steps"), let minutes = record.number("walkingMinutes"), steps > 0, minutes > 0
    else { return nil }
    return steps / minutes
  }

  static func median(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    guard let middle = sorted.dropFirst(sorted.count / 2).first else { return nil }
    return sorted.count % 2 == 1 ? middle : (middle + sorted[sorted.count / 2 - 1]) / 2
  }

  private static func count(_ value: Int) -> String { grouped(Double(value)) }

  /// A whole number with separators: `8,123`.
  static func grouped(_ value: Double) -> String {
    let digits = Array(Decimals.text(value.magnitude, 0) ?? "0")
    var text = value <= -0.5 ? "-" : ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0 { text += "," }
      text.append(digit)
    }
    return text
  }

  private var problems: String {
    let failures = collation.failures
    var text = ""
    if !failures.isEmpty {
      text += "<h2>Failures</h2>"
      text += Self.table(
        "Failures", ["recording", "reason", "what to do"],
        failures.map { entry, record in
          [entry.id, Self.reason(record.message, of: entry), Self.remedy(record.exitCode)]
        })
    }
    let missing = collation.missing
    if !missing.isEmpty {
      text +=
        "<h2>Not analysed</h2><p>\(missing.count == 1 ? "One recording has" : "\(Self.count(missing.count)) recordings have")"
      text +=
        " no result yet. They are listed in <code>missing.csv</code>, which is a manifest: analyse it with the same"
      text += " options and output folder, and collate again.</p>"
      text += Self.folded(missing.map { [$0.id, $0.name] }, "Not analysed", ["recording", "file"])
    }
    let doubtful = collation.doubtful
    if !doubtful.isEmpty {
      text +=
        "<h2>Warnings</h2><p>\(Self.count(doubtful.count)) of \(Self.count(collation.results.count)) results have"
        + " warnings.</p>"
      text += Self.folded(
        doubtful.map { [$0.entry.id, $0.warnings.joined(separator: "; ")] }, "Warnings", ["recording", "warnings"])
    }
    return text
  }

  /// The message without its leading path, which is in the first column.
  private static func reason(_ message: String?, of entry: StudyEntry) -> String {
    guard let message else { return "" }
    return message.hasPrefix(entry.name + ": ") ? String(message.dropFirst(entry.name.count + 2)) : message
  }

  /// The remedy for a failure, by its exit code.
  static func remedy(_ exitCode: Int) -> String {
    switch StudyFault(rawValue: Int32(exitCode)) {
    case .badData: "Export or copy the recording again; if the error remains, exclude it."
    case .missing: "Correct the path in the manifest, or restore the file."
    case .denied: "Ask the owner of the file for read permission."
    case .cannotCreate: "Make the output folder writable."
    case .temporary, nil: "Run the study again."
    }
  }

  /// A table that is collapsed at first if it is long.
  private static func folded(_ rows: [[String]], _ name: String, _ heading: [String]) -> String {
    let table = table(name, heading, rows)
    return rows.count <= 20 ? table : "<details><summary>Show all \(count(rows.count))</summary>\(table)</details>"
  }

  private static func table(_ name: String, _ heading: [String], _ rows: [[String]]) -> String {
    let head = heading.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let body = rows.map { cells in
      "<tr><th scope=\"row\">\(SVG.escaped(cells[0]))</th>"
        + cells.dropFirst().map { "<td>\(SVG.escaped($0))</td>" }.joined() + "</tr>"
    }
    return region(name, "<table><thead><tr>\(head)</tr></thead><tbody>\(body.joined(separator: "\n"))</tbody></table>")
  }

  /// Content that scrolls sideways, also with the keyboard.
  static func region(_ name: String, _ content: String) -> String {
    "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"\(name)\">\(content)</div>"
  }

  /// Without a colon, which would end a scheme.
  private static let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))

  private func participants(_ links: String?) -> String {
    let days = collation.results.map { collation.days(of: $0.entry) }
    // The bars are scaled such that a few very high days do not flatten all others.
    let sorted = days.joined().filter(\.isValid).map(\.steps).sorted()
    let usual = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    let top = max(1000, (usual / 1000).rounded(.up) * 1000)
    let measuresGait = collation.results.contains { $0.record.number("strideTime") != nil }
    let rows = zip(collation.results, days).map { result, days in
      let record = result.record
      let duration: String? = record.number("duration").map { Decimals.duration(.seconds($0)) }
      let wear: String? = record.number("wearHoursPerValidDay").flatMap { Decimals.fixed($0, 1) }
      let minutes = record.number("walkingMinutes").map { Decimals.duration(.seconds(($0 * 60).rounded())) }
      let figures: [String?] =
        hasDays
        ? [
          record.number("steps").map(Self.grouped), duration, record.number("stepsPerValidDay").map(Self.grouped),
          record.values["validDays"]?.cell ?? "", wear, record.number("peak30Cadence").map(Self.grouped),
        ] : [record.number("steps").map(Self.grouped), duration, minutes, Self.cadence(record).map(Self.grouped)]
      let gait: [String?] =
        measuresGait
        ? [
          record.number("strideTime").flatMap { Decimals.fixed($0, 2) },
          record.number("strideTimeVariation").flatMap { Decimals.fixed($0, 1) },
        ] : []
      let cells = (figures + gait).map { "<td class=\"n\">\($0 ?? "–")</td>" }.joined()
      var name = SVG.escaped(result.entry.id)
      if let links {
        let path = "\(links)\(result.entry.outputName)/week.svg"
        name = "<a href=\"\(path.addingPercentEncoding(withAllowedCharacters: Self.plain) ?? path)\">\(name)</a>"
      }
      let strip = hasDays ? "<td>\(DayStrip(days, top: top).svg)</td>" : ""
      return "<tr><th scope=\"row\">\(name)</th>\(strip)\(cells)</tr>"
    }
    let names =
      (hasDays
        ? ["steps", "duration", "steps per valid day", "valid days", "wear, h per day", "peak 30-min cadence"]
        : ["steps", "duration", "walking", "cadence, steps/min"])
      + (measuresGait ? ["stride, s", "stride variation, %"] : [])
    let heads =
      (hasDays ? "<th scope=\"col\">days</th>" : "")
      + names.map { "<th scope=\"col\" class=\"n\">\($0)</th>" }.joined()
    if rows.isEmpty { return "<h2>Participants</h2><p>No recording has a result yet.</p>" }
    let note =
      hasDays
      ? "The strip has a bar for each day; full height is \(Self.grouped(top)) steps or more. Hatched days are not valid."
      : "No day has enough wear for figures of a day, so these are the walks."
    return
      "<h2>Participants</h2><p class=\"note\">\(note)</p>"
      + Self.region(
        "Participants",
        "<table><thead><tr><th scope=\"col\">recording</th>\(heads)</tr></thead><tbody>"
          + rows.joined(separator: "\n") + "</tbody></table>")
  }
}

extension StudyRecord {
  /// A number of the record; `nil` if there is none with this key.
  func number(_ key: String) -> Double? {
    if case .number(let value) = values[key] { return value }
    return nil
  }
}

extension StudyReport {
  /// Writes the page.
  package func write(to path: String) throws(FileFailure) {
    try ResultFile.write(html(links: collation.relativePath(from: path)), to: path)
  }
}
