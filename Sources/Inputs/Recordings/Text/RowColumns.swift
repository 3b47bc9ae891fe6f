import Accelerometry

/// The columns available to the reader when the first row was found.
struct RowColumns {
  let kind: RowFields.Kind
  /// Their names, if they have any.
  let names: [String]?
  /// The line of the names.
  let headerLine: Int

  /// The number of rows that show which columns rise; more are used if the columns have no names and several may be
  /// clocks.
  private static let rowsForRising = [8, 32, 128]
  /// The largest ``spreadOfSteps(_:_:)`` of a clock whose name is unknown.
  private static let evenSteps = 0.5
  /// A date in nanoseconds, of 2001 at the earliest.
  private static let earliestDate = 1e18

  /// Whether a field is a number, or a date, a time, NaN.
  static func isValue(_ bytes: Span<UInt8>, _ range: Range<Int>, decimalComma: Bool) -> Bool {
    switch DecimalNumber.parse(bytes, range, decimalComma: decimalComma) {
    case .number, .notFinite: true
    case .empty: false
    case .text: moment(bytes, range) != nil
    }
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
      return try positional(
        rows, isAll: isAll, of: source, path: path, options, line: buffer.line, address: address)
    }
    let isReadable = { column in rows.contains { column < $0.count && $0[column] != nil } }
    if var layout = ColumnLayout(
      names: names, isRising: { Self.isRising(rows, $0) }, isReadable: isReadable,
      isEmpty: { isReadable($0) ? false : areEmpty(buffer, $0) }, hasClock: { Self.haveClock(rows, $0) })
    {
      if !layout.rivals.isEmpty {
        let longer = firstRows(buffer, most: Self.rowsForRising[2])
        let survey = AxisSurvey(source: source, kind: kind).sensors(withGravity: layout.sensors)
        if survey == nil, longer.count < Self.rowsForRising[2], !isAll { return nil }
        layout.choose(of: names, withGravity: survey ?? AxisSurvey.sensors(withGravity: layout.sensors, [longer]))
      } else if !layout.gyroscopes.isEmpty, !layout.isLinear {
        let longer = firstRows(buffer, most: Self.rowsForRising[1])
        guard longer.count == Self.rowsForRising[1] || isAll else { return nil }
        let (named, others) = (layout.sensors[0], layout.gyroscopes)
        // Where the first rows leave a doubt, all of a file is looked at.
        if AxisSurvey.gravity(among: others, [longer]) != nil {
          let survey = AxisSurvey(source: source, kind: kind)
          if let axes = survey.gravity(among: others, insteadOf: named) { layout.exchange(for: axes, names) }
        }
      }
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

  /// Whether rows without a time are the samples behind one that has it: most have none, and they are like it, as those of another
  /// sensor are not.
  private static func areBatches(_ rows: [[Double?]], time: Int, axes: [Int]) -> Bool {
    let hasTime = { (row: [Double?]) in time < row.count && row[time] != nil }
    let (timed, others) = (rows.filter(hasTime), rows.filter { !hasTime($0) })
    guard timed.count > 2, 3 * timed.count <= rows.count else { return false }
    let mean = { (rows: [[Double?]]) in
      axes.map { axis in
        rows.reduce(0.0) { $0 + (axis < $1.count ? $1[axis] ?? 0 : 0) } / Double(rows.count)
      }
    }
    let (first, second) = (mean(timed), mean(others))
    let distance = zip(first, second).reduce(0) { $0 + ($1.0 - $1.1) * ($1.0 - $1.1) }.squareRoot()
    return distance < 0.5 * first.reduce(0) { $0 + $1 * $1 }.squareRoot()
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
    let columns = first.indices.filter { first[$0] != nil && $0 != address && !Self.isOctalAddress(rows, $0) }
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
    let chosen =
      (axes.count > 3 ? AxisSurvey(source: source, kind: kind).axes(of: axes) : nil)
      ?? axesOfBeginning(axes, rows, hasTime: time != nil)
    var layout = ColumnLayout(time: time, x: chosen[0], y: chosen[1], z: chosen[2])
    if chosen[0] != axes[0] {
      layout.doubts.append(
        "the columns have no names; using \(chosen[0] + 1), \(chosen[1] + 1) and \(chosen[2] + 1), which"
          + " contain gravity; select others with \(option: .columns)")
    } else if axes.count >= 6 {
      let threes = stride(from: 0, through: axes.count - 3, by: 3).map { Array(axes[$0..<$0 + 3]) }
      let having = AxisSurvey(source: source, kind: kind).sensors(clearlyWithGravity: threes)
      if having.count > 1 {
        layout.doubts.append(
          "the columns have no names, and \(having.count) threes of them contain gravity, as of several sensors; using"
            + " \(chosen[0] + 1), \(chosen[1] + 1) and \(chosen[2] + 1); select others with \(option: .columns)")
      }
    }
    return layout
  }

  /// The same by the first rows.
  private func axesOfBeginning(_ axes: [Int], _ rows: [[Double?]], hasTime: Bool) -> [Int] {
    let others = AxisSurvey.withoutQuaternion(axes, rows)
    if others.count < axes.count, let found = Self.firstWithGravity(rows, others) {
      return Array(others[found..<found + 3])
    }
    if let found = Self.possibleAxes(rows, axes) { return Array(axes[found..<found + 3]) }
    return axes.count < 6 ? Array(axes.prefix(3)) : Self.axesWithGravity(rows, axes)
  }

  /// If the first three columns cannot be axes, because one is constant or has no value in some rows: the first three that
  /// can and whose mean is one gravity in a common unit.
  private static func possibleAxes(_ rows: [[Double?]], _ axes: [Int]) -> Int? {
    guard axes.count > 3, meansIfPossible(rows, Array(axes.prefix(3))).contains(nil) else { return nil }
    return firstWithGravity(rows, axes)
  }

  /// The mean of each column; `nil` for one that cannot be an axis.
  private static func meansIfPossible(_ rows: [[Double?]], _ axes: [Int]) -> [Double?] {
    axes.map { axis -> Double? in
      let values = rows.map { axis < $0.count ? $0[axis] ?? .nan : .nan }
      guard let first = values.first, values.allSatisfy(\.isFinite), values.contains(where: { $0 != first }) else {
        return nil
      }
      return values.reduce(0, +) / Double(values.count)
    }
  }

  /// The first three columns that can be axes and whose mean is one gravity in a common unit.
  private static func firstWithGravity(_ rows: [[Double?]], _ axes: [Int]) -> Int? {
    let means = meansIfPossible(rows, axes)
    return (0...axes.count - 3).first { start in
      let mean = means[start..<start + 3].compactMap(\.self)
      let size = mean.reduce(0) { $0 + $1 * $1 }.squareRoot()
      return mean.count == 3 && [1, 9.80665, 1000].contains { abs(size / $0 - 1) < 0.15 }
    }
  }

  /// Of several groups of three columns, the one with gravity: the mean of a gyroscope is small compared with its
  /// motion.
  /// - Returns: the first, unless it has no gravity and another clearly has.
  private static func axesWithGravity(_ rows: [[Double?]], _ axes: [Int]) -> [Int] {
    let scores = stride(from: 0, through: axes.count - 3, by: 3).map { first -> Double in
      var (mean, square) = (0.0, 0.0)
      for axis in axes[first..<first + 3] {
        let values = rows.compactMap { axis < $0.count ? $0[axis] : nil }
        let average = values.reduce(0, +) / Double(max(1, values.count))
        mean += average * average
        square += values.reduce(0) { $0 + ($1 - average) * ($1 - average) } / Double(max(1, values.count))
      }
      return mean.squareRoot() / max(square.squareRoot(), 1e-9)
    }
    guard let best = scores.indices.max(by: { scores[$0] < scores[$1] }), scores[0] < 1,
      scores[best] > 2 * max(scores[0], 0.75)
    else { return Array(axes.prefix(3)) }
    return Array(axes[best * 3..<best * 3 + 3])
  }

  /// The columns that behave like a clock, in order.
  ///
  /// An axis may also rise for a few rows, so a clock that is not in front has to rise for longer.
  /// - Returns: them, and the number of rows that show them; `nil` if more rows are needed.
  private func clocks(_ rows: [[Double?]], _ columns: [Int], isAll: Bool) -> (columns: [Int], rows: Int)? {
    var clocks: [Int] = []
    for count in Self.rowsForRising {
      guard rows.count >= count || isAll else { return nil }
      let part = Array(rows.prefix(count))
      // A date before a time of day is part of it.
      clocks = columns.filter { Self.runs(part, $0) || (Self.isUnixTime(part, $0) && !isDate(part, $0)) }
      let isInFront = count == Self.rowsForRising[0] && clocks == Array(columns.prefix(1))
      let isAlone = count > Self.rowsForRising[0] && clocks.count <= 1
      if isInFront || isAlone { return (clocks, count) }
    }
    // An axis that rises for so long is less even.
    let spreads = clocks.map { Self.spreadOfSteps(rows, $0) }
    let most = 2 * (spreads.min() ?? 0) + 0.1
    return (zip(clocks, spreads).filter { $0.1 <= most }.map(\.0), rows.count)
  }

  /// The first column that its name says is a time, if it never goes back.
  private static func namedClock(_ rows: [[Double?]], _ names: [String]) -> Int? {
    names.indices.first { column in
      switch ColumnName(names[column]).role {
      case .time, .recordTime, .date: break
      default: return false
      }
      let values = rows.compactMap { column < $0.count ? $0[column] : nil }
      return values.count == rows.count && values.first != values.last
        && zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }
    }
  }

