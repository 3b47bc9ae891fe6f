import Foundation
import History
import Platform

/// How the dates of a list are written: `2026-05-06`, `06.05.26` or `5/6/2026`.
///
/// The order of day, month and year is the one that makes every line of the list a date that has been. Where two do, and
/// they differ, nothing in the list tells which is right.
struct ListDates {
  enum Order: CaseIterable {
    case dayFirst, monthFirst, yearFirst

    var name: String {
      switch self {
      case .dayFirst: "day, month, year"
      case .monthFirst: "month, day, year"
      case .yearFirst: "year, month, day"
      }
    }
  }

  private struct Written {
    var numbers: [Int]
    var separator: Character
    /// What stands behind the date.
    var rest: Substring
    /// Whether the year has four digits and is in front.
    var isYearFirst: Bool
    var hasLongYear: Bool

    /// - Returns: `nil` for anything else.
    init?(_ text: String) {
      // The name of a day may be in front.
      var text = text.drop { !Self.isDigit($0) }
      numbers = []
      var lengths: [Int] = []
      var separators: Set<Character> = []
      while numbers.count < 3 {
        let digits = text.prefix(while: Self.isDigit)
        guard (1...4).contains(digits.count), let number = Int(digits) else { return nil }
        numbers.append(number)
        lengths.append(digits.count)
        text = text.dropFirst(digits.count)
        guard numbers.count < 3 else { break }
        guard let separator = text.first, "-./".contains(separator) else { return nil }
        separators.insert(separator)
        text = text.dropFirst()
      }
      isYearFirst = lengths[0] == 4
      hasLongYear = lengths.contains(4)
      let rest = text.drop { ",T".contains($0) || $0.isWhitespace }
      guard separators.count == 1, let separator = separators.first, rest.isEmpty || rest.startIndex > text.startIndex,
        lengths[isYearFirst ? 1 : 0] <= 2, lengths[1] <= 2, lengths[2] <= 2 || lengths[2] == 4 && !isYearFirst
      else { return nil }
      (self.separator, self.rest) = (separator, rest)
    }

    private static func isDigit(_ character: Character) -> Bool { ("0"..."9").contains(character) }

    /// The days since 1970; `nil` if it is no date in this order.
    func day(_ order: Order) -> Int? {
      let (year, month, day) =
        switch isYearFirst ? .yearFirst : order {
        case .dayFirst: (numbers[2], numbers[1], numbers[0])
        case .monthFirst: (numbers[2], numbers[0], numbers[1])
        case .yearFirst: (numbers[0], numbers[1], numbers[2])
        }
      guard order != .yearFirst || isYearFirst || !hasLongYear else { return nil }
      let whole = year < 100 ? 2000 + year : year
      guard CivilDays.isDate(year: whole, month: month, day: day) else { return nil }
      return CivilDays.days(year: whole, month: month, day: day)
    }
  }

  /// Two readings of a cell, of which nothing tells the right one.
  struct Ambiguity: Error {
    var cell: String
    var readings: [String]
  }

  /// The order of dates without a year of four digits in front; `nil` if there are none.
  let order: Order?
  /// A date that was read so, and the reading.
  let example: (written: String, read: String)?
  /// Whether all cells are midnights, in UTC or with their offset, which stand for dates.
  private let areMidnights: Bool

