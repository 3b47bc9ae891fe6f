import Drawing
import Foundation
import JSONLines
import LiveSources
import Pedometry

/// A self-contained HTML page of a study: its quality, the distributions of steps and wear per day, and the days of each
/// participant. It loads no other files and runs no script, so it works offline, and fits phones.
package struct StudyReport {
  private let collation: Collation
  private let title: String

  package init(_ collation: Collation, title: String) { (self.collation, self.title) = (collation, title) }

  package var html: String { html(links: nil) }

  package func write(to path: String) throws(FileFailure) {
    try ResultFile.write(html(links: collation.relativePath(from: path)), to: path)
  }

  /// - Parameter links: the folder of the results, from the page's; `nil` for a page without links.
  private func html(links: String?) -> String {
    let charts =
      hasDays
      ? """
      <h2>Steps per day</h2>
      \(histogram("stepsPerValidDay", "mean steps per valid day", least: 100, decimals: 0))
      <h2>Wear per day</h2>
      \(histogram("wearHoursPerValidDay", "mean hours of wear per valid day", least: 1, decimals: 1))
      """ : ""
    return """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
      <title>\(SVG.escaped(title))</title>
      <style>\(Self.style)</style></head><body><main>
      <h1>\(SVG.escaped(title))</h1>
      \(overview)
      \(quality)
      \(charts)
      \(participants(links))
      \(methods)
      \(links.map { "<h2>Downloads</h2>" + Self.files(["participants.csv", "days.csv", "missing.csv"], in: $0) } ?? "")
      </main></body></html>

      """
  }

  private static let style = """
    :root{color-scheme:light dark;\(palette { $0.rawValue })}
    @media(prefers-color-scheme:dark){:root{\(palette { $0.onDark })}}
    body{margin:0;background:var(--back);color:var(--ink);font:16px/1.5 \(SVG.font)}
    main{max-width:64rem;margin:0 auto;padding:1rem;overflow-wrap:break-word}
    a{color:var(--bar)}h1{line-height:1.2}h2{margin:2.5rem 0 .5rem}h3{margin:1.5rem 0 .5rem}
    dl{display:grid;grid-template-columns:repeat(auto-fill,minmax(8.5rem,1fr));gap:.75rem;margin:1.5rem 0}
    dt{color:var(--muted);font-size:.9rem}dd{margin:0;font-size:1.6rem;font-weight:600}
    details dl{margin:.75rem 0;gap:.5rem .75rem}details dd{font-size:1rem}
    table{border-collapse:collapse;width:100%;margin:.75rem 0}caption,figcaption,p.note{text-align:left;color:var(--muted)}
    figure{margin:0}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--edge);vertical-align:top}
    th{font-weight:600}.figures{font-variant-numeric:tabular-nums}.figures td,.figures th+th{text-align:right}
    tbody th{overflow-wrap:anywhere}.words tbody th{min-width:6rem}.words td{overflow-wrap:anywhere}.figures td{white-space:nowrap}
    svg{display:block;max-width:100%}@media(max-width:24rem){.figures thead th{overflow-wrap:anywhere;hyphens:auto}}
    .chart{box-sizing:border-box;width:100%;height:226px;padding:0 1rem 0 2.5rem;overflow:visible}
    .chart text{fill:var(--muted);font-size:13px}.chart text.mark{fill:var(--ink);font-weight:600}
    .bar{fill:var(--bar);stroke:var(--back)}.axis{stroke:var(--idle)}.grid{stroke:var(--edge)}
    .median{stroke:var(--mark);stroke-width:3}
    .idle{fill:none;stroke:var(--idle);stroke-dasharray:2 1}
    summary{cursor:pointer}summary b{flex:1 1 7rem;overflow-wrap:anywhere}
    .person{border-bottom:1px solid var(--edge);padding:.4rem 0}
    .person>summary{display:flex;flex-wrap:wrap;align-items:center;gap:.2rem 1rem}.person span{flex:0 1 9rem}
    .person>summary svg{flex:0 0 12rem}.person>summary::before{content:"▸"}.person[open]>summary::before{content:"▾"}
    @media(max-width:40rem){.figures{font-size:.75rem}.figures th,.figures td{padding:.25rem .15rem}
    .words tr,.words th,.words td{display:block;padding:.1rem 0;border:0}.words tr{border-bottom:1px solid var(--edge)}
    .words thead{position:absolute;clip-path:inset(50%)}}
    """

  private static func palette(_ value: (SVG.Colour) -> String) -> String {
    let names: KeyValuePairs<String, SVG.Colour> = [
      "ink": .ink, "muted": .muted, "edge": .grid, "back": .white, "bar": .blue, "idle": .muted, "mark": .orange,
    ]
    return names.map { "--\($0):\(value($1))" }.joined(separator: ";")
  }

  /// Whether there is a day with enough wear; otherwise the recordings are shorter walks, and nothing is said of days.
  private var hasDays: Bool { collation.results.contains { $0.record.number("validDays") ?? 0 > 0 } }

  private func histogram(_ key: String, _ axis: String, least: Double, decimals: Int) -> String {
    let values = collation.results.compactMap { $0.record.number(key) }
    return Histogram(values, axis: axis, least: least, decimals: decimals).figure
  }

  private var overview: String {
    let (results, failures, missing) = (collation.results, collation.failures.count, collation.missing.count)
    let sum = { (key: String) in results.reduce(0) { $0 + ($1.record.number(key) ?? 0) } }
    func median(_ key: String, _ decimals: Int, _ unit: String = "") -> String? {
      results.compactMap { $0.record.number(key) }.median.map { Self.text($0, decimals) + unit }
    }
    var items: [(String, String?)] = [
      ("recordings", Decimals.grouped(collation.records.count)), ("with results", Decimals.grouped(results.count)),
      ("failed", failures > 0 ? Decimals.grouped(failures) : nil),
      ("not analysed", missing > 0 ? Decimals.grouped(missing) : nil),
    ]
    if hasDays {
      items += [
        ("valid days", Self.text(sum("validDays"))), ("median steps per day", median("stepsPerValidDay", 0)),
        ("median wear per day", median("wearHoursPerValidDay", 1, " h")), ("median ENMO", median("enmo", 1, " mg")),
      ]
    } else if !results.isEmpty {
      items += [
        ("steps in all", Self.text(sum("steps"))), ("recorded", Decimals.duration(.seconds(sum("duration")))),
        ("median cadence", results.compactMap { Self.cadence($0.record) }.median.map { "\(Self.text($0))/min" }),
      ]
    }
    items += [
      ("median stride time", median("strideTime", 2, " s")),
      ("median stride variation", median("strideTimeVariation", 1, " %")),
    ]
    return Self.list(items)
  }

  /// Names with what is known of them.
  private static func list(_ items: [(name: String, value: String?)]) -> String {
    let known = items.compactMap { name, value in value.map { "<div><dt>\(name)</dt><dd>\(SVG.escaped($0))</dd></div>" }
    }
    return "<dl>\(known.joined())</dl>"
  }

  /// Steps a minute of walking.
  private static func cadence(_ record: StudyRecord) -> Double? {
    guard let steps = record.number("steps"), let minutes = record.number("walkingMinutes"), steps > 0, minutes > 0
    else { return nil }
    return steps / minutes
  }

  /// With decimals, or as a whole number with separators: `8,123`.
  static func text(_ value: Double, _ decimals: Int = 0) -> String {
    decimals > 0 ? value.fixed(decimals) : Int(exactly: value.rounded()).map { Decimals.grouped($0) } ?? value.short(0)
  }

  /// What must be known before the figures are believed: recordings without a result, warnings, gaps, wear, calibration.
  private var quality: String {
    let (failures, missing, doubtful) = (collation.failures, collation.missing, collation.doubtful)
    var text = "<h2>Quality</h2>"
    if !failures.isEmpty {
      text += "<h3>Failures</h3>"
      text += Self.table(
        "Failures", ["recording", "reason", "what to do"],
        failures.map { entry, record in
          [entry.id, Self.reason(record.message, of: entry), Self.remedy(record.exitCode)]
        })
    }
    if !missing.isEmpty {
      text += "<h3>Not analysed</h3><p>"
      text += missing.count == 1 ? "One recording has" : "\(Decimals.grouped(missing.count)) recordings have"
      text +=
        " no result yet. They are listed in <code>missing.csv</code>, which is a manifest: analyse it with the same"
      text += " options and output folder, and collate again.</p>"
      text += Self.folded(missing.map { [$0.id, $0.name] }, "Not analysed", ["recording", "file"])
    }
    if !doubtful.isEmpty {
      text += "<h3>Warnings</h3><p>\(Decimals.grouped(doubtful.count)) of \(Decimals.grouped(collation.results.count))"
      text += " results have warnings.</p>"
      text += Self.folded(
        doubtful.map { [$0.entry.id, $0.warnings.joined(separator: "; ")] }, "Warnings", ["recording", "warnings"])
    }
    if collation.results.isEmpty { return failures.isEmpty && missing.isEmpty ? "" : text }
    let rows = collation.results.map { entry, record in
      ["samplingFrequency", "gaps", "damagedParts", "wearHours"].reduce(into: [entry.id]) {
        $0.append(record.number($1)?.short(1) ?? "")
      } + [record.text("validDays").map { "\($0) of \(record.text("days") ?? "")" } ?? "", Self.calibration(record)]
    }
    let heading = ["recording", "rate, Hz", "gaps", "damaged parts", "wear, h", "valid days", "calibration error, mg"]
    return text + "<h3>Recordings</h3>" + Self.folded(rows, "Recordings", heading, kind: "figures")
  }

  /// The error at rest before and after calibration, in mg.
  private static func calibration(_ record: StudyRecord) -> String {
    guard let before = record.number("calibrationErrorBefore"), let after = record.number("calibrationErrorAfter")
    else { return "–" }
    return "\(before.fixed(1)) → \(after.fixed(1))"
  }

  /// The message without its leading path, which is in the first column.
  private static func reason(_ message: String?, of entry: StudyEntry) -> String {
    guard let message else { return "" }
    return message.hasPrefix(entry.name + ": ") ? String(message.dropFirst(entry.name.count + 2)) : message
  }

  /// The remedy for a failure, by its exit code.
  static func remedy(_ exitCode: Int) -> String {
    switch ExitStatus(rawValue: Int32(exitCode)) {
    case .badData: "Export or copy the recording again; if the error remains, exclude it."
    case .noInput: "Correct the path in the manifest, or restore the file."
    case .permission: "Ask the owner of the file for read permission."
    case .cannotCreate: "Make the output folder writable."
    default: "Run the study again."
    }
  }

  /// A table that is collapsed at first if it is long.
  private static func folded(_ rows: [[String]], _ name: String, _ heading: [String], kind: String = "words") -> String
  {
    let table = table(name, heading, rows, kind: kind)
    return rows.count <= 20
      ? table : "<details><summary>Show all \(Decimals.grouped(rows.count))</summary>\(table)</details>"
  }

  private static func table(_ name: String, _ heading: [String], _ rows: [[String]], kind: String = "words") -> String {
    let head = heading.map { "<th scope=\"col\">\($0)</th>" }.joined()
    let body = rows.map { cells in
      "<tr><th scope=\"row\">\(SVG.escaped(cells[0]))</th>"
        + cells.dropFirst().map { "<td>\(SVG.escaped($0))</td>" }.joined() + "</tr>"
    }
    return
      "<table class=\"\(kind)\" aria-label=\"\(name)\"><thead><tr>\(head)</tr></thead>"
      + "<tbody>\(body.joined(separator: "\n"))</tbody></table>"
  }

  /// Without a colon, which would end a scheme.
  private static let plain = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~/"))

  private static func files(_ names: [String], in folder: String) -> String {
    let links = names.map { name in
      "<a href=\"\((folder + name).addingPercentEncoding(withAllowedCharacters: plain) ?? name)\">\(name)</a>"
    }
    return "<p>Files: \(links.joined(separator: ", "))</p>"
  }

  private func participants(_ links: String?) -> String {
    let results = collation.results
    if results.isEmpty { return "<h2>Participants</h2><p>No recording has a result yet.</p>" }
    let days = results.map { collation.days(of: $0.entry) }
    // The bars are scaled such that a few very high days do not flatten all others.
    let sorted = days.joined().filter(\.isValid).map(\.steps).sorted()
    let usual = sorted.isEmpty ? 0 : sorted[min(sorted.count - 1, sorted.count * 95 / 100)]
    let top = max(1000, (usual / 1000).rounded(.up) * 1000)
    let note =
      hasDays
      ? "The strip has a bar for each day; full height is \(Self.text(top)) steps or more. Outlined days are not"
        + " valid. Open a participant for days, cadences, findings and files."
      : "No day has enough wear for figures of a day, so these are the walks."
    let sections = zip(results, days).map { result, days in
      let record = result.record
      let name = "<b>\(SVG.escaped(result.entry.id))</b>"
      let figures: [String?] =
        hasDays
        ? [
          record.text("stepsPerValidDay", unit: " steps a day") ?? "no valid day",
          record.text("wearHoursPerValidDay", 1, unit: " h worn"),
          record.text("enmo", 1, unit: " mg").map { "ENMO \($0)" },
        ]
        : [record.text("steps", unit: " steps"), Self.cadence(record).map { "\(Self.text($0)) steps a minute" }]
      let line = figures.map { "<span>\($0 ?? "")</span>" }.joined() + (hasDays ? DayStrip(days, top: top).svg : "")
      let names = ["week.svg", "days.csv", "bouts.csv", "minutes.csv.gz", "summary.json"]
      let files = links.map { Self.files(names, in: "\($0)\(result.entry.outputName)/") } ?? ""
      return "<details class=\"person\"><summary>\(name)\(line)</summary>\(Self.figures(record, days))"
        + "\(files)</details>"
    }
    return "<h2>Participants</h2><p class=\"note\">\(note)</p>" + sections.joined(separator: "\n")
  }

  /// What is known of a participant, in all and by day.
  private static func figures(_ record: StudyRecord, _ days: [Collation.Day]) -> String {
    func minutes(_ key: String) -> String? {
      record.number(key).map { Decimals.duration(.seconds(($0 * 60).rounded())) }
    }
    let peaks = ["peak1Cadence", "peak30Cadence"].compactMap { record.text($0) }
    let bouts = PeerFigures.lengths.compactMap { length in
      let counts = days.filter(\.isValid).compactMap { $0[PeerFigures.boutName("number", length)] }
      return counts.isEmpty ? nil : (counts.reduce(0, +) / Double(counts.count)).fixed(1)
    }
    let text =
      list([
        ("steps", record.text("steps")),
        ("recorded", record.number("duration").map { Decimals.duration(.seconds($0)) }),
        ("walking", minutes("walkingMinutes")), ("walking a valid day", minutes("walkingMinutesPerValidDay")),
        ("peak 1 · 30 min, steps/min", peaks.isEmpty ? nil : peaks.joined(separator: " · ")),
        ("half of a day’s steps by", record.values["Steps50thAt"]?.cell),
        ("bouts ≥ 1 · 5 · 10 min a day", bouts.isEmpty ? nil : bouts.joined(separator: " · ")),
        ("stride", record.text("strideTime", 2, unit: " s")),
        ("stride variation", record.text("strideTimeVariation", 1, unit: " %")),
        ("calibration error, mg", calibration(record)),
      ])
      + "<p>Findings: \(record.warnings.isEmpty ? "none" : SVG.escaped(record.warnings.joined(separator: "; "))).</p>"
    if days.isEmpty { return text }
    let rows = days.map { day in
      [day.name + (day.isValid ? "" : ", not valid"), self.text(day.steps)]
        + ["wear_hours", "enmo_mg", "peak1_cadence", "peak30_cadence"].map { day[$0]?.fixed(1) ?? "" }
    }
    let bands = days.map { day in [day.name] + CadenceBands.bands.map { day.cells["minutes_\($0.name)"] ?? "" } }
    let limits = CadenceBands.bands.map { $0.from < 2 ? "\($0.from)" : "≥ \($0.from)" }
    return text
      + table("Days", ["day", "steps", "wear, h", "ENMO, mg", "peak 1 min", "peak 30 min"], rows, kind: "figures")
      + "<p class=\"note\">Minutes of wear by steps a minute:</p>"
      + table("Minutes by cadence", ["day"] + limits, bands, kind: "figures")
  }

  private var methods: String {
    guard let text = MethodsText.paragraph(collation), let record = collation.results.first?.record else { return "" }
    let works = MethodsText.references(in: text).map { "<li>\(SVG.escaped($0))</li>" }.joined()
    let date =
      collation.results.compactMap(\.record.source.ended).max().map { " Analysed until \($0.prefix(10))." } ?? ""
    return "<h2>Methods</h2><p>\(SVG.escaped(text))\(date)</p><h2>References</h2><ul>\(works)</ul>"
      + "<p>To cite the program: Pedometer for Linux, version \(SVG.escaped(record.source.version)); its CITATION.cff.</p>"
  }
}

extension StudyRecord {
  /// A number of the record; `nil` if there is none with this key.
  func number(_ key: String) -> Double? {
    if case .number(let value) = values[key] { return value }
    return nil
  }

  func text(_ key: String, _ decimals: Int = 0, unit: String = "") -> String? {
    number(key).map { StudyReport.text($0, decimals) + unit }
  }

  /// What is said against its result: damage, gaps, doubtful units.
  var warnings: [String] {
    if case .list(let warnings) = values["warnings"] { return warnings }
    return []
  }
}
