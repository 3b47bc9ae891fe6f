import CPedometer
import Pedometers
import Pedometry
import Recordings
import StepDetection

/// What the caller knows about the recording and the walker.
struct Settings {
  var reading = RecordingOptions()
  var stepLength = StepLengthModel.walkRatio()
  var measuresGait = false
  var recognition = WalkRecognition.gate

  /// - Parameter options: `nil` if nothing is known.
  init(_ options: UnsafePointer<pedometer_options>?) throws(Failure) {
    guard let options = unsafe options else { return }
    // The first member of another version's structure is its size, too; the first version ended before `gait`.
    let size = unsafe UnsafeRawPointer(options).load(as: Int.self)
    let former = unsafe MemoryLayout<pedometer_options>.offset(of: \.gait) ?? .max
    guard size >= former else { throw .usage("options.size is too small; set it to sizeof(pedometer_options)") }
    var given = unsafe pedometer_options()
    unsafe withUnsafeMutableBytes(of: &given) { place in
      unsafe place.copyMemory(from: UnsafeRawBufferPointer(start: options, count: min(size, place.count)))
    }
    measuresGait = unsafe given.gait != 0
    recognition = try Self.recognition(isWalk: unsafe given.walking != 0, profile: unsafe text(given.profile))
    let rate = unsafe given.rate == 0 ? nil : given.rate
    do throws(RecordingOptions.Invalid) {
      reading = try RecordingOptions(
        format: unsafe text(given.input_format) ?? "auto", units: unsafe text(given.units) ?? "auto", rate: rate,
        columns: unsafe text(given.columns), start: unsafe text(given.start), end: unsafe text(given.end))
    } catch { throw .usage(error.sentence { $0.replacing("-", with: "_") }) }
    reading.entry = unsafe text(given.entry)
    let (height, length) = unsafe (given.height, given.step_length)
    if height != 0 {
      guard StepLengthModel.heights.contains(height) else {
        throw .usage("height is in metres, 0.5 to 2.6, such as 1.72")
      }
      stepLength = .walkRatio(height: height)
    }
    if length != 0 {
      guard StepLengthModel.lengths.contains(length) else {
        throw .usage("step_length is in metres, 0.1 to 3, such as 0.71")
      }
      stepLength = .fixed(length)
    }
  }

  private static func recognition(isWalk: Bool, profile: String?) throws(Failure) -> WalkRecognition {
    guard let profile else { return isWalk ? .known : .gate }
    if isWalk {
      throw .usage("option walking counts all movement like steps, so option profile has no use; leave one out")
    }
    do { return .learned(try ProfileFolder.read(profile).profile) } catch {
      throw Failure(error.kind, error.description)
    }
  }
}

/// The text of a C string; bytes that are not UTF-8 are replaced.
func text(_ pointer: UnsafePointer<CChar>?) -> String? { unsafe pointer.map { unsafe String(cString: $0) } }