  /// Whether the rows begin with addresses as dumps of memory have them: in digits that are filled up with zeros, and even in
  /// steps of the numbers in a row, which have one to eight bytes each.
  private func beginWithAddress(_ buffer: borrowing LineBuffer) -> Bool {
    guard case .csv(let dialect) = kind, dialect.delimiter == 0x20, names == nil else { return false }
    var (place, texts, width) = (buffer.start, [String](), 0)
    var fields: [Range<Int>] = []
    while texts.count < Self.rowsForRising[0], let line = buffer.line(at: place) {
      place = line.next
      dialect.split(buffer.bytes.span, line.content, limit: LayoutProbe.mostColumns, into: &fields)
      guard fields.count > 3 else { return false }
      width = fields.count
      texts.append(String(decoding: fields[0].map { buffer.bytes[$0] }, as: UTF8.self))
    }
    guard texts.count == Self.rowsForRising[0], texts[0].first == "0", (6...16).contains(texts[0].count),
      texts.allSatisfy({ $0.count == texts[0].count })
    else { return false }
    return [8, 10, 16].contains { radix in
      let numbers = texts.compactMap { Int($0, radix: radix) }
      guard numbers.count == texts.count else { return false }
      let steps = Set(zip(numbers, numbers.dropFirst()).map { $1 - $0 })
      return steps.count == 1 && [1, 2, 4, 8].contains { steps.first == $0 * (width - 1) }
    }
  }

