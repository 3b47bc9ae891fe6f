import Recordings

/// The libraries' messages in the terms of `pedometer_options`, whose members are also the parameters in Python.
enum OptionTerms {
  private static let names = RecordingOptionNames { $0.term }

  /// Replaces the names of options in a message.
  static func translate(_ message: String) -> String { names.translate(message) }
}

extension RecordingOption {
  fileprivate var term: String {
    switch self {
    case .format: "option input_format"
    case .unit: "option units"
    case .rawUnit: "option units \"raw=COUNTS\""
    case .converter: "option units \"raw=COUNTS@ZERO\""
    case .rate: "option rate"
    case .columns: "option columns"
    case .timeAndAxes: "option columns \"t,x,y,z\""
    case .axes: "option columns \"x,y,z\""
    case .window: "options start and end"
    case .entry: "option entry"
    case .deviceOfRows: "the command 'pedometer count' and its option --device"
    case .scans, .device: "the command 'pedometer count' and its option --format-of"
    }
  }
}
