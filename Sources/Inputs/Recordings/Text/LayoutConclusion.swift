import Accelerometry

/// Combines what the first rows, the lines above them and, if there is one, the file show: a list of checks, each of which may
/// change the finding, note a doubt, or refuse the recording.
struct LayoutConclusion {
  let path: String
  let options: RecordingOptions
  let headers: HeaderCandidates
  let columns: RowColumns
  let source: ByteSource
  /// The beginning of the first row: bytes of text, and lines.
  let place: (byte: Int, line: Int)
  private(set) var probe: RowProbe
  private(set) var summary: RecordingSummary
  private var time: TimeGuess
  private var finding: LayoutProbe.Finding
  private var unsignedRange: Float?
  private var leavesOutTimes = false
  private var areRowNumbers = false

  init(
    path: String, options: RecordingOptions, headers: HeaderCandidates, columns: RowColumns, source: ByteSource,
    place: (byte: Int, line: Int), probe: RowProbe, summary: RecordingSummary
  ) {
    (self.path, self.options, self.headers, self.columns) = (path, options, headers, columns)
    (self.source, self.place, self.probe, self.summary) = (source, place, probe, summary)
    time = probe.timeGuess
    finding = Self.finding(probe, time, columns, headers, options)
  }

  /// - Throws: why the recording cannot be read.
  mutating func conclude() throws(RecordingError) -> LayoutProbe.Finding {
    try checkRowNumbers()
    checkStatedRate()
    // All of a file is looked at below.
    if !source.canBeReadAgain { checkValues() }
    renew()
    checkOrder()
    checkRate()
    try checkSharedTimes()
    describe()
    try checkTimes()
    let seen = probe.evidence(time, rate: statedRate?.hertz)
    let whole = surveyWhole()
    if options.unit == nil, let change = whole?.change { throw .changedUnit(path: path, change) }
    try decideUnit(seen, whole)
    finding.decoder.change(unitInG: summary.unit?.inG ?? 1)
    finding.zero = Float(summary.zero * (summary.unit?.inG ?? 1))
    return finding
  }

  private var statedRate: SamplingFrequency? { headers.rate(options) }

  /// The finding that follows from the rows, which have changed.
  private mutating func renew() {
    let failedRead = finding.failedRead
    time = probe.timeGuess
    finding = Self.finding(probe, time, columns, headers, options)
    finding.failedRead = failedRead
  }

  private static func finding(
    _ probe: RowProbe, _ time: TimeGuess, _ columns: RowColumns, _ headers: HeaderCandidates,
    _ options: RecordingOptions
  ) -> LayoutProbe.Finding {
    let rate = headers.rate(options)?.periodInNanoseconds ?? 0
    let period = probe.layout.time == nil ? rate : Double(time.period)
    return LayoutProbe.Finding(
      decoder: RowDecoder(
        fields: RowFields(kind: columns.kind), layout: probe.layout, timestampFormat: time.format, unitInG: 1,
        madeUpPeriod: period), decimalMark: probe.decimalMark, spreader: time.isWholeSeconds ? TimeSpreader() : nil,
      period: Int64(exactly: period.rounded()) ?? SampleAssembler.longestStep, device: headers.device)
  }

  /// Uses a sampling frequency instead of the times.
  private mutating func leaveOutTimes(_ sentence: String) {
    probe.leaveOutTimes()
    renew()
    summary.doubts.append(sentence)
  }

  private func survey(_ finding: LayoutProbe.Finding) -> UnitSurvey {
    UnitSurvey(source: source, finding: finding, firstRow: place)
  }
}

// MARK: - Times

extension LayoutConclusion {
  /// Times that rise by 1 are row numbers, if a sampling frequency is known.
  private mutating func checkRowNumbers() throws(RecordingError) {
    guard time.isCounter || time.mayCount && options.samplingFrequency != nil else { return }
    guard statedRate != nil else { throw .ambiguousTimes(path: path, line: place.line) }
    areRowNumbers = true
    probe.leaveOutTimes()
    time = probe.timeGuess
  }

  /// Where the times and the stated sampling frequency contradict each other, and the unit of the times is not known, the times may be
  /// ticks of another unit, so that the stated frequency explains them.
  private mutating func checkStatedRate() {
    guard let stated = headers.statedRate, probe.layout.time != nil, probe.layout.timestampFormat == nil,
      time.format.isPowerOfTen, !time.isAbsolute, !time.isShared, time.period > 0
    else { return }
    let factor = stated.frequency.hertz * Double(time.period) / 1e9
    guard !(0.5...2).contains(factor) else { return }
    // Decimal fractions of a second are no ticks, and of two frequencies at which people walk none is more likely.
    let isSlow = time.format != .seconds && 1e9 / Double(time.period) < Self.slowTicks
    guard isSlow, [10, 100, 1000].contains(where: { abs(factor / $0 - 1) < 0.05 }) else {
      return summary.doubt(
        "the times give \(time.rate) samples a second, but line \(stated.line) states \(stated.frequency); name the unit of"
          + " the times, as in time_ms", isGrave: true)
    }
    leavesOutTimes = true
    leaveOutTimes(
      "the times give \(time.rate) samples a second in \(time.format.name), so they are in another unit; using the"
        + " \(stated.frequency) stated in line \(stated.line)")
  }

