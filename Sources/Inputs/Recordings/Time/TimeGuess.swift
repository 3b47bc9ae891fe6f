/// Detects what numeric timestamps count, from their first values.
struct TimeGuess: Equatable {
  var format: TimestampFormat
  /// Whether the timestamps are whole seconds with many samples in each.
  var isWholeSeconds = false
  /// The usual time between two rows, in nanoseconds; 0 if that is unknown.
  var period: Int64 = 0
  /// Whether two rows or more usually share a time: packets of a radio, or times that were rounded.
  var isShared = false
  /// Rows that are at most this far apart, in nanoseconds, arrived together, so that only the first of them has a time; 0 if no
  /// rows do.
  var together: Int64 = 0
  /// Whether most rows follow one another much faster than on average, but too few packets were seen.
  var isUneven = false
  /// Whether the numbers are Unix time.
  var isAbsolute = false
  /// Whether the numbers increase by exactly 1 from 0 or 1 and are not named: seconds, row numbers or milliseconds.
  var isCounter = false
  /// Whether they usually increase by 1, so that they are row numbers if a sampling frequency is given.
  var mayCount = false
  /// The ambiguity, in a sentence.
  var doubt: String?

  /// 2001-09-09 … 2099-12-31. Earlier times cannot be distinguished from uptimes.
  private static let unixSeconds = 1e9..<4.1e9

  /// 2008 … 2039: numbers of this size are seconds even if samples are up to ten minutes apart. As milliseconds they
  /// would be an uptime of two weeks or more; microseconds increase in larger steps.
  private static let recentSeconds = 1.2e9..<2.2e9
  private static let longestInterval = 600.0
  /// Seconds between the rows of tables with one value per epoch.
  private static let epochs: Set<Double> = [15, 30, 60]
  static let rowsForCounter = 8

  /// Whether a number is a present-day Unix time in one of the units.
  static func isUnixTime(_ number: Double) -> Bool { scales.contains { unixSeconds.contains(number / $0.1) } }

  /// Samples per second that a sensor can deliver and that suffice to count steps.
  static let plausibleRates = 4.95...100_500

  /// A higher frequency is that of no sensor that is worn, so another unit of the times is tried.
  private static let usualRates = 8000.0

  /// Whether the sampling frequency is outside of that.
  var isImplausible: Bool { period > 0 && !isWholeSeconds && !Self.plausibleRates.contains(1e9 / Double(period)) }

  /// Examines numbers whose unit is stated; if that gives an implausible sampling frequency, they are examined as if it were not.
  init(numbers: [DecimalNumber], stated: TimestampFormat) {
    self.init(nanoseconds: numbers.compactMap { stated.nanoseconds($0) }, format: stated)
    guard period > 0, 1e9 / Double(period) > Self.usualRates else { return }
    let other = TimeGuess(numbers: numbers)
    guard other.doubt == nil, !other.isImplausible else { return }
    let rate = rate
    self = other
    doubt =
      "the timestamps are named \(stated.name), which gives \(rate) samples a second; they were read as"
      + " \(other.format.name)"
  }

  init(nanoseconds: [Int64], format: TimestampFormat) {
    self.format = format
    let steps = nanoseconds.steps
    let differences = steps.filter { $0 > 0 }
    let repeats = steps.count { $0 == 0 }
    period = differences.median
    isShared = repeats >= 3 && repeats >= differences.count
    isWholeSeconds = isShared && nanoseconds.allSatisfy { $0 % 1_000_000_000 == 0 }
    if isWholeSeconds {
      period = 1_000_000_000 / Int64(max(2, repeats / max(1, differences.count) + 1))
    } else if isShared {
      step = period
      period = Int64(Double(period) * Double(differences.count) / Double(differences.count + repeats))
    }
    if let bursts = Bursts(steps.map(Double.init)), Self.pauses.contains(bursts.pause), bursts.step <= Self.stepOfPacket
    {
      (isShared, isWholeSeconds, together, period) = (true, false, Int64(bursts.period), Int64(bursts.period))
    } else {
      isUneven = !isShared && steps.map(Double.init).mean > 4 * Double(period)
    }
    let first = nanoseconds.first ?? 0
    isAbsolute = format == .iso8601 || (format.isNumber && Self.unixSeconds.contains(Double(first) / 1e9))
  }

  /// From a packet of a radio to the next, and at most between two of its rows, in nanoseconds. Shorter pauses do no harm, and a
  /// sensor that sleeps between its samples has their own times.
  private static let (pauses, stepOfPacket) = (150e6...2e9, 4e6)

  /// The median of the positive differences of shared times.
  private var step: Int64?

  /// Takes the rows that share a time for copies of one.
  mutating func takeCopies() { (period, isShared) = (step ?? period, false) }