  /// The only column that is no sensor's, rises evenly and is no counter: a time whose name is in an unknown language or
  /// encoding.
  private func unnamedClock(_ rows: [[Double?]], _ names: [String]) -> Int? {
    guard rows.count >= Self.rowsForRising[0] else { return nil }
    let clocks = names.indices.filter { column in
      ColumnName(names[column]).role == .other && Self.runs(rows, column) && !Self.countsEvenly(rows, column)
        && Self.spreadOfSteps(rows, column) < Self.evenSteps
    }
    return clocks.count == 1 ? clocks[0] : nil
  }

  /// Whether a column rises and hardly ever falls: no wave, and no sawtooth.
  private static func runs(_ rows: [[Double?]], _ column: Int) -> Bool {
    guard isRising(rows, column) else { return false }
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    return zip(values, values.dropFirst()).count { $0 > $1 } <= max(1, values.count / 20)
  }

  /// The standard deviation of a column's steps, as a fraction of their mean.
  private static func spreadOfSteps(_ rows: [[Double?]], _ column: Int) -> Double {
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    let steps = zip(values, values.dropFirst()).map { $1 - $0 }
    let mean = steps.reduce(0, +) / Double(max(1, steps.count))
    let variance = steps.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(max(1, steps.count))
    return mean > 0 ? variance.squareRoot() / mean : .infinity
  }

  /// Whether a column has the addresses that `od` writes: in octal its steps are equal, and in decimal they are not.
  private static func isOctalAddress(_ rows: [[Double?]], _ column: Int) -> Bool {
    let texts = rows.prefix(rowsForRising[1]).compactMap { row -> String? in
      guard column < row.count, let value = row[column], value >= 0, value < 1e12, value == value.rounded() else {
        return nil
      }
      return String(Int(value))
    }
    let octal = texts.compactMap { Int($0, radix: 8) }
    guard octal.count >= rowsForRising[0], octal.count == min(rows.count, rowsForRising[1]) else { return false }
    let decimal = texts.compactMap { Int($0) }
    let steps = { (values: [Int]) in Set(zip(values, values.dropFirst()).map { $1 - $0 }) }
    return steps(octal).count == 1 && steps(decimal).count > 1 && octal[1] > octal[0]
  }