  /// Samples a second below which times that contradict a stated frequency are taken for ticks.
  private static let slowTicks = 20.0

  private static let sorted = "the rows are not in the order of their times; they were sorted"

  /// Rows in no order are sorted, if one even clock explains them.
  private mutating func checkOrder() {
    guard probe.isShuffled, let times = survey(finding).evenTimes() else { return }
    probe.replaceTimes(times)
    renew()
    finding.isSorted = true
    summary.doubts.append(Self.sorted)
  }

  /// A given sampling frequency replaces times that no sensor has.
  private mutating func checkRate() {
    guard time.isImplausible, options.samplingFrequency != nil else { return }
    leaveOutTimes("the times give \(time.rate) samples a second; using the given sampling frequency")
  }

  /// Rows that share their times are spread over these, or are copies.
  private mutating func checkSharedTimes() throws(RecordingError) {
    guard time.isShared else { return }
    if time.together > 0 {
      let packets = "the times are those at which packets of rows arrived; "
      if options.samplingFrequency != nil { return leaveOutTimes(packets + "using the given sampling frequency") }
      finding.spreader = TimeSpreader(period: time.period, together: time.together)
      return summary.doubts.append(packets + "the rows were spread evenly up to the next packet")
    }
    let times = survey(finding).sharedTimes()
    let areBatches = !time.isWholeSeconds && times?.coarse == nil && times?.differ ?? probe.sharedTimesDiffer
    let what = times?.coarse.map { coarse in
      coarse.resolution.map { "a resolution of \(UnitGuess.text(Double($0) / 1e9)) s" } ?? "hundreds of rows each"
    }
    if options.samplingFrequency != nil, areBatches || what != nil {
      leaveOutTimes("the timestamps have \(what ?? "several rows each"); using the given sampling frequency")
    } else if let coarse = times?.coarse, let what {
      guard coarse.isEven, let resolution = coarse.resolution else {
        throw .coarseTimes(path: path, resolution: coarse.resolution)
      }
      finding.spreader = TimeSpreader(resolution: resolution)
      summary.doubts.append("the timestamps have \(what); samples were spread evenly over it")
    } else if areBatches {
      finding.spreader = TimeSpreader(period: time.period)
      summary.doubts.append("several rows share each time; they were spread evenly up to the next time")
    } else if !time.isWholeSeconds {
      time.takeCopies()
      finding.period = time.period
    }
  }

  /// Notes the columns and the recording's clock: dates with or without a zone, or the start that our own writer states.
  private mutating func describe() {
    summary.columns = columns.described(probe.layout)
    finding.followsNames = columns.names != nil && options.columns == nil
    summary.timestampFormat = time.format
    summary.timestampsAreAbsolute = time.isAbsolute
    if let first = probe.firstMoment, time.isAbsolute {
      summary.utcOffset = first.offset
      summary.isWallClock = first.offset == nil
    } else if time.format.isLocalTime {
      summary.isWallClock = true
    } else if !time.isAbsolute, let start = headers.start {
      summary.statedStart = start.wallNanoseconds
      summary.utcOffset = start.offset
    }
    summary.doubts += probe.layout.doubts
    summary.graveDoubt = probe.layout.graveDoubt
  }

  /// Ambiguities of the timestamps.
  private mutating func checkTimes() throws(RecordingError) {
    if probe.layout.time == nil {
      try checkMadeUpTimes()
    } else {
      if time.isImplausible {
        if probe.rows >= RowProbe.rowsForSlow { throw .implausibleRate(path: path, line: place.line, rate: time.rate) }
        summary.doubt("there are \(time.rate) samples a second, but counting needs at least 5", isGrave: true)
      } else if let doubt = time.doubt {
        summary.doubt(doubt, isGrave: true)
      }
      if finding.spreader?.isOfSeconds == true {
        summary.doubts.append("the timestamps are whole seconds; samples were spread evenly over each second")
      }
      if options.samplingFrequency != nil {
        summary.doubts.append("the given sampling frequency was ignored, because the recording has timestamps")
      }
    }
    if probe.isAmbiguousDate, !headers.isDayFirst {
      summary.doubts.append("dates were read as month/day/year; the recording does not state the order")
    }
    guard areRowNumbers else { return }
    let isGiven = options.samplingFrequency != nil
    let instead = isGiven ? "given sampling frequency" : "stated sampling frequency"
    summary.doubts.append(
      "the times rise by 1 and were read as row numbers; using the "
        + (isGiven || options.measuredFrequency == nil ? instead : "times of arrival"))
  }