  /// Examines numbers whose unit is not stated: the unit that gives a plausible sampling frequency, 2 to 1000 Hz, is used.
  init(numbers: [DecimalNumber]) {
    let values = numbers.map(\.value)
    let differences = values.steps.filter { $0 > 0 }
    let bursts = Bursts(values.steps)
    let step = bursts?.period ?? differences.median
    let repeats = bursts == nil ? values.count - 1 - differences.count : 0
    // Days of a spreadsheet, for instance. As seconds since a start, they would give millions of samples per second.
    if let calendar = TimestampFormat.calendars.first(where: { format, numbers, unit in
      numbers.contains(values.first ?? 0) && step > 0 && (step * unit < Self.longestCalendarStep)
        && (unit > 1 || step * unit > Self.shortestCalendarStep)
    }) {
      self.init(nanoseconds: numbers.compactMap { calendar.format.nanoseconds($0) }, format: calendar.format)
      isAbsolute = true
      return
    }
    let (format, isPlausible) = Self.format(
      step: step, first: values.first ?? 0,
      share: repeats > differences.count ? Double(differences.count) / Double(values.count - 1) : 1)
    self.init(nanoseconds: numbers.compactMap { format.nanoseconds($0) }, format: format)
    if !isPlausible, !differences.isEmpty {
      doubt =
        "the timestamps were guessed to be \(format.name), which gives \(rate) samples a second; state the"
        + " unit in the name of the column, such as time_ms"
    }
    if format == .milliseconds, !isAbsolute, doubt == nil, Self.epochs.contains(step),
      differences.allSatisfy({ $0 == step })
    {
      doubt =
        "the times rise by exactly \(Int(step)): they were read as milliseconds, \(rate) samples a second; where"
        + " they are seconds,"
        + " these are epochs, in which no steps can be counted"
    }
    guard format == .milliseconds, step == 1, repeats == 0, !isAbsolute else { return }
    mayCount = true
    let isExact = differences.allSatisfy { $0 == 1 }
    isCounter = isExact && (values[0] == 0 || values[0] == 1) && values.count >= Self.rowsForCounter
    if !isCounter {
      doubt =
        "the times rise by 1 and were read as milliseconds, 1000 samples a second; if that is right, name the column"
        + " time_ms; if they are seconds or row numbers, ignore them with \(option: .axes) \(option: .rate)"
    }
  }

  /// In seconds.
  private static let longestCalendarStep = 0.2
  private static let shortestCalendarStep = 0.0009

  private static let scales: [(TimestampFormat, Double)] = [
    (.seconds, 1), (.milliseconds, 1e3), (.microseconds, 1e6), (.nanoseconds, 1e9),
  ]

  /// - Parameter share: the part of the rows with a time of their own, if it is less than half.
  private static func format(step: Double, first: Double, share: Double) -> (TimestampFormat, Bool) {
    let isMostlyRepeated = share < 1
    for (format, perSecond) in scales where unixSeconds.contains(first / perSecond) {
      let interval = step / perSecond
      if (0.0009...0.51).contains(interval) || step == 0 || (isMostlyRepeated && interval <= 10) {
        return (format, true)
      }
    }
    if recentSeconds.contains(first), step <= longestInterval { return (.seconds, true) }
    // Up-times in microseconds are rare; those in nanoseconds, as many as Unix microseconds, are the clocks of phones.
    if recentSeconds.contains(first / 1e3), step <= longestInterval * 1e3 { return (.milliseconds, true) }
    if step == 0 || (isMostlyRepeated && step == 1) { return (.seconds, true) }
    for (format, perSecond) in scales where (0.00099...0.51).contains(step * share / perSecond) {
      return (format, true)
    }
    // No unit fits: use the one closest to 50 samples per second.
    let nearest = scales.min { distance(step / $0.1) < distance(step / $1.1) }
    return (nearest?.0 ?? .seconds, false)
  }

  /// The factor by which an interval is too long or too short.
  private static func distance(_ interval: Double) -> Double { max(interval / 0.02, 0.02 / interval) }

  var rate: String { period > 0 ? Self.text(rate: 1e9 / Double(period)) : "no" }

  static func text(rate: Double) -> String {
    rate >= 10 ? "\(Int64(min(rate, 1e12).rounded()))" : "\((rate * 1000).rounded() / 1000)"
  }
}

/// Rows with the times of their arrival, which came in packets: a few that follow one another at once, and a pause.
private struct Bursts {
  /// The usual time from one row of a packet to the next, and from its last row to the next packet.
  var step: Double, pause: Double
  /// The mean time between two samples. Rows that are closer are of one packet.
  var period: Double

  /// Most rows of a packet, so that a sensor that measures for some seconds and then sleeps is none.
  private static let mostRows = 64

  /// - Parameter steps: from each row to the next.
  init?(_ steps: [Double]) {
    let mean = steps.mean
    let pauses = steps.indices.filter { steps[$0] > mean }
    guard let first = pauses.first, let last = pauses.last, pauses.count >= 3,
      last - first >= 3 * (pauses.count - 1), pauses.count * Self.mostRows >= steps.count
    else { return nil }
    step = steps.filter { $0 <= mean }.median
    pause = pauses.map { steps[$0] }.median
    period = Array(steps[first..<last]).mean
    // Rows that share a time exactly have no other.
    if step <= 0 || step * 4 > period { return nil }
  }
}
