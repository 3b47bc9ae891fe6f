import Accelerometry
import Counting
import Pedometry
import Recordings
import StepDetection

/// A recording that is counted to its verdict: its steps, whether they may be given at all, and what to doubt about them.
///
/// `pedometer count`, studies and the C interface count through this type, so that they say the same of every recording. It
/// holds no samples, unless it measures gait.
///
///     var recording = CountedRecording(options, stated: reading.samplingFrequency)
///     while try recording.read(reader, into: &samples) { take(recording.count(samples.span)) }
///     take(recording.finish())
///     let warnings = try recording.verdict(reader.summary, name: path, option: "--rate")
package struct CountedRecording: Sendable {
  /// What samples led to.
  package struct News {
    /// The confirmed steps.
    package var steps: [Step]
    /// The bouts and uncounted stretches that are final, if they were asked for or a sampling frequency was stated.
    package var findings: [WalkFinding]
    /// The gait of the bouts that are over, if it was asked for.
    package var gait: [GaitBout] = []
  }

  /// The totals of all findings.
  package private(set) var findings = FindingTotals()
  /// Why the rest could not be read.
  package private(set) var damage: RecordingError?
  private var counting: SampleCounting
  /// `nil` unless gait is measured.
  private var recorder: GaitRecorder?
  /// The sampling frequency that the user stated; `nil` if the samples had times after all.
  package var stated: SamplingFrequency?

  /// - Parameters:
  ///   - options: how to count.
  ///   - stated: the sampling frequency that the user stated; it is checked against the movement that it implies.
  ///   - measuresGait: whether steps are refined and gait is measured.
  package init(_ options: CountingOptions, stated: SamplingFrequency?, measuresGait: Bool = false) {
    var options = options
    options.explains = options.explains || stated != nil
    counting = SampleCounting(options)
    self.stated = stated
    recorder = measuresGait ? GaitRecorder() : nil
  }

  /// The gait over all bouts; `nil` unless it is measured.
  package var gait: GaitMeasures? { recorder?.total }

  /// The state so far. Lent and not copied, since it is two kilobytes and is asked for after every batch.
  package var counter: WalkCounter { _read { yield counting.counter } }

  /// Reads the next samples, or those before the damage.
  /// - Returns: `false` at the end.
  /// - Throws: an error before the first counted sample; a later one is the ``damage``.
  package mutating func read<Reader: SampleReader>(
    _ reader: inout Reader, into samples: inout [AccelerationSample]
  ) throws -> Bool {
    if damage != nil { return false }
    do { return try reader.read(into: &samples) } catch let error as RecordingError {
      try note(error)
      return true
    }
  }

  /// Reads the next samples of a recording, or those before the damage.
  /// - Returns: `false` at the end.
  /// - Throws: an error before the first counted sample; a later one is the ``damage``.
  package mutating func read(
    _ reader: RecordingReader, into samples: inout [AccelerationSample]
  ) throws(RecordingError) -> Bool {
    if damage != nil { return false }
    do throws(RecordingError) { return try reader.read(into: &samples) } catch {
      try note(error)
      return true
    }
  }

  private mutating func note(_ error: RecordingError) throws(RecordingError) {
    if counter.samples == 0 { throw error }
    damage = error
  }

  /// Counts samples.
  package mutating func count(_ samples: Span<AccelerationSample>) -> News {
    let steps = counting.count(samples)
    if stated != nil { findings.add(samples) }
    return news(steps, recorder?.add(samples, steps))
  }

  /// Decides all open steps.
  package mutating func finish() -> News {
    let steps = counting.finish()
    return news(steps, recorder?.finish(steps))
  }

  private mutating func news(_ steps: [Step], _ gait: [GaitBout]?) -> News {
    let found = counting.takeFindings()
    findings.add(found)
    return News(steps: steps, findings: found, gait: gait ?? [])
  }

  /// What to doubt about the steps, one sentence each; the ``damage`` is not among them.
  /// - Parameters:
  ///   - summary: the summary of the reader at its end; `nil` for a walk that was not recorded.
  ///   - name: what the user calls the recording.
  ///   - option: what the user calls the sampling frequency.
  ///   - translate: adapts the reader's sentences to the user's terms.
  /// - Throws: the error to report in place of a number, if the recording says nothing about steps.
  package func verdict(
    _ summary: RecordingSummary?, name: String, option: String, translate: (String) -> String = { $0 }
  ) throws(RecordingError) -> [String] {
    if damage == nil, let refusal = summary?.refusal(path: name, isWithoutResult: counter.steps == 0) { throw refusal }
    if damage == nil, let refusal = counting.refusal {
      throw .doubtful(path: name, doubt: "\(refusal)", isWithoutSteps: counter.steps == 0)
    }
    return (summary?.warnings ?? []).map(translate) + counting.doubts + (summary?.brevity.map { [$0] } ?? [])
      + counter.doubts(about: stated, findings, option: option) + counter.damage.sentences(since: counter.start)
  }
}