  /// Whether a column counts rows.
  private static func isCounter(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    return values.count > 1 && zip(values, values.dropFirst()).allSatisfy { $1 - $0 == 1 }
  }

  /// Whether the first column is not used and rises by 1.
  func beginWithCounter(_ layout: ColumnLayout, _ buffer: borrowing LineBuffer) -> Bool {
    guard case .csv = kind, layout.time != 0,
      layout.x > 0, layout.y > 0, layout.z > 0
    else { return false }
    let rows = firstRows(buffer, most: Self.rowsForRising[0])
    return rows.count > 2 && Self.isCounter(rows, 0) && rows.allSatisfy { $0.first.map { $0 != nil } ?? false }
  }

  /// Whether a column may count rows, packets or bytes: small integers with equal steps.
  private static func countsEvenly(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    return spreadOfSteps(rows, column) == 0 && !TimeGuess.isUnixTime(values.first ?? 0)
      && values.allSatisfy { $0 == $0.rounded() }
  }

  /// Whether a column contains one calendar moment, or several that do not go back: many samples in a second.
  private static func isUnixTime(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    return values.count == rows.count && TimeGuess.isUnixTime(values.first ?? 0)
      && zip(values, values.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// The first of four columns, if it never goes back.
  /// - Parameter mustRise: whether it also has to rise, or to be a time of day: samples with a rate need no clock.
  private static func standingClock(_ rows: [[Double?]], _ columns: [Int], mustRise: Bool) -> Int? {
    guard columns.count == 4, let column = columns.first else { return nil }
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    if mustRise, values.first == values.last, !Self.areNanoseconds(values) { return nil }
    return zip(values, values.dropFirst()).allSatisfy { $0 <= $1 } ? column : nil
  }

  /// Whether numbers were times in the text: nanoseconds, of a second or more.
  private static func areNanoseconds(_ values: [Double]) -> Bool {
    values.allSatisfy { $0 >= 1e9 && $0.truncatingRemainder(dividingBy: 1000) == 0 }
  }

  /// Whether dates have times of day.
  private static func haveClock(_ rows: [[Double?]], _ column: Int) -> Bool {
    rows.contains { row in
      guard column < row.count, let date = row[column] else { return false }
      return abs(date) >= 86_400e9 && date.truncatingRemainder(dividingBy: 86_400e9) != 0
    }
  }

  private func isDate(_ rows: [[Double?]], _ column: Int) -> Bool {
    rows.allSatisfy { row in
      guard column + 1 < row.count, let date = row[column], let time = row[column + 1] else { return false }
      return date.truncatingRemainder(dividingBy: 86_400e9) == 0 && (0..<86_400e9).contains(time) && time >= 0
    }
  }

  /// Whether a column has a value in each row and rises in most rows.
  private static func isRising(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.compactMap { column < $0.count ? $0[column] : nil }
    guard values.count == rows.count, let first = values.first, let last = values.last else { return false }
    if values.count == 1 { return true }
    let ups = zip(values, values.dropFirst()).count { $0 < $1 }
    return last > first && ups * 10 >= (values.count - 1) * 7
  }

  /// The first rows with at least three values.
  private func firstRows(_ buffer: borrowing LineBuffer, most: Int) -> [[Double?]] {
    var rows: [[Double?]] = []
    var fields = RowFields(kind: kind)
    var place = buffer.start
    while rows.count < most, let line = buffer.line(at: place) {
      place = line.next
      guard line.content.count <= LineBuffer.longestLine else { continue }
      let row =
        if let plain = buffer.plainText(line.content) { Self.row(plain.span, plain.indices, &fields) } else {
          Self.row(buffer.bytes.span, line.content, &fields)
        }
      if row.count(where: { $0 != nil }) >= 3 { rows.append(row) }
    }
    return rows
  }

  /// Whether nothing is in a column of the first lines.
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
    guard let interval = rows.first.flatMap({ column < $0.count ? $0[column] : nil }), interval > 0,
      rows.count >= 3, rows.allSatisfy({ column < $0.count && $0[column] == interval })
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
