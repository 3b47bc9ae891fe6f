import Accelerometry

/// The columns available to the reader when the first row was found.
struct RowColumns {
  let kind: RowFields.Kind
  let names: [String]?
  let headerLine: Int

  /// The number of rows that show which columns rise; more are used if the columns have no names and several may be clocks.
  static let rowsForRising = [8, 32, 128]
  /// The largest ``spreadOfSteps(_:_:)`` of a clock whose name is unknown.
  static let evenSteps = 0.5
  /// A date in nanoseconds, of 2001 at the earliest.
  private static let earliestDate = 1e18

  /// Whether a field is a number, or a date, a time, NaN.
  static func isValue(_ bytes: Span<UInt8>, _ range: Range<Int>, decimalComma: Bool) -> Bool {
    value(bytes, range, decimalComma: decimalComma) != nil
  }

  /// A field as a number that may rise.
  private static func moment(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Double? {
    let moment =
      DateTimeText.parseDateAndTime(bytes, range) ?? DateTimeText.parseTimeOfDay(bytes, range)
      ?? DateTimeText.parseDate(bytes, range)
    return moment.map(Double.init)
  }

  /// The layout, from the options, the names or the first rows; `nil` if more rows are needed.
  func layout(
    _ buffer: borrowing LineBuffer, of source: ByteSource, path: String, options: RecordingOptions
  ) throws(RecordingError) -> ColumnLayout? {
    // Names decide if there are any, and few rows suffice.
    let rows = firstRows(buffer, most: Self.rowsForRising[names == nil ? 2 : 0])
    let width = rows.first?.count ?? 0
    if let asked = options.columns {
      return try ColumnLayout(asked: asked, names: names, width: max(width, names?.count ?? 0), path: path)
    }
    let isAll = buffer.isEnded || buffer.isFull
    guard rows.count >= Self.rowsForRising[0] || isAll else { return nil }
    let address = beginWithAddress(buffer) ? 0 : nil
    guard let names else {
      return try positional(rows, isAll: isAll, of: source, path: path, options, line: buffer.line, address: address)
    }
    let isReadable = { column in rows.contains { column < $0.count && $0[column] != nil } }
    if var layout = ColumnLayout(
      names: names, isRising: { Self.isRising(rows, $0) }, isReadable: isReadable,
      isEmpty: { isReadable($0) ? false : areEmpty(buffer, $0) }, hasClock: { Self.haveClock(rows, $0) })
    {
      guard chooseSensor(of: names, &layout, buffer, source) else { return nil }
      if let time = layout.time, !layout.timeSpansTwo, rows.contains(where: { time >= $0.count || $0[time] == nil }) {
        let longer = firstRows(buffer, most: Self.rowsForRising[2])
        guard longer.count == Self.rowsForRising[2] || isAll else { return nil }
        layout.repeatsTimes = Self.areBatches(longer, time: time, axes: layout.sensors[0])
      }
      if layout.time == nil, options.samplingFrequency == nil, let clock = unnamedClock(rows, names) {
        layout.time = clock
        layout.doubts.append(
          "no column is named as a time; using the column \(clock + 1), whose values rise evenly; select others with"
            + " \(option: .columns)")
        layout.graveDoubt = layout.doubts.last
      }
      return layout
    }
    if let packing = PackedRow(names: names) { throw .packedRows(path: path, line: headerLine, packing) }
    let roles = names.map { ColumnName($0).role }
    if roles.contains(.foreign) || names.count < 3 { throw .noAxes(path: path, line: headerLine, names: names) }
    let longer = firstRows(buffer, most: Self.rowsForRising[2])
    guard
      var layout = try positional(
        longer, isAll: isAll, of: source, path: path, options, line: headerLine, named: Self.namedClock(longer, names),
        address: address)
    else { return nil }
    if let time = layout.time, time < names.count { layout.timestampFormat = ColumnName.unitOfClock(names[time]) }
    layout.doubts.append(
      "the column names in line \(headerLine) name no axes; using the columns"
        + " \((layout.time.map { "\($0 + 1), " } ?? "") + "\(layout.x + 1), \(layout.y + 1), \(layout.z + 1)"); select"
        + " others with \(option: .columns)")
    layout.graveDoubt = layout.doubts.last
    return layout
  }

  /// Of several sensors, uses the one with gravity.
  /// - Returns: whether there are enough rows for it.
  private func chooseSensor(
    of names: [String], _ layout: inout ColumnLayout, _ buffer: borrowing LineBuffer, _ source: ByteSource
  ) -> Bool {
    let isAll = buffer.isEnded || buffer.isFull
    if !layout.rivals.isEmpty {
      let longer = firstRows(buffer, most: Self.rowsForRising[2])
      let survey = AxisSurvey(source, kind)
      if survey == nil, longer.count < Self.rowsForRising[2], !isAll { return false }
      layout.choose(of: names, withGravity: (survey ?? AxisSurvey(longer)).sensors(withGravity: layout.sensors))
    } else if !layout.gyroscopes.isEmpty, !layout.isLinear {
      let longer = firstRows(buffer, most: Self.rowsForRising[1])
      guard longer.count == Self.rowsForRising[1] || isAll else { return false }
      // Where the first rows leave a doubt, all of a file is looked at.
      if !AxisSurvey(longer).sensors(clearlyWithGravity: layout.gyroscopes).isEmpty,
        let axes = AxisSurvey(source, kind)?.gravity(among: layout.gyroscopes, insteadOf: layout.sensors[0])
      {
        layout.exchange(for: axes, names)
      }
    }
    return true
  }

  /// Whether rows without a time are the samples behind one that has it: most have none, and they are like it, as those of another
  /// sensor are not.
  private static func areBatches(_ rows: [[Double?]], time: Int, axes: [Int]) -> Bool {
    let hasTime = { (row: [Double?]) in time < row.count && row[time] != nil }
    let (timed, others) = (rows.filter(hasTime), rows.filter { !hasTime($0) })
    guard timed.count > 2, 3 * timed.count <= rows.count else { return false }
    let mean = { (rows: [[Double?]]) in axes.map { rows.column($0).reduce(0, +) / Double(rows.count) } }
    let (first, second) = (mean(timed), mean(others))
    return zip(first, second).map { $0 - $1 }.length < 0.5 * first.length
  }

  /// x,y,z; or a clock in any column, and the three columns after it or, if there are fewer, the first three.
  /// - Parameters:
  ///   - named: the clock, if its name says so.
  ///   - address: a column of addresses in a dump.
  /// - Returns: `nil` if more rows are needed.
  private func positional(
    _ rows: [[Double?]], isAll: Bool, of source: ByteSource, path: String, _ options: RecordingOptions, line: Int,
    named: Int? = nil, address: Int? = nil
  ) throws(RecordingError) -> ColumnLayout? {
    let first = rows.first ?? []
    let columns = first.indices.filter { first[$0] != nil && $0 != address }
    // A date is no axis.
    let few = rows.prefix(Self.rowsForRising[0])
    if columns.count == 3, rows.count > 1, few.allSatisfy({ ($0[columns[0]] ?? 0) >= Self.earliestDate }) {
      throw .twoAxes(path: path, line: line)
    }
    if columns.count == 3 {
      // Neither is what is named as a time.
      if let named, columns.contains(named) { throw .twoAxes(path: path, line: line) }
      return ColumnLayout(time: nil, x: columns[0], y: columns[1], z: columns[2])
    }
    guard let (clocks, count) = clocks(rows, columns, isAll: isAll) else { return nil }
    let all = rows
    var rows = Array(all.prefix(count))
    let time = named ?? clocks.first { !Self.isCounter(rows, $0) } ?? clocks.first
    let isArriving = options.measuredFrequency != nil
    let standing = Self.standingClock(rows, columns, mustRise: isArriving || options.samplingFrequency != nil)
    if let time = time ?? standing {
      var behind = columns.filter { $0 > time }
      // Row numbers may stand between the time and the axes.
      let still = behind.filter { !clocks.contains($0) }
      if named != nil, still.count >= 3 { behind = still }
      let axes = behind.count >= 3 ? behind : columns.filter { $0 != time && !clocks.contains($0) }
      if axes.count >= 3 {
        // An axis moves little in the first rows, whatever it measures.
        if axes.count >= 6 {
          if all.count < Self.rowsForRising[2], !isAll { return nil }
          rows = all
        }
        var layout = layout(of: axes, rows, source, time: time)
        if time > 0, isDate(rows, time - 1) {
          layout.time = time - 1
          layout.timeSpansTwo = true
        }
        return layout
      }
    }
    guard options.samplingFrequency != nil || isArriving, columns.count >= 3 else {
      throw .noTimestamps(path: path, line: line)
    }
    if columns.count >= 6, all.count < Self.rowsForRising[2], !isAll { return nil }
    return layout(of: columns, columns.count < 6 ? rows : all, source, time: nil)
  }

  /// The first three of some columns; of six or more, three that contain gravity.
  private func layout(of axes: [Int], _ rows: [[Double?]], _ source: ByteSource, time: Int?) -> ColumnLayout {
    let survey = axes.count > 3 ? AxisSurvey(source, kind) : nil
    let chosen = survey?.axes(of: axes) ?? axesOfBeginning(axes, rows)
    var layout = ColumnLayout(time: time, x: chosen[0], y: chosen[1], z: chosen[2])
    if chosen[0] != axes[0] {
      layout.doubts.append(
        "the columns have no names; using \(chosen[0] + 1), \(chosen[1] + 1) and \(chosen[2] + 1), which"
          + " contain gravity; select others with \(option: .columns)")
    } else if axes.count >= 6, let survey {
      let having = survey.sensors(clearlyWithGravity: axes.threes)
      if having.count > 1 {
        layout.doubts.append(
          "the columns have no names, and \(having.count) threes of them contain gravity, as of several sensors; using"
            + " \(chosen[0] + 1), \(chosen[1] + 1) and \(chosen[2] + 1); select others with \(option: .columns)")
      }
    }
    return layout
  }

  private func axesOfBeginning(_ axes: [Int], _ rows: [[Double?]]) -> [Int] {
    // In counts, other columns may look like one g by chance, so the first three have to be impossible: constant, or with gaps.
    let arePossible = axes.prefix(3).allSatisfy { axis in
      let values = rows.column(axis)
      return values.count == rows.count && values.allSatisfy(\.isFinite) && values.contains(where: { $0 != values[0] })
    }
    let hasQuaternion = AxisSurvey.withoutQuaternion(axes, rows).count < axes.count
    if !arePossible || hasQuaternion, let found = AxisSurvey(rows).withGravity(among: axes) { return found }
    return axes.count < 6 ? Array(axes.prefix(3)) : Self.axesWithGravity(rows, axes)
  }

  /// Of several groups of three columns, the one with gravity: the mean of a gyroscope is small compared with its motion.
  /// - Returns: the first, unless it has no gravity and another clearly has.
  private static func axesWithGravity(_ rows: [[Double?]], _ axes: [Int]) -> [Int] {
    let threes = axes.threes
    let scores = threes.map { three in
      let columns = three.map { rows.column($0) }
      return columns.map(\.mean).length / max(columns.map { $0.variance.squareRoot() }.length, 1e-9)
    }
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[0] < 1,
      scores[best] > 2 * max(scores[0], 0.75)
    else { return threes[0] }
    return threes[best]
  }

  /// The first rows with at least three values.
  func firstRows(_ buffer: borrowing LineBuffer, most: Int) -> [[Double?]] {
    var rows: [[Double?]] = []
    var fields = RowFields(kind: kind)
    var place = buffer.start
    while rows.count < most, let line = buffer.line(at: place) {
      place = line.next
      guard line.content.count <= LineBuffer.longestLine else { continue }
      let row = buffer.withPlainText(line.content) { Self.row($0, $1, &fields) }
      if row.count(where: { $0 != nil }) >= 3 { rows.append(row) }
    }
    return rows
  }

  private func areEmpty(_ buffer: borrowing LineBuffer, _ column: Int) -> Bool {
    var fields = RowFields(kind: kind)
    var (place, rows) = (buffer.start, 0)
    while rows < Self.rowsForRising[0], let line = buffer.line(at: place) {
      place = line.next
      guard line.content.count <= LineBuffer.longestLine,
        fields.read(buffer.bytes.span, line.content, limit: LayoutProbe.mostColumns), column < fields.ranges.count
      else { continue }
      guard fields.ranges[column].isEmpty else { return false }
      rows += 1
    }
    return rows > 0
  }

  /// The values of a line; none if it is no row.
  static func row(_ bytes: Span<UInt8>, _ line: Range<Int>, _ fields: inout RowFields) -> [Double?] {
    guard CSVDialect.commentText(bytes, line) == nil, fields.read(bytes, line, limit: LayoutProbe.mostColumns) else {
      return []
    }
    let decimalComma = fields.decimalComma
    return fields.ranges.map { value(bytes, $0, decimalComma: decimalComma) }
  }

  /// A field as a number, also a date or a time; `nil` for text and nothing.
  static func value(_ bytes: Span<UInt8>, _ range: Range<Int>, decimalComma: Bool) -> Double? {
    switch DecimalNumber.parse(bytes, range, decimalComma: decimalComma) {
    case .number(let number): number.value
    case .notFinite: .nan
    case .empty: nil
    case .text: moment(bytes, range)
    }
  }

  /// The unknown unit that the name of the column of times states.
  func unknownTimeUnit(_ layout: ColumnLayout) -> String? {
    guard let names, let time = layout.time, time < names.count, !layout.timeSpansTwo else { return nil }
    return ColumnName.unknownTimeUnit(names[time])
  }

  /// Whether no time of the first rows is a number, a date or a time of day.
  func hasUnreadableTimes(_ layout: ColumnLayout, _ buffer: borrowing LineBuffer) -> Bool {
    guard let time = layout.time else { return false }
    let rows = firstRows(buffer, most: Self.rowsForRising[0])
    return !rows.isEmpty && rows.allSatisfy { time >= $0.count || $0[time] == nil }
  }

  /// The sampling frequency of a column with the interval between two samples, the same in all of the first rows: as of the
  /// motion events of browsers, in milliseconds, or in seconds if it is below one.
  func statedInterval(_ buffer: borrowing LineBuffer) -> SamplingFrequency? {
    guard let names, let column = names.firstIndex(where: { ColumnName.partsOfInterval($0) != nil }),
      let parts = ColumnName.partsOfInterval(names[column])
    else { return nil }
    let rows = firstRows(buffer, most: Self.rowsForRising[1])
    let values = rows.column(column)
    guard let interval = values.first, interval > 0, rows.count >= 3, values.count == rows.count,
      values.allSatisfy({ $0 == interval })
    else { return nil }
    return SamplingFrequency(hertz: (parts > 0 ? parts : interval < 1 ? 1 : 1000) / interval)
  }

  /// The layout with the recording's column names.
  func described(_ layout: ColumnLayout) -> RecordingSummary.Columns {
    let name = { (column: Int) -> String in
      guard let names, column < names.count, !names[column].isEmpty else { return "\(column + 1)" }
      return names[column]
    }
    return RecordingSummary.Columns(
      time: layout.time.map(name), x: name(layout.x), y: name(layout.y), z: name(layout.z))
  }

  /// The axes as an option takes them: names if a shell takes them as they are, and otherwise numbers.
  func axes(_ layout: ColumnLayout) -> String {
    let columns = described(layout)
    let names = [columns.x, columns.y, columns.z]
    let isPlain = names.allSatisfy { $0.utf8.allSatisfy { $0 | 0x20 &- 0x61 < 26 || $0 &- 0x30 <= 9 || $0 == 0x5F } }
    let numbers = [layout.x, layout.y, layout.z].map { "\($0 + 1)" }
    let areUnique = names.allSatisfy { name in (self.names ?? names).count { $0.lowercased() == name.lowercased() } == 1
    }
    return (isPlain && areUnique ? names : numbers).joined(separator: ",")
  }
}
