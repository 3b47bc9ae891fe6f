import Accelerometry
import JSONLines

extension RecordingWriter {
  /// The text before the first sample.
  static func header(_ options: Options) -> String {
    switch options.format {
    case .csv:
      options.metadata.map { "# \(oneLine($0.key)): \(oneLine($0.value))\n" }.joined() + columns(options) + "\n"
    case .jsonLines:
      options.metadata.isEmpty
        ? ""
        : "{\"metadata\":{"
          + options.metadata.map { "\(JSONLine.quoted($0.key)):\(JSONLine.quoted($0.value))" }.joined(separator: ",")
          + "}}\n"
    }
  }

  private static func columns(_ options: Options) -> String {
    if options.timeUnit == .seconds, options.accelerationUnit == .g, !options.namesUnits { return "t,x,y,z" }
    let unit =
      switch options.accelerationUnit {
      case .g: "g"
      case .milliG: "mg"
      case .metresPerSecondSquared: "m/s^2"
      case .raw: "raw"
      }
    return "t [\(options.timeUnit.rawValue)]" + ["x", "y", "z"].map { ",\($0) [\(unit)]" }.joined()
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
