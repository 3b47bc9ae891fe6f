/// Which columns of the first rows are clocks, and which only look like one.
extension RowColumns {
  /// The columns that behave like a clock, in order.
  ///
  /// An axis may also rise for a few rows, so a clock that is not in front has to rise for longer.
  /// - Returns: them, and the number of rows that show them; `nil` if more rows are needed.
  func clocks(_ rows: [[Double?]], _ columns: [Int], isAll: Bool) -> (columns: [Int], rows: Int)? {
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
  static func namedClock(_ rows: [[Double?]], _ names: [String]) -> Int? {
    names.indices.first { column in
      switch ColumnName(names[column]).role {
      case .time, .recordTime, .date: break
      default: return false
      }
      let values = rows.column(column)
      return values.count == rows.count && values.first != values.last && values.neverFall
    }
  }

  /// Whether the rows begin with addresses as dumps of memory have them: in digits that are filled up with zeros, and even in
  /// steps of the numbers in a row, which have one to eight bytes each.
  func beginWithAddress(_ buffer: borrowing LineBuffer) -> Bool {
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
      let steps = Set(numbers.map(Double.init).steps)
      return steps.count == 1 && [1, 2, 4, 8].contains { steps.first == Double($0 * (width - 1)) }
    }
  }

  /// The only column that is no sensor's, rises evenly and is no counter: a time whose name is in an unknown language or
  /// encoding.
  func unnamedClock(_ rows: [[Double?]], _ names: [String]) -> Int? {
    guard rows.count >= Self.rowsForRising[0] else { return nil }
    let clocks = names.indices.filter { column in
      ColumnName(names[column]).role == .other && !ColumnName.isCounter(names[column]) && Self.runs(rows, column)
        && !Self.counts(rows, column) && Self.spreadOfSteps(rows, column) < Self.evenSteps
    }
    return clocks.count == 1 ? clocks[0] : nil
  }

  /// Whether a column rises and hardly ever falls: no wave, and no sawtooth.
  static func runs(_ rows: [[Double?]], _ column: Int) -> Bool {
    let steps = rows.column(column).steps
    return isRising(rows, column) && steps.count { $0 < 0 } <= max(1, (steps.count + 1) / 20)
  }

  /// The standard deviation of a column's steps, as a fraction of their mean.
  static func spreadOfSteps(_ rows: [[Double?]], _ column: Int) -> Double {
    let steps = rows.column(column).steps
    return steps.mean > 0 ? steps.variance.squareRoot() / steps.mean : .infinity
  }

  static func isCounter(_ rows: [[Double?]], _ column: Int) -> Bool {
    let steps = rows.column(column).steps
    return !steps.isEmpty && steps.allSatisfy { $0 == 1 }
  }

  /// Whether the first column is not used and rises by 1.
  func beginWithCounter(_ layout: ColumnLayout, _ buffer: borrowing LineBuffer) -> Bool {
    guard case .csv = kind, layout.time != 0, layout.x > 0, layout.y > 0, layout.z > 0 else { return false }
    let rows = firstRows(buffer, most: Self.rowsForRising[0])
    return rows.count > 2 && Self.isCounter(rows, 0) && rows.allSatisfy { $0.first.map { $0 != nil } ?? false }
  }

  /// Whether a column may count rows, packets or bytes: integers with equal steps, or that usually rise by 1 to 3, as where some were
  /// lost.
  static func counts(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.column(column)
    let middle = values.steps.sorted().dropFirst(values.count / 2).first ?? 0
    return values.allSatisfy { $0 == $0.rounded() } && !TimeGuess.isUnixTime(values.first ?? 0)
      && (values.steps.variance == 0 || (1...3).contains(middle))
  }

  /// Whether not all columns beside the axes count the rows, so that one may be the time.
  func mayHaveTime(_ layout: ColumnLayout, _ buffer: borrowing LineBuffer) -> Bool {
    let rows = firstRows(buffer, most: Self.rowsForRising[0])
    let others = (0..<(rows.first?.count ?? 0)).filter { ![layout.x, layout.y, layout.z].contains($0) }
    return others.isEmpty
      || others.contains { column in
        let values = rows.column(column)
        return values.isEmpty || !Self.counts(rows, column) || values.steps.contains { $0 > 3 }
      }
  }

  /// Whether a column contains one calendar moment, or several that do not go back: many samples in a second.
  static func isUnixTime(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.column(column)
    return values.count == rows.count && TimeGuess.isUnixTime(values.first ?? 0) && values.neverFall
  }

  /// The first of four columns, if it never goes back.
  /// - Parameter mustRise: whether it also has to rise, or to be a time of day: samples with a rate need no clock.
  static func standingClock(_ rows: [[Double?]], _ columns: [Int], mustRise: Bool) -> Int? {
    guard columns.count == 4, let column = columns.first else { return nil }
    let values = rows.column(column)
    // Times of day are nanoseconds here.
    let areTimes = values.allSatisfy { $0 >= 1e9 && $0.truncatingRemainder(dividingBy: 1000) == 0 }
    return values.neverFall && (!mustRise || values.first != values.last || areTimes) ? column : nil
  }

  static func haveClock(_ rows: [[Double?]], _ column: Int) -> Bool {
    rows.column(column).contains { abs($0) >= 86_400e9 && $0.truncatingRemainder(dividingBy: 86_400e9) != 0 }
  }

  func isDate(_ rows: [[Double?]], _ column: Int) -> Bool {
    rows.allSatisfy { row in
      guard column + 1 < row.count, let date = row[column], let time = row[column + 1] else { return false }
      return date.truncatingRemainder(dividingBy: 86_400e9) == 0 && (0..<86_400e9).contains(time) && time >= 0
    }
  }

  /// Whether a column has a value in each row and rises in most rows.
  static func isRising(_ rows: [[Double?]], _ column: Int) -> Bool {
    let values = rows.column(column)
    guard values.count == rows.count, let first = values.first, let last = values.last else { return false }
    return values.count == 1 || last > first && values.steps.count { $0 > 0 } * 10 >= (values.count - 1) * 7
  }
}

extension [[Double?]] {
  /// The numbers of a column, in the rows that have one.
  func column(_ place: Int) -> [Double] { compactMap { place < $0.count ? $0[place] : nil } }
}

extension Array where Element: Comparable & Numeric {
  /// The middle one in order, the later of two; 0 of none.
  var median: Element { isEmpty ? 0 : sorted()[count / 2] }
  var steps: [Element] { zip(self, dropFirst()).map { $1 - $0 } }
}

extension [Double] {
  var mean: Double { reduce(0, +) / Double(Swift.max(1, count)) }
  var variance: Double {
    let mean = mean
    return reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(Swift.max(1, count))
  }
  /// As a vector.
  var length: Double { reduce(0) { $0 + $1 * $1 }.squareRoot() }
  var neverFall: Bool { steps.allSatisfy { $0 >= 0 } }
}