  private mutating func checkMadeUpTimes() throws(RecordingError) {
    if let rate = statedRate?.hertz, !TimeGuess.plausibleRates.contains(rate) {
      throw .implausibleRate(path: path, line: place.line, rate: TimeGuess.text(rate: rate))
    }
    if !leavesOutTimes, options.samplingFrequency == nil, options.measuredFrequency == nil,
      let stated = headers.statedRate
    {
      summary.doubts.append("there are no timestamps; using the \(stated.frequency) stated in line \(stated.line)")
    }
  }
}

// MARK: - Values

extension LayoutConclusion {
  /// Values that are no samples, and signed ones that were written unsigned.
  private mutating func checkValues() {
    finding.failedRead = probe.failedRead
    if let value = finding.failedRead { probe.leaveOut(value) }
    guard let range = probe.unsignedRange else { return }
    probe.takeSigned(range)
    unsignedRange = range
    summary.doubts.append(UnsignedNumbers.remark(range: range))
  }

  /// Examines a file, and again where its rows leave a doubt: their order, or values that are no samples.
  private mutating func surveyWhole() -> UnitEvidence? {
    if let unsignedRange { finding.takeSigned(unsignedRange) }
    guard var found = survey(finding).examine() else { return nil }
    if found.backwards > 0, finding.decoder.layout.time != nil, finding.spreader == nil, !finding.isSorted {
      var sorted = finding
      sorted.isSorted = true
      // Sorting explains the times if hardly a row is left and the samples do not move closer together.
      if let other = survey(sorted).examine(), other.unexplained * 10 <= found.unexplained,
        other.step * 10 >= found.step * 7
      {
        (finding, found) = (sorted, other)
        summary.doubts.append(Self.sorted)
      }
    }
    if let value = found.failedReads.value {
      finding.failedRead = value
      found = survey(finding).examine() ?? found
      if finding.period > 0, found.step > 0 { finding.period = found.step }
    }
    if let range = found.unsigned.range {
      finding.takeSigned(range)
      summary.doubts.append(UnsignedNumbers.remark(range: range))
      found = survey(finding).examine() ?? found
    }
    return found.evidence
  }

  /// The unit: the one that the option, the names or the lines above state, or what gravity shows.
  /// - Parameters:
  ///   - seen: what the first rows show.
  ///   - whole: what a file shows.
  private mutating func decideUnit(_ seen: UnitEvidence, _ whole: UnitEvidence?) throws(RecordingError) {
    let (layout, evidence) = (probe.layout, whole ?? seen)
    if options.unit == nil, let named = layout.unit,
      let unit = UnitGuess.correction(of: named, evidence, isLinear: layout.isLinear)
    {
      summary.doubts.append(
        "the column names state \(named.name), but gravity shows that the values are in \(unit.name), which was used;"
          + " state the unit with \(option: .unit)")
      summary.unit = unit
      return
    }
    guard let unit = options.unit ?? layout.unit ?? headers.unit else {
      return try guessUnit(evidence.withoutStuckAxis)
    }
    let zero = options.unit == nil ? 0 : options.zero ?? 0
    if let doubt = UnitGuess.doubt(about: unit, seen.shifted(by: zero), isLinear: layout.isLinear) {
      summary.doubts.append(doubt)
    }
    summary.unit = unit
    summary.zero = zero
    summary.gravityRemoved = layout.isLinear || UnitGuess.lacksGravity(seen.shifted(by: zero), unit: unit)
  }

  private mutating func guessUnit(_ evidence: UnitEvidence) throws(RecordingError) {
    let layout = probe.layout
    let guess = UnitGuess(evidence, isLinear: layout.isLinear)
    if guess.isAbsurd {
      throw .unknownUnit(path: path, size: guess.gravityRemoved ? evidence.motion : evidence.gravity)
    }
    if guess.isSizes { throw .activityCounts(path: path) }
    if layout.time != nil, layout.timestampFormat == nil, !time.isAbsolute, time.format.isNumber,
      time.period > 0, time.period < RowProbe.closeTogether, evidence.isSparse
    {
      summary.doubt(
        "the acceleration changes as much from one sample to the next as in a second, so the samples are too sparse, or the"
          + " times are not \(time.format.name); state the unit in the name of the column, such as time_s",
        isGrave: true)
    }
    if let doubt = guess.doubt { summary.doubt(doubt, isGrave: guess.isGrave || guess.isMovementInAnotherUnit) }
    (summary.unit, summary.zero, summary.gravityRemoved) = (guess.unit, guess.zero, guess.gravityRemoved)
    (finding.question, finding.unitDoubt) = (guess.question, guess.doubt)
  }
}
