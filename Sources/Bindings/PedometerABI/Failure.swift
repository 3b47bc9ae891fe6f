import CPedometer
import Recordings

/// Why a call fails: its result, and the sentence that `pedometer_error` has.
struct Failure: Error, Hashable {
  let code: Int32
  let text: String

  static func usage(_ text: String) -> Failure { Failure(code: Int32(PEDOMETER_USAGE), text: text) }
  static func badData(_ text: String) -> Failure { Failure(code: Int32(PEDOMETER_BAD_DATA), text: text) }

  init(code: Int32, text: String) { (self.code, self.text) = (code, text) }

  /// A file that cannot be counted: the exit code of the command.
  init(_ error: RecordingError) { self.init(error.kind, OptionTerms.translate(error.description)) }

  init(_ kind: RecordingError.Kind, _ text: String) {
    self.text = text
    code =
      switch kind {
      case .usage: Int32(PEDOMETER_USAGE)
      case .badData: Int32(PEDOMETER_BAD_DATA)
      case .noInput: Int32(PEDOMETER_NO_INPUT)
      case .io: Int32(PEDOMETER_IO)
      case .permission: Int32(PEDOMETER_NO_PERMISSION)
      }
  }

  /// Arrays that cannot be counted. Messages about files name lines and columns, which arrays do not have.
  init(ofArrays error: RecordingError) {
    switch error.code {
    case .unknownUnit:
      self = .badData(
        "\(OptionTerms.translate(error.description)); xyz holds acceleration including gravity, one row a sample")
    case .scattered:
      self = .badData("most samples are more than a second apart; times are in seconds, so divide milliseconds by 1000")
    case .constant:
      self = .badData("all samples are the same: the sensor was stuck, or xyz is not its data")
    default: self.init(error)
    }
  }
}
