import Accelerometry
import JSONLines
import LiveSources
import Platform
import Recordings
import Terminals

struct RecordingReport {
  private let name: String
  private let summary: RecordingSummary
  private let serial: String?

  /// Reads a recording to its end.
  /// - Throws: the error if it cannot be read at all; damage after the first sample is part of the report.
  init(_ name: String, _ reader: RecordingReader, anonymise: Bool, progress: ProgressLine) throws(RecordingError) {
    var wear = WearTime()
    var samples: [AccelerationSample] = []
    var failure: String?
    do throws(RecordingError) {
      while try reader.read(into: &samples) {
        wear.add(samples.span)
        progress.show(reader)
      }
    } catch {
      if reader.summary.samples == 0 { throw error }
      failure = error.description
    }
    self.name = name == "-" ? "standard input" : name
    summary = reader.summary
    worn = wear.worn
    damage = failure
    refusal = summary.refusal(path: name)
    serial = summary.device?.serial.map { anonymise ? $0.utf8.fnv1a.padded(16, radix: 16) : $0 }
  }

  private let damage: String?
  /// The wear time; `nil` if the recording is too short to tell.
  private let worn: Duration?
  /// Why it must not be counted, if so.
  let refusal: RecordingError?

  private var span: Duration { summary.span }

  /// Whether something was lost; other warnings are about what was assumed.
  private var isDamaged: Bool { damage != nil || summary.damagedParts > 0 || summary.rowsSkipped > 0 }

  private var warnings: [String] { (summary.warnings + (damage.map { [$0] } ?? [])).map(CommandTerms.translate) }

  private func clock(_ timestamp: Int64?) -> String? { timestamp.flatMap { summary.clockText(of: $0) } }

  private var formatName: String {
    let name =
      switch summary.format {
      case .auto: "unknown"
      case .csv: "CSV"
      case .jsonl: "JSON Lines"
      case .cwa: "Axivity CWA"
      case .gt3x: "ActiGraph GT3X"
      case .geneactiv: "GENEActiv .bin"
      case .matrix: "Matrix .BIN"
      case .iio: "raw scans of an IIO buffer"
      }
    return summary.isCompressed ? name + ", compressed" : name
  }

  /// Five lines.
  var text: String {
    let device = summary.device
    var who = [device?.maker, device?.model].compactMap { $0 }.joined(separator: " ")
    if who.isEmpty { who = "unknown device" }
    if let serial { who += ", serial \(serial)" }
    if let firmware = device?.firmware { who += ", firmware \(firmware)" }
    let range = device?.range.flatMap { Decimals.text($0, 1) }.map { ", range ±\($0) g" } ?? ""
    let stated = summary.statedRate.flatMap { Decimals.text($0, 2) }.map { "\($0) Hz stated, " } ?? ""
    let measured = summary.samplingFrequency.flatMap { Decimals.text($0, 2) }.map { "\($0) Hz measured" } ?? "unknown"
    let start = clock(summary.firstTimestamp).map { "\($0), " } ?? ""
    let gaps =
      summary.gaps == 0
      ? "no gaps"
      : "\(summary.gaps) gap\(summary.gaps == 1 ? "" : "s") of \(Decimals.duration(summary.gapDuration)) in all"
    let wear = worn.map { ", worn for \(Decimals.duration($0))" } ?? ""
    return """
      \(ScreenText.printable(name)): \(who)
        format  \(formatName)\(range)
        rate    \(stated)\(measured)
        span    \(start)\(Decimals.duration(span)), \(summary.samples) samples, \(gaps)\(wear)
        \(isDamaged || warnings.isEmpty ? "damage" : "notes ")  \(warnings.isEmpty ? "none" : warnings.joined(separator: "\n          "))

      """
  }

  static let columns = [
    "source", "format", "maker", "model", "serial", "range", "statedSamplingFrequency", "samplingFrequency", "start",
    "duration", "samples", "gaps", "gapDuration", "wearTime", "damagedParts", "warnings",
  ]

  /// As a JSON object, whose members are also the cells of a table.
  var members: JSONLine {
    JSONLine([
      "source": name, "format": summary.format.rawValue, "maker": summary.device?.maker, "model": summary.device?.model,
      "serial": serial, "firmware": summary.device?.firmware, "range": summary.device?.range.decimals(3),
      "statedSamplingFrequency": summary.statedRate.decimals(3),
      "samplingFrequency": summary.samplingFrequency.decimals(3), "start": clock(summary.firstTimestamp),
      "end": clock(summary.lastTimestamp), "duration": span, "samples": summary.samples, "gaps": summary.gaps,
      "gapDuration": summary.gapDuration, "wearTime": worn?.decimals(0),
      "damagedParts": summary.damagedParts, "warnings": warnings,
    ])
  }
}
