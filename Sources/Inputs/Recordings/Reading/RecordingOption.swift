/// An option that a message recommends, named as a property of ``RecordingOptions``.
///
/// Programs whose options have other names replace the descriptions in messages: the command line turns
/// `RecordingOptions.unit` into `--units`.
public enum RecordingOption: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
  /// ``RecordingOptions/format``.
  case format
  /// ``RecordingOptions/unit``.
  case unit
  /// ``RecordingOptions/unit``, as the counts of one g.
  case rawUnit = "unit = .raw(countsPerG:)"
  /// ``RecordingOptions/unit`` and ``RecordingOptions/zero``.
  case converter = "unit = .raw(countsPerG:) and zero"
  /// ``RecordingOptions/samplingFrequency``.
  case rate = "samplingFrequency"
  /// ``RecordingOptions/columns``.
  case columns
  /// ``RecordingOptions/columns``, for the time and three axes.
  case timeAndAxes = #"columns = ["t", "x", "y", "z"]"#
  /// ``RecordingOptions/columns``, for three axes without a time.
  case axes = #"columns = ["x", "y", "z"]"#
  /// ``RecordingOptions/window``.
  case window
  /// ``RecordingOptions/entry``.
  case entry
  /// ``RecordingOptions/device``.
  case deviceOfRows = "device"
  /// ``RecordingOptions/scans``.
  case scans
  /// ``RecordingOptions/scans``, from a device of this machine.
  case device = "scans = [the device's]"

  /// For example `RecordingOptions.unit`.
  public var description: String { "RecordingOptions.\(rawValue)" }
}

/// Replaces the names of options in messages by those of a program.
package struct RecordingOptionNames: Sendable {
  private let names: [(library: String, own: String)]

  /// - Parameters:
  ///   - others: names of options of other modules, as messages contain them, and their replacements.
  ///   - name: the name of an option in the program.
  package init(and others: [(library: String, own: String)] = [], _ name: (RecordingOption) -> String) {
    // Some names begin with another one.
    names = (RecordingOption.allCases.map { ("\($0)", name($0)) } + others)
      .sorted { $0.library.utf8.count > $1.library.utf8.count }
  }

  /// Translates a message. One without any option costs one search.
  package func translate(_ message: String) -> String {
    guard message.contains("Options.") else { return message }
    return names.reduce(message) { $0.replacing($1.library, with: $1.own) }
  }
}

extension DefaultStringInterpolation {
  mutating func appendInterpolation(option: RecordingOption) { appendInterpolation(option) }
}
