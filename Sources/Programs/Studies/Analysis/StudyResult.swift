import Counting
import Pedometry
import Recordings

/// One minute of a recording.
package struct StudyMinute: Sendable, Hashable {
  /// Minutes since 1970-01-01T00:00 UTC; in local time if the zone is unknown; since the first sample for an undated
  /// recording.
  package var number: Int64
  package var steps: Int
  /// The cadence during walking in steps/min, from steps at most two seconds apart within the minute; `nil` with fewer
  /// than two such steps.
  package var cadence: Double?
  /// Whether the sensor was worn and delivered samples.
  package var isWorn: Bool
  /// In mg; `nil` without samples.
  package var enmo: Double?
  /// In mg; `nil` without samples or unless requested.
  package var mad: Double?
}

/// One bout of walking.
package struct StudyBout: Sendable, Hashable {
  /// In nanoseconds, on the clock of the minutes.
  package var start: Int64
  package var end: Int64
  package var steps: Int
  /// The probability that this is walking, 0 to 1; `nil` if the rule does not give it.
  package var confidence: Double?
  /// Its gait; `nil` unless it was measured.
  package var gait: GaitMeasures?

  /// In steps/min.
  package var cadence: Double? {
    end > start && steps > 1 ? Double(steps - 1) / (Double(end - start) * 1e-9) * 60 : nil
  }
}

/// The results of one recording.
package struct StudyResult: Sendable {
  package var steps = 0
  /// In metres.
  package var distance = 0.0
  /// In Hz.
  package var samplingFrequency: Double?
  package var samples = 0
  /// Seconds from the first sample to the last.
  package var duration = 0.0
  package var minutes: [StudyMinute] = []
  package var bouts: [StudyBout] = []
  package var days: [StudyDay] = []
  package var calibration: Calibration?
  /// The gait of all bouts; `nil` unless it was measured.
  package var gait: GaitMeasures?
  /// A measured step length in metres, if there is one.
  package var stepLength: Double?
  package var warnings: [String] = []
  var recording = RecordingSummary?.none
  var clock: StudyClock

  /// Whether minutes have times of day.
  package var isDated: Bool { clock.isDated }

  /// The days on which the sensor was worn for long enough.
  package var validDays: [StudyDay] { days.filter(\.isValid) }

  /// The mean of a value over the valid days; `nil` without any.
  package func mean(_ value: (StudyDay) -> Double?) -> Double? {
    let values = validDays.compactMap(value)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}
