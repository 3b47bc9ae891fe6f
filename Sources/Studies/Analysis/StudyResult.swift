import Recordings

/// One minute of a recording.
package struct StudyMinute: Sendable, Hashable {
  /// Minutes since 1970-01-01T00:00 UTC; where nothing states the zone, as the clock on the wall showed it; of an undated
  /// recording, since its first sample.
  package var number: Int64
  package var steps: Int
  /// Whether the sensor was worn, and gave samples.
  package var isWorn: Bool
  /// In mg; `nil` without samples.
  package var enmo: Double?
  /// In mg; `nil` unless asked for, and without samples.
  package var mad: Double?
}

/// One bout of walking.
package struct StudyBout: Sendable, Hashable {
  /// Nanoseconds on the clock of the minutes.
  package var start: Int64
  package var end: Int64
  package var steps: Int
  /// The chance that it is walking, 0 to 1; `nil` by a rule that does not know.
  package var confidence: Double?

  /// Steps/min.
  package var cadence: Double? {
    end > start && steps > 1 ? Double(steps - 1) / (Double(end - start) * 1e-9) * 60 : nil
  }
}

/// What one recording came to.
package struct StudyResult: Sendable {
  package var steps = 0
  /// Metres.
  package var distance = 0.0
  /// Hz.
  package var samplingFrequency: Double?
  package var samples = 0
  /// Seconds from the first sample to the last.
  package var duration = 0.0
  /// Whether minutes have times of day, and whether these are known to be UTC.
  package var isDated = false
  package var minutes: [StudyMinute] = []
  package var bouts: [StudyBout] = []
  package var days: [StudyDay] = []
  package var calibration: Calibration?
  package var warnings: [String] = []
  var recording = RecordingSummary?.none
  var clock: StudyClock

  /// The days on which the sensor was worn long enough.
  package var validDays: [StudyDay] { days.filter(\.isValid) }

  /// The mean of something over the valid days; `nil` without any.
  package func mean(_ value: (StudyDay) -> Double?) -> Double? {
    let values = validDays.compactMap(value)
    return values.isEmpty ? nil : values.reduce(0, +) / Double(values.count)
  }
}
