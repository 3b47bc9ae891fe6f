import Platform

/// Takes the parts of a calendar time from the beginning of a text.
struct TimeField {
  private var text: [UInt8]
  var place = 0
  /// Whether two digits behind a third colon are hundredths of a second.
  private let inHundredths: Bool

  init(_ bytes: Span<UInt8>, _ range: Range<Int>, inHundredths: Bool = false) {
    text = range.map { bytes[$0] }
    self.inHundredths = inHundredths
  }

  init(_ text: ArraySlice<UInt8>) { (self.text, inHundredths) = (Array(text), false) }

  var isAtEnd: Bool { place == text.count }
  private var next: UInt8? { place < text.count ? text[place] : nil }

  private func isDigit(_ place: Int) -> Bool { place < text.count && text[place] &- 0x30 <= 9 }

  mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func skipBlanks() { while take(0x20) {} }

  private mutating func takeDigits(_ count: Int) -> Int? {
    guard (place..<place + count).allSatisfy(isDigit) else { return nil }
    defer { place += count }
    return text[place..<place + count].reduce(0) { $0 * 10 + Int($1 &- 0x30) }
  }

  /// Takes one or two digits.
  mutating func takeNumber() -> Int? { takeDigits(isDigit(place + 1) ? 2 : 1) }

  private mutating func takeLetters() -> String {
    let letters = text[place...].prefix { $0 | 0x20 &- 0x61 < 26 }
    place = letters.endIndex
    return String(decoding: letters, as: UTF8.self)
  }

  /// Takes the first three letters of an English month, as MATLAB writes it.
  private mutating func takeMonth() -> Int? {
    let word = String(decoding: text[place...].prefix(3).map { $0 | 0x20 }, as: UTF8.self)
    guard
      let month = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
        .firstIndex(of: word)
    else { return nil }
    place += 3
    return month + 1
  }

  /// Nanoseconds since 1970; `nil` beyond the limits of timestamps.
  static func total(_ day: Int, _ nanoseconds: Int64) -> Int64? {
    let (product, overflow) = Int64(day).multipliedReportingOverflow(by: 86_400_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(nanoseconds)
    return !overflow && !carry && DecimalNumber.isTimestamp(sum) ? sum : nil
  }

  private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    CivilDays.isDate(year: year, month: month, day: day) ? CivilDays.days(year: year, month: month, day: day) : nil
  }
}

// MARK: - Dates

extension TimeField {
  /// Takes the whole text as a date with a time of day.
  mutating func takeMoment(isDayFirst: Bool) -> DateTimeText.Moment? {
    extend()
    guard isDigit(0) else { return takeNamedDay() }
    // If date and time of day are separate columns, the separator is the recording's delimiter.
    guard let day = takeDate(isDayFirst: isDayFirst), !isAtEnd, !isDigit(place) else { return nil }
    place += 1
    skipBlanks()
    guard let time = takeTimeOfDay() else { return nil }
    skipBlanks()
    let hasZone = !isAtEnd
    guard let offset = takeZone(), isAtEnd, let wall = Self.total(day, time) else { return nil }
    return DateTimeText.Moment(wallNanoseconds: wall, offset: hasZone ? offset : nil)
  }

  /// Turns `20260504T081500.020`, the basic form of ISO 8601, into the extended form.
  private mutating func extend() {
    guard text.count >= 15, "T_-".utf8.contains(text[8]), (0..<15).allSatisfy({ $0 == 8 || isDigit($0) }), !isDigit(15)
    else { return }
    text[8] = UInt8(ascii: "T")
    for (place, mark) in [(13, ":"), (11, ":"), (6, "-"), (4, "-")] { text.insert(contentsOf: mark.utf8, at: place) }
  }

  /// Takes `YYYY-MM-DD`, `YYYY/M/D`, `YYYY. M. D.`, `DD.MM.YYYY`, `M/D/YYYY` or, if known, `D/M/YYYY`, and returns the day's number.
  mutating func takeDate(isDayFirst: Bool) -> Int? {
    let start = place
    if let year = takeDigits(4), let mark = next {
      place += 1
      if mark == UInt8(ascii: "-") {
        guard let month = takeDigits(2), take(mark), let day = takeDigits(2) else { return nil }
        return Self.day(year, month, day)
      }
      // With dots as in Korean, `2026. 5. 4.`: without blanks it is a version.
      let isDot = mark == UInt8(ascii: ".")
      guard isDot ? next == 0x20 : mark == UInt8(ascii: "/") else { return nil }
      if isDot { skipBlanks() }
      guard let month = takeNumber(), takeMark(mark), let day = takeNumber() else { return nil }
      if isDot { _ = take(mark) }
      return Self.day(year, month, day)
    }
    place = start
    guard let first = takeNumber(), let mark = next, "./-".utf8.contains(mark), takeMark(mark) else { return nil }
    let isDash = mark == UInt8(ascii: "-")
    if isDash, let month = takeMonth() {
      guard take(mark), let year = takeDigits(4) else { return nil }
      return Self.day(year, month, first)
    }
    guard let second = takeNumber(), takeMark(mark),
      let year = takeDigits(4) ?? (isDash ? nil : takeDigits(2).map { 2000 + $0 }), !isDigit(place)
    else { return nil }
    // With dots the day always comes first; otherwise it is known, or only one of the two can be the month.
    let isDay = mark == UInt8(ascii: ".") || isDayFirst || first > 12
    return isDay && second <= 12 ? Self.day(year, second, first) : Self.day(year, first, second)
  }

