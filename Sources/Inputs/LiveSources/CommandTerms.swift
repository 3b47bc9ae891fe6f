import Recordings

/// The libraries' messages in the terms of the command line.
///
/// The libraries name options as properties of `RecordingOptions` and `SensorOptions`. Commands and the service show their
/// users the options to type instead.
package enum CommandTerms {
  private static let names = RecordingOptionNames(and: [("SensorOptions.countsPerG", "--units raw=COUNTS")]) {
    $0.commandOption
  }

  /// Replaces the names of options in a message.
  package static func translate(_ message: String) -> String { names.translate(message) }
}

extension RecordingOption {
  /// The option as one types it.
  package var commandOption: String {
    switch self {
    case .format: "--input-format"
    case .unit: "--units"
    case .rawUnit: "--units raw=COUNTS"
    case .converter: "--units raw=COUNTS@ZERO"
    case .rate: "--rate HZ"
    case .columns: "--columns"
    case .timeAndAxes: "--columns t,x,y,z"
    case .axes: "--columns x,y,z"
    case .window: "--start and --end"
    case .entry: "--entry NAME"
    case .deviceOfRows: "--device NAME"
    case .scans: "--format-of"
    case .device: "--format-of iio:deviceN"
    }
  }
}
