import Accelerometry
import Counting
import LiveSources
import Pedometry
import Recordings
import StepDetection

/// Analyses one recording: steps, minutes, bouts, days and wear, in one pass, or in two with calibration.
///
/// Memory does not depend on the number of samples: 40 bytes per minute, 8 per step.
struct StudyAnalysis {
  let entry: StudyEntry
  let parameters: StudyParameters
  let reading: RecordingOptions
  let stepLength: StepLengthModel

  /// Steps further apart belong to different walks, in nanoseconds.
  private static let longestStep: Int64 = 2_000_000_000

  /// What is kept of the samples of one recording.
  private struct Findings {
    var counting: SampleCounting
    var clock: StudyClock?
    var motion = MotionTable(shift: 0, includesMAD: false)
    var steps: [Int64] = []
    var bouts: [StudyBout] = []
    var gait: [(middle: Int64, measures: GaitMeasures)] = []

    var shift: Int64 { clock?.shift ?? 0 }

    mutating func take(_ news: SampleCounting.News) {
      steps += news.steps.map { $0.timestamp.wholeNanoseconds &+ shift }
      gait += news.gait.map { (($0.start + $0.end).wholeNanoseconds / 2 &+ shift, $0.measures) }
      for case .bout(let bout) in news.findings {
        bouts.append(
          StudyBout(
            start: bout.start.wholeNanoseconds &+ shift, end: bout.end.wholeNanoseconds &+ shift, steps: bout.steps,
            confidence: bout.confidence))
      }
    }
  }

  /// - Parameter progress: called from time to time with the fraction of the file that was read.
  func run(progress: (Double?) -> Void = { _ in }) throws(SourceFailure) -> StudyResult {
    let calibration = parameters.calibrates ? try calibrate() : nil
    let reader = try open()
    var found = try read(reader, calibration, progress)
    found.counting.take(reader.summary.verdict(of: entry.id))
    let walk = found.counting.summary
    if let refusal = walk.refusal { throw SourceFailure(message: "\(refusal)", status: .badData) }
    guard let clock = found.clock else { throw SourceFailure(message: "no samples", status: .badData) }
    var result = StudyResult(clock: clock)
    result.recording = reader.summary
    result.calibration = calibration
    result.steps = walk.totals.steps
    result.distance = walk.totals.distanceTravelled
    result.samples = walk.samples
    result.samplingFrequency = walk.samplingFrequency
    result.duration = walk.totals.elapsed / .seconds(1)
    result.warnings = (walk.warnings + (found.counting.damage.map { ["\($0)"] } ?? [])).map(entry.named)
    if parameters.calibrates, calibration == nil {
      result.warnings.append("not calibrated: the sensor rested in too few orientations, or the error did not decrease")
    }
    result.bouts = found.bouts
    if let gait = walk.totals.gait {
      (result.gait, result.stepLength) = (gait, stepLength.measured)
      Self.add(found.gait, to: &result.bouts)
    }
    result.minutes = Self.minutes(found.motion, found.steps)
    result.days =
      DayTable(result.minutes, bouts: result.bouts, steps: found.steps, clock: clock, parameters).days
    return result
  }

  /// Reads to the end, or up to the damage.
  private func read(
    _ reader: RecordingReader, _ calibration: Calibration?, _ progress: (Double?) -> Void
  ) throws(SourceFailure) -> Findings {
    var options = CountingOptions(stepLength: stepLength, latency: StepDetector.longestRevision, slice: nil)
    options.explains = true
    options.recognition = entry.recognition
    options.measuresGait = parameters.measuresGait
    (options.stated, options.statedBy) = (reading.samplingFrequency, "its rate")
    var found = Findings(counting: SampleCounting(options))
    var samples: [AccelerationSample] = []
    while true {
      do throws(RecordingError) {
        guard try found.counting.read({ () throws(RecordingError) in try reader.read(into: &samples) }) else { break }
      } catch { throw SourceFailure(ofRecording: error) }
      // A failing disk may deliver the rest at the next attempt.
      if let damage = found.counting.damage as? RecordingError, damage.kind == .io {
        throw SourceFailure(ofRecording: damage)
      }
      guard let first = samples.first else { continue }
      if found.clock == nil {
        found.clock =
          StudyClock(
            reader.summary, firstTimestamp: first.nanoseconds, zones: entry.zones, recorderZone: entry.recorderZone)
          ?? StudyClock(undated: first.nanoseconds)
        found.motion = MotionTable(shift: found.shift, includesMAD: parameters.includesMAD)
      }
      calibration?.apply(to: &samples)
      found.take(found.counting.count(samples.span))
      if !found.motion.take(samples.span) {
        throw SourceFailure(
          message: "the recording spans more than ten years; check its timestamps", status: .badData)
      }
      progress(reader.fractionRead)
    }
    found.take(found.counting.finish())
    found.motion.finish()
    return found
  }

  private func open() throws(SourceFailure) -> RecordingReader {
    var options = reading
    options.zone = (entry.recorderZone ?? entry.zones).map { plan in
      RecordingZone(name: plan.text) { plan.offset(at: Double($0 / 1_000_000_000)) }
    }
    do throws(RecordingError) { return try RecordingReader(path: entry.path, options: options) } catch {
      throw SourceFailure(ofRecording: error)
    }
  }

  private func calibrate() throws(SourceFailure) -> Calibration? {
    let reader = try open()
    var samples: [AccelerationSample] = []
    var quiet = QuietStretches()
    do throws(RecordingError) { while try reader.read(into: &samples) { quiet.take(samples.span) } } catch {
      // A failing disk may deliver the rest at the next attempt, and counts would be of another calibration.
      if error.kind == .io { throw SourceFailure(ofRecording: error) }
      // Other errors of the recording are reported when it is counted.
    }
    quiet.finish()
    return try? Calibration(fitting: quiet.points)
  }

  /// Gives each bout the gait of the walking within it, both in order of time.
  static func add(_ gait: [(middle: Int64, measures: GaitMeasures)], to bouts: inout [StudyBout]) {
    var rest = gait[...]
    for index in bouts.indices {
      rest = rest.drop { $0.middle < bouts[index].start }
      while let next = rest.first, next.middle <= bouts[index].end {
        bouts[index].gait = next.measures.adding(to: bouts[index].gait)
        rest = rest.dropFirst()
      }
    }
  }

  /// The table of minutes.
  /// - Parameter steps: the times of the steps in nanoseconds on the clock of the minutes, in order.
  static func minutes(_ motion: MotionTable, _ steps: [Int64]) -> [StudyMinute] {
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
    var pace = (place: -1, last: Int64(0), intervals: 0, walked: Int64(0))
    for step in steps {
      let place = Int(step.floored(by: 60_000_000_000) - motion.firstMinute)
      guard minutes.indices.contains(place) else { continue }
      minutes[place].steps += 1
      if place != pace.place { pace = (place, step, 0, 0) }
      let interval = step - pace.last
      pace.last = step
      guard interval > 0, interval <= longestStep else { continue }
      pace.intervals += 1
      pace.walked += interval
      minutes[place].cadence = Double(pace.intervals) / (Double(pace.walked) * 1e-9) * 60
    }
    return minutes
  }
}