  /// Finds how the cells of a list are written.
  /// - Parameters:
  ///   - likely: the order to use if several are possible.
  ///   - haveEnds: whether the list has periods, whose midnights are moments.
  /// - Throws: ``Ambiguity``.
  init(_ cells: [String], now: Date, likely: Order? = nil, haveEnds: Bool = false) throws {
    areMidnights = !haveEnds && !cells.isEmpty && cells.allSatisfy(ListDates.isMidnight)
    guard !areMidnights else {
      (order, example) = (nil, nil)
      return
    }
    let written = cells.compactMap { cell in Written(cell).map { (cell: cell, date: $0) } }.filter {
      !$0.date.isYearFirst
    }
    guard let first = written.first else {
      (order, example) = (nil, nil)
      return
    }
    // Somewhere else it may be tomorrow.
    let last = Int(now.timeIntervalSince1970 / 86_400) + 1
    func days(_ order: Order) -> [Int] { written.compactMap { $0.date.day(order) }.filter { $0 <= last } }
    let readings = Order.allCases.map { (order: $0, days: days($0)) }
    var complete = readings.filter { $0.days.count == written.count }
    // No country writes the month in front of a dot.
    if written.allSatisfy({ $0.date.separator == "." }), complete.contains(where: { $0.order == .dayFirst }) {
      complete.removeAll { $0.order == .monthFirst }
    }
    func length(_ days: [Int]) -> Int { max(1, (days.max() ?? 0) - (days.min() ?? 0)) }
    // Read as years, the days of a month make a list of decades.
    let shortest = complete.map { length($0.days) }.min() ?? 1
    let short = complete.filter { length($0.days) <= Self.yearsForDays * shortest }
    complete.removeAll { reading in
      let isShort = short.contains { $0.order == reading.order }
      return reading.order == .yearFirst ? !isShort : short.map(\.order) == [.yearFirst]
    }
    if let likely, complete.contains(where: { $0.order == likely }) { complete.removeAll { $0.order != likely } }
    if complete.count > 1,
      let place = written.indices.first(where: { place in
        complete.contains { $0.days[place] != complete[0].days[place] }
      })
    {
      throw Ambiguity(cell: written[place].cell, readings: complete.map { Self.text($0.days[place]) })
    }
    let order = complete.first?.order ?? readings.max { $0.days.count < $1.days.count }?.order ?? .dayFirst
    self.order = order
    example = first.date.day(order).map { (first.cell, Self.text($0)) }
  }

  /// How much longer a list becomes whose days are read as years.
  private static let yearsForDays = 20

  /// Whether a cell is a Unix time at midnight in UTC, or a midnight such as `2026-05-06T00:00:00Z` or one with an offset.
  private static func isMidnight(_ cell: String) -> Bool {
    if let time = unixTime(cell) { return time.remainder(dividingBy: 86_400) == 0 }
    guard let written = Written(cell), written.isYearFirst else { return false }
    return written.rest.wholeMatch(of: /00:00(:00([.,]0+)?)? ?([Zz]|[+-]\d\d(:?\d\d)?)/) != nil
  }

  /// A cell with its date as `2026-05-06`; the cell itself if it has none.
  func plain(_ cell: String) -> String {
    if areMidnights, Self.isMidnight(cell) {
      if let time = Self.unixTime(cell) { return Self.text(Int(time / 86_400)) }
      if let day = Written(cell)?.day(.yearFirst) { return Self.text(day) }
    }
    if let day = Self.compact(cell) { return Self.text(day) }
    guard let written = Written(cell), let day = written.day(order ?? .yearFirst) else { return cell }
    let date = Self.text(day)
    guard !written.rest.isEmpty else { return date }
    return "\(date) \(TimedSteps.clock(String(written.rest)) ?? String(written.rest))"
  }

  /// The days since 1970 of `20260506`.
  private static func compact(_ text: String) -> Int? {
    guard text.utf8.count == 8, let number = Int(text), (19_700_101...21_001_231).contains(number),
      CivilDays.isDate(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    else { return nil }
    return CivilDays.days(year: number / 10_000, month: number / 100 % 100, day: number % 100)
  }

  /// A Unix time in seconds or milliseconds, in seconds.
  static func unixTime(_ text: String) -> Double? {
    guard let number = Double(text), number > 100_000_000, number < 1e13 else { return nil }
    return number / (number > 1e11 ? 1000 : 1)
  }

  private static func text(_ day: Int) -> String { CivilDay(number: day).text }
}