  /// Takes the mark between two parts of a date. Behind a dot, blanks may follow: `4. 5. 2026`.
  private mutating func takeMark(_ mark: UInt8) -> Bool {
    guard take(mark) else { return false }
    if mark == UInt8(ascii: ".") { skipBlanks() }
    return true
  }

  /// Takes the whole text as a moment that begins with the name of a day or of a month, as C's `ctime`, `date`, Java, mail and
  /// JavaScript write it, possibly with a fraction.
  private mutating func takeNamedDay() -> DateTimeText.Moment? {
    let firstMonth = takeMonth()
    // The day of the week says nothing new.
    if firstMonth == nil, takeLetters().count != 3 { return nil }
    // As in mail, the day comes before the month.
    if firstMonth == nil, take(UInt8(ascii: ",")) {
      skipBlanks()
      guard let day = takeNumber(), take(0x20), let month = takeMonth(), let year = takeYear() else { return nil }
      return takeZonedTime(year, month, day)
    }
    guard take(0x20), let month = firstMonth ?? takeMonth() else { return nil }
    skipBlanks()
    guard let day = takeNumber() else { return nil }
    let start = place
    _ = take(UInt8(ascii: ","))
    if let year = takeYear() { return takeZonedTime(year, month, day) }
    place = start
    guard take(0x20), let time = takeTimeOfDay() else { return nil }
    // The letters of a zone say its offset only for UTC.
    var zone = ""
    if place + 1 < text.count, !isDigit(place + 1), take(0x20) { zone = takeLetters() }
    guard let year = takeYear(), isAtEnd, let number = Self.day(year, month, day), let wall = Self.total(number, time)
    else { return nil }
    return DateTimeText.Moment(wallNanoseconds: wall, offset: ["UTC", "GMT"].contains(zone) ? 0 : nil)
  }

  /// Takes a blank and the four digits of a year, behind which a blank, a comma or nothing stands.
  private mutating func takeYear() -> Int? {
    guard take(0x20), let year = takeDigits(4), isAtEnd || next == 0x20 || next == UInt8(ascii: ",") else { return nil }
    return year
  }

  /// Takes the rest of a text, `10:00:59`, `, 10:00:59 AM` or `@ 10:00:59.980`: a time of day, its offset from UTC, and the name of the
  /// zone in parentheses.
  private mutating func takeZonedTime(_ year: Int, _ month: Int, _ day: Int) -> DateTimeText.Moment? {
    _ = take(UInt8(ascii: ","))
    guard take(0x20) else { return nil }
    if take(UInt8(ascii: "@")) { skipBlanks() }
    guard let time = takeTimeOfDay(), let number = Self.day(year, month, day), let wall = Self.total(number, time)
    else { return nil }
    if text.last == UInt8(ascii: ")"), let open = text[place...].firstIndex(of: UInt8(ascii: "(")) {
      text.removeSubrange(open...)
      while text.count > place, text.last == 0x20 { text.removeLast() }
    }
    skipBlanks()
    if isAtEnd { return DateTimeText.Moment(wallNanoseconds: wall, offset: nil) }
    guard let offset = takeZone(), isAtEnd else { return nil }
    return DateTimeText.Moment(wallNanoseconds: wall, offset: offset)
  }
}

// MARK: - Times of day and zones

extension TimeField {
  private static let colon = UInt8(ascii: ":")
  private static let halfDay: Int64 = 12 * 3_600_000_000_000

  private static let halves: [(letters: [UInt8], isAfternoon: Bool)] = [
    ("오전", false), ("오후", true), ("上午", false), ("下午", true), ("午前", false), ("午後", true),
  ].map { (Array($0.0.utf8), $0.1) }

