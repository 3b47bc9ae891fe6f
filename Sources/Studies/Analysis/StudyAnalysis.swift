import Accelerometry
import Counting
import Pedometry
import Recordings
import StepDetection

/// Analyses one recording: steps, minutes, bouts, days and wear, in one pass, or two where it is calibrated.
///
/// Memory does not grow with the samples: 40 bytes a minute, 8 a step.
struct StudyAnalysis {
  let entry: StudyEntry
  let parameters: StudyParameters
  let reading: RecordingOptions
  let stepLength: StepLengthModel

  /// Why a recording has no result.
  struct Failure: Error {
    var message: String
    var error: RecordingError?
  }

  /// - Parameter progress: gets the part of the file that was read, now and then.
  func run(progress: (Double?) -> Void = { _ in }) throws(Failure) -> StudyResult {
    let calibration = parameters.calibrates ? try calibrate() : nil
    let reader = try open()
    var options = CountingOptions(stepLength: stepLength, patience: StepDetector.longestRevision, slice: nil)
    options.explains = true
    var counting = SampleCounting(options)
    var samples: [AccelerationSample] = []
    var (clock, motion) = (StudyClock?.none, MotionTable(shift: 0, includesMAD: false))
    var (steps, bouts): ([Int64], [StudyBout]) = ([], [])
    var (isDated, damage) = (false, String?.none)
    while damage == nil {
      do throws(RecordingError) {
        guard try reader.read(into: &samples) else { break }
      } catch {
        // A disk that fails may deliver the rest at the next attempt.
        if counting.counter.samples == 0 || error.kind == .io {
          throw Failure(message: error.description, error: error)
        }
        damage = error.description
      }
      guard let first = samples.first else { continue }
      if clock == nil {
        let dated = StudyClock(
          reader.summary, firstTimestamp: first.nanoseconds, zones: entry.zones, recorderZone: entry.recorderZone)
        isDated = dated != nil
        let found = dated ?? StudyClock(undated: first.nanoseconds)
        clock = found
        motion = MotionTable(shift: found.shift, includesMAD: parameters.includesMAD)
      }
      calibration?.apply(to: &samples)
      steps += counting.count(samples.span).map(\.timestamp.wholeNanoseconds)
      add(counting.takeFindings(), clock, to: &bouts)
      if !motion.take(samples.span) {
        throw Failure(message: "the recording spans more than ten years; check its timestamps")
      }
      progress(reader.fractionRead)
    }
    steps += counting.finish().map(\.timestamp.wholeNanoseconds)
    add(counting.takeFindings(), clock, to: &bouts)
    motion.finish()
    let summary = reader.summary
    if damage == nil, let refusal = summary.refusal(path: entry.id, isWithoutResult: steps.isEmpty) {
      throw Failure(message: refusal.description, error: refusal)
    }
    guard let clock else { throw Failure(message: "no samples") }
    let counter = counting.counter
    var result = StudyResult(clock: clock)
    result.recording = summary
    result.isDated = isDated
    result.calibration = calibration
    result.steps = counter.steps
    result.distance = counter.distanceTravelled
    result.samples = counter.samples
    result.samplingFrequency = counter.samplingFrequency
    result.duration = counter.walk.elapsed / .seconds(1)
    result.warnings =
      summary.warnings + (damage.map { [$0] } ?? []) + counter.damage.sentences(since: counter.start)
    if parameters.calibrates, calibration == nil {
      result.warnings.append("not calibrated: the sensor rested in too few orientations, or nothing was gained")
    }
    let shifted = steps.map { $0 &+ clock.shift }
    result.bouts = parameters.boutRule == .steps ? bouts : Self.stepcountBouts(shifted)
    result.minutes = Self.minutes(motion, shifted)
    result.days = DayTable(result.minutes, bouts: result.bouts, clock: clock, parameters).days
    return result
  }

  private func open() throws(Failure) -> RecordingReader {
    do throws(RecordingError) { return try RecordingReader(path: entry.path, options: reading) } catch {
      throw Failure(message: error.description, error: error)
    }
  }

  private func calibrate() throws(Failure) -> Calibration? {
    let reader = try open()
    var samples: [AccelerationSample] = []
    var quiet = QuietStretches()
    // What is wrong with the recording is said when it is counted.
    while (try? reader.read(into: &samples)) == true { quiet.take(samples.span) }
    quiet.finish()
    return Calibration(fitting: quiet.points)
  }

  private func add(_ findings: [WalkFinding], _ clock: StudyClock?, to bouts: inout [StudyBout]) {
    let shift = clock?.shift ?? 0
    for case .bout(let bout) in findings {
      bouts.append(
        StudyBout(
          start: bout.start.wholeNanoseconds &+ shift, end: bout.end.wholeNanoseconds &+ shift, steps: bout.steps,
          confidence: bout.confidence))
    }
  }

  private static func stepcountBouts(_ steps: [Int64]) -> [StudyBout] {
    guard let first = steps.first, let last = steps.last else { return [] }
    let begin = first.floored(by: BoutFinder.window)
    var windows = [Int](repeating: 0, count: Int(last.floored(by: BoutFinder.window) - begin) + 1)
    for step in steps { windows[Int(step.floored(by: BoutFinder.window) - begin)] += 1 }
    return BoutFinder.bouts(windows).map { range in
      StudyBout(
        start: (begin + Int64(range.lowerBound)) * BoutFinder.window,
        end: (begin + Int64(range.upperBound)) * BoutFinder.window, steps: windows[range].reduce(0, +))
    }
  }

  private static func minutes(_ motion: MotionTable, _ steps: [Int64]) -> [StudyMinute] {
    let nonWear = NonWear.regrouped(motion.wear.nonWear)
    let quarter: Int64 = 900_000_000_000
    let begin = motion.start
    var minutes = motion.minutes.enumerated().map { index, minute in
      let number = motion.firstMinute + Int64(index)
      let place = Int((max(number * 60_000_000_000, begin) - begin) / quarter)
      let isWorn = minute.samples > 0 && !(nonWear.indices.contains(place) ? nonWear[place] : true)
      return StudyMinute(
        number: number, steps: 0, isWorn: isWorn,
        enmo: minute.samples > 0 ? minute.enmo / Double(minute.samples) * 1000 : nil,
        mad: minute.deviations > 0 ? minute.deviation / Double(minute.deviations) * 1000 : nil)
    }
    for step in steps {
      let place = Int(step.floored(by: 60_000_000_000) - motion.firstMinute)
      if minutes.indices.contains(place) { minutes[place].steps += 1 }
    }
    return minutes
  }
}