  /// Takes `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`; a leap second counts as the first of the next minute. Sketches print `8:5:0`.
  mutating func takeTimeOfDay() -> Int64? {
    if let next, next > 0x7F {
      // In Chinese, Japanese and Korean, the half of the day comes first.
      guard let half = Self.halves.first(where: { text[place...].starts(with: $0.letters) }) else { return nil }
      place += half.letters.count
      skipBlanks()
      guard isDigit(place), let time = takeTimeOfDay(), time < Self.halfDay + 3_600_000_000_000 else { return nil }
      return time % Self.halfDay + (half.isAfternoon ? Self.halfDay : 0)
    }
    guard let hour = takeNumber(), hour < 24, take(Self.colon) else { return nil }
    let isLong = isDigit(place + 1)
    guard let minute = takeNumber(), minute < 60, isLong || next == Self.colon else { return nil }
    var nanoseconds = Int64(hour * 3600 + minute * 60) * 1_000_000_000
    if take(Self.colon) {
      guard let second = takeNumber(), second <= 60, let part = takePart() else { return nil }
      nanoseconds += Int64(second) * 1_000_000_000 + part
    }
    return takeHalf(hour).map { nanoseconds + $0 }
  }

  /// Takes the part of a second behind a point, a comma or a third colon: `8:15:00:5` is five milliseconds, as GENEActiv writes them
  /// without leading zeros, not half a second.
  private mutating func takePart() -> Int64? {
    if next == Self.colon {
      let digits = text[(place + 1)...].prefix { $0 &- 0x30 <= 9 }.count
      if digits == 0 { return 0 }
      place += 1
      return digits > 2 ? takeFraction() : takeNumber().map { Int64($0) * (inHundredths ? 10_000_000 : 1_000_000) }
    }
    return take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")) ? takeFraction() : 0
  }

  /// Takes AM or PM after a time of day, if present, and returns what it adds.
  private mutating func takeHalf(_ hour: Int) -> Int64? {
    let start = place
    skipBlanks()
    guard let letter = next.map({ $0 | 0x20 }), "ap".utf8.contains(letter) else {
      place = start
      return 0
    }
    place += 1
    // `p. m.`, as in Spanish.
    if take(UInt8(ascii: ".")) { skipBlanks() }
    guard take(UInt8(ascii: "m")) || take(UInt8(ascii: "M")) else {
      place = start
      return 0
    }
    _ = take(UInt8(ascii: "."))
    guard (1...12).contains(hour) else { return nil }
    let isAfternoon = letter == UInt8(ascii: "p")
    return (hour == 12) == isAfternoon ? 0 : isAfternoon ? Self.halfDay : -Self.halfDay
  }

  /// Takes `58:20.0`, minutes and seconds with a fraction: a time of day as a spreadsheet saves it.
  mutating func takeMinutes() -> Int64? {
    guard let minute = takeNumber(), minute < 60, take(Self.colon), let second = takeDigits(2), second < 60,
      take(UInt8(ascii: ".")) || take(UInt8(ascii: ",")), let fraction = takeFraction()
    else { return nil }
    return Int64(minute * 60 + second) * 1_000_000_000 + fraction
  }

  /// Takes the digits after the second, rounded to nanoseconds.
  private mutating func takeFraction() -> Int64? {
    let digits = text[place...].prefix { $0 &- 0x30 <= 9 }
    if digits.isEmpty { return nil }
    place = digits.endIndex
    let value = digits.prefix(9).reduce(Int64(0)) { $0 * 10 + Int64($1 &- 0x30) }
    let isRoundedUp = digits.dropFirst(9).first.map { $0 >= UInt8(ascii: "5") } ?? false
    return (digits.count..<max(9, digits.count)).reduce(value + (isRoundedUp ? 1 : 0)) { value, _ in value * 10 }
  }

  /// Takes the name of a zone that says an offset, and returns this.
  mutating func takeNameOfZone() -> Int? {
    let start = place
    if let minutes = DateTimeText.zones[takeLetters()], isAtEnd || next == 0x20 { return minutes * 60 }
    place = start
    return nil
  }

  /// Takes an optional zone after a time of day and returns the offset from UTC in seconds; no zone means UTC.
  /// - Parameter isWhole: whether it must end the text.
  mutating func takeZone(isWhole: Bool = true) -> Int? {
    skipBlanks()
    // `[Europe/London]` after the offset repeats it.
    if isWhole, text.last == UInt8(ascii: "]"), let open = text[place...].lastIndex(of: UInt8(ascii: "[")) {
      text.removeSubrange(open...)
    }
    if isAtEnd || take(UInt8(ascii: "Z")) || take(UInt8(ascii: "z")) { return 0 }
    let isUTC = ["UTC", "GMT"].contains { text[place...].starts(with: $0.utf8) }
    if isUTC { place += 3 }
    if isUTC, isAtEnd { return 0 }
    let isNegative = next == UInt8(ascii: "-")
    guard isNegative || next == UInt8(ascii: "+") else { return isUTC ? nil : takeNameOfZone() }
    place += 1
    guard let hours = takeDigits(2), hours < 24 else { return nil }
    var minutes = 0
    if take(Self.colon) || isWhole && !isAtEnd || isDigit(place) {
      guard let stated = takeDigits(2), stated < 60 else { return nil }
      minutes = stated
    }
    return (hours * 60 + minutes) * (isNegative ? -60 : 60)
  }
}
