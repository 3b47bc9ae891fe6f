import Platform

/// Calendar times of recordings, parsed without a library's calendar: ISO 8601 dates and times of day.
///
/// It accepts `2026-05-06T10:11:12.123456789+02:00` and its usual variants: a blank for the T, slashes in the date, a
/// comma before the fraction, no seconds, no zone (then UTC), `Z`, `+0200`, `+02`, `+01:00[Europe/London]`; dates such
/// as `04.05.2026`, `4. 5. 2026`, `2026. 5. 4.`, `5/4/2026` and `04-May-2026`; hours of one digit, and twelve-hour
/// times with AM or PM, also in Chinese, Japanese and Korean; the names of some zones;
/// milliseconds behind a third colon; `Mon May  4 08:15:00 2026`, `Mon May  4 08:15:00 CEST 2026`,
/// `Mon, 04 May 2026 08:15:00 GMT` and `Mon May 04 2026 08:15:00 GMT+0200 (Central European Summer Time)`.
enum DateTimeText {
  /// Nanoseconds since 1970-01-01T00:00Z of a whole field; `nil` if it is not a date with a time of day, or beyond
  /// ``DecimalNumber/timestampLimit``.
  static func parseDateAndTime(
    _ bytes: Span<UInt8>, _ range: Range<Int>, isDayFirst: Bool = false, inHundredths: Bool = false
  ) -> Int64? {
    if let extended = extended(bytes, range) { return parseDateAndTime(extended.span, extended.indices) }
    var i = range.lowerBound
    let end = range.upperBound
    if i < end, !isDigit(bytes[i]) {
      return parseNamedDay(bytes, range).flatMap { total(days: $0.day, nanoseconds: $0.time - ($0.offset ?? 0)) }
    }
    guard let day = takeDate(bytes, &i, end, isDayFirst: isDayFirst), i < end else { return nil }
    // If date and time of day are separate columns, the separator is the recording's delimiter.
    if isDigit(bytes[i]) { return nil }
    i += 1
    skipBlanks(bytes, &i, end)
    guard let time = takeTimeOfDay(bytes, &i, end, inHundredths: inHundredths),
      let offset = takeZone(bytes, &i, end), i == end
    else { return nil }
    return total(days: day, nanoseconds: time - offset)
  }

  /// `20260504T081500.020`, the basic form of ISO 8601, in the extended form; `nil` for any other text.
  private static func extended(_ bytes: Span<UInt8>, _ range: Range<Int>) -> [UInt8]? {
    let start = range.lowerBound
    guard range.count >= 15, "T_-".utf8.contains(bytes[start + 8]),
      (start..<start + 15).allSatisfy({ $0 == start + 8 || isDigit(bytes[$0]) }),
      range.count == 15 || !isDigit(bytes[start + 15])
    else { return nil }
    var text: [UInt8] = []
    for place in range {
      switch place - start {
      case 4, 6: text += [UInt8(ascii: "-"), bytes[place]]
      case 8: text.append(UInt8(ascii: "T"))
      case 11, 13: text += [UInt8(ascii: ":"), bytes[place]]
      default: text.append(bytes[place])
      }
    }
    return text
  }

  /// The day, the time of day and the offset from UTC of a field that begins with the name of a day or of a month, as C's
  /// `ctime`, `date`, Java, mail and JavaScript write it, possibly with a fraction.
  private static func parseNamedDay(
    _ bytes: Span<UInt8>, _ range: Range<Int>
  ) -> (day: Int, time: Int64, offset: Int64?)? {
    var i = range.lowerBound
    let end = range.upperBound
    // The day of the week says nothing new.
    guard i + 4 < end, isLetter(bytes[i]), isLetter(bytes[i + 1]), isLetter(bytes[i + 2]) else { return nil }
    if bytes[i + 3] == UInt8(ascii: ",") {
      // As in mail, the day comes before the month.
      i += 4
      skipBlanks(bytes, &i, end)
      guard let day = takeNumber(bytes, &i, end), take(0x20, bytes, &i, end), let month = monthName(bytes, i, end)
      else { return nil }
      i += 3
      guard let year = takeYear(bytes, &i, end) else { return nil }
      return takeZonedTime(bytes, &i, end).flatMap { time in
        dayNumber(year, month, day).map { ($0, time.time, time.offset) }
      }
    }
    guard bytes[i + 3] == 0x20 else { return nil }
    if i + 7 < end, bytes[i + 7] == 0x20, monthName(bytes, i, end) == nil { i += 4 }
    guard let month = monthName(bytes, i, end) else { return nil }
    i += 3
    skipBlanks(bytes, &i, end)
    guard let day = takeNumber(bytes, &i, end) else { return nil }
    let place = i
    _ = take(UInt8(ascii: ","), bytes, &i, end)
    if let year = takeYear(bytes, &i, end) {
      return takeZonedTime(bytes, &i, end).flatMap { time in
        dayNumber(year, month, day).map { ($0, time.time, time.offset) }
      }
    }
    i = place
    guard take(0x20, bytes, &i, end), let time = takeTimeOfDay(bytes, &i, end), i < end else { return nil }
    // The letters of a zone say its offset only for UTC.
    var offset: Int64?
    if i + 1 < end, isLetter(bytes[i + 1]) {
      let start = i + 1
      i = start
      while i < end, isLetter(bytes[i]) { i += 1 }
      if isUTC(bytes, start, i) { offset = 0 }
    }
    guard let year = takeYear(bytes, &i, end), i == end else { return nil }
    return dayNumber(year, month, day).map { ($0, time, offset) }
  }

  /// Takes a blank and the four digits of a year, behind which a blank, a comma or nothing stands.
  private static func takeYear(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Int? {
    guard take(0x20, bytes, &i, end), let year = takeDigits(4, bytes, &i, end),
      i == end || bytes[i] == 0x20 || bytes[i] == UInt8(ascii: ",")
    else { return nil }
    return year
  }

  /// Takes the rest of a field, `10:00:59`, `, 10:00:59 AM` or `@ 10:00:59.980`: a time of day, its offset from UTC, and the name of the zone in parentheses.
  private static func takeZonedTime(
    _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int
  ) -> (time: Int64, offset: Int64?)? {
    _ = take(UInt8(ascii: ","), bytes, &i, end)
    guard take(0x20, bytes, &i, end) else { return nil }
    if take(UInt8(ascii: "@"), bytes, &i, end) { skipBlanks(bytes, &i, end) }
    guard let time = takeTimeOfDay(bytes, &i, end) else { return nil }
    skipBlanks(bytes, &i, end)
    var last = end
    if i < end, bytes[end - 1] == UInt8(ascii: ")"),
      let open = (i..<end).first(where: { bytes[$0] == UInt8(ascii: "(") })
    {
      last = open
      while last > i, bytes[last - 1] == 0x20 { last -= 1 }
    }
    guard i < last else { return (time, nil) }
    return takeZone(bytes, &i, last).flatMap { i == last ? (time, $0) : nil }
  }

  /// Minutes ahead of UTC of the names of zones that seldom mean another one, each with that of the other half of the year.
  private static let zones: [String: Int] = [
    "UTC": 0, "GMT": 0, "WET": 0, "WEST": 60, "BST": 60, "CET": 60, "CEST": 120, "EET": 120, "EEST": 180, "MSK": 180,
    "EST": -300, "EDT": -240, "MST": -420, "MDT": -360, "PST": -480, "PDT": -420, "AKST": -540,
    "AKDT": -480, "HST": -600, "JST": 540, "KST": 540, "AWST": 480, "ACST": 570, "ACDT": 630, "AEST": 600, "AEDT": 660,
    "NZST": 720, "NZDT": 780,
  ]

  /// The offset from UTC in nanoseconds of the name of a zone; `nil` for another word, and for a name of several zones.
  static func zoneOffset(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    guard (3...4).contains(range.count) else { return nil }
    let name = range.map { bytes[$0] }
    return zones[String(decoding: name, as: UTF8.self)].map { Int64($0) * 60_000_000_000 }
  }

  /// Whether letters are those of UTC.
  private static func isUTC(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Bool {
    end - start == 3
      && ["UTC", "GMT"].contains { (name: StaticString) in
        name.withUTF8Buffer { name in (0..<3).allSatisfy { unsafe bytes[start + $0] == name[$0] } }
      }
  }

  /// A moment as written: the local time, and its offset from UTC.
  struct Moment: Sendable, Hashable {
    /// Since 1970-01-01T00:00 in local time.
    var wallNanoseconds: Int64
    /// In seconds; `nil` without a zone.
    var offset: Int?
  }

  /// A moment with its zone; `nil` if it is not a date with a time of day.
  static func parseMoment(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Moment? {
    if let extended = extended(bytes, range) { return parseMoment(extended.span, extended.indices) }
    guard let utc = parseDateAndTime(bytes, range) else { return nil }
    var i = range.lowerBound
    if !isDigit(bytes[i]) {
      guard let offset = parseNamedDay(bytes, range)?.offset else { return Moment(wallNanoseconds: utc, offset: nil) }
      return Moment(wallNanoseconds: utc + offset, offset: Int(offset / 1_000_000_000))
    }
    guard takeDate(bytes, &i, range.upperBound) != nil else { return Moment(wallNanoseconds: utc, offset: nil) }
    i += 1
    skipBlanks(bytes, &i, range.upperBound)
    guard takeTimeOfDay(bytes, &i, range.upperBound) != nil else { return nil }
    skipBlanks(bytes, &i, range.upperBound)
    guard i < range.upperBound, let offset = takeZone(bytes, &i, range.upperBound) else {
      return Moment(wallNanoseconds: utc, offset: nil)
    }
    return Moment(wallNanoseconds: utc + offset, offset: Int(offset / 1_000_000_000))
  }

  /// Nanoseconds from 1970-01-01T00:00Z to the beginning of a date, in UTC.
  static func parseDate(_ bytes: Span<UInt8>, _ range: Range<Int>, isDayFirst: Bool = false) -> Int64? {
    var i = range.lowerBound
    guard let day = takeDate(bytes, &i, range.upperBound, isDayFirst: isDayFirst), i == range.upperBound else {
      return nil
    }
    return total(days: day, nanoseconds: 0)
  }

  /// Nanoseconds since midnight of a field such as `10:11:12.5`.
  static func parseTimeOfDay(_ bytes: Span<UInt8>, _ range: Range<Int>, inHundredths: Bool = false) -> Int64? {
    var i = range.lowerBound
    if let time = takeTimeOfDay(bytes, &i, range.upperBound, inHundredths: inHundredths), i == range.upperBound {
      return time
    }
    return parseMinutes(bytes, range)
  }

  /// `58:20.0`, minutes and seconds with a fraction: a time of day as a spreadsheet saves it.
  private static func parseMinutes(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int64? {
    var i = range.lowerBound
    guard let minute = takeNumber(bytes, &i, range.upperBound), minute < 60,
      take(UInt8(ascii: ":"), bytes, &i, range.upperBound), let second = takeDigits(2, bytes, &i, range.upperBound),
      second < 60,
      take(UInt8(ascii: "."), bytes, &i, range.upperBound) || take(UInt8(ascii: ","), bytes, &i, range.upperBound),
      let fraction = takeFraction(bytes, &i, range.upperBound), i == range.upperBound
    else { return nil }
    return Int64(minute * 60 + second) * 1_000_000_000 + fraction
  }

  /// Seconds ahead of UTC of a field such as `+01:00`, `-0500` or `Z`.
  static func parseOffset(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Int? {
    var i = range.lowerBound
    guard !range.isEmpty, let offset = takeZone(bytes, &i, range.upperBound, acceptsNames: false),
      i == range.upperBound
    else { return nil }
    return Int(offset / 1_000_000_000)
  }

  private static func total(days: Int, nanoseconds: Int64) -> Int64? {
    let (product, overflow) = Int64(days).multipliedReportingOverflow(by: 86_400_000_000_000)
    let (sum, carry) = product.addingReportingOverflow(nanoseconds)
    guard !overflow, !carry, DecimalNumber.isTimestamp(sum) else { return nil }
    return sum
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  private static func isLetter(_ byte: UInt8) -> Bool { byte | 0x20 &- 0x61 < 26 }

  private static func skipBlanks(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) {
    while i < end, bytes[i] == 0x20 { i += 1 }
  }

  /// Takes exactly `count` digits.
  private static func takeDigits(_ count: Int, _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Int? {
    guard i + count <= end else { return nil }
    var value = 0
    for k in i..<i + count {
      guard isDigit(bytes[k]) else { return nil }
      value = value * 10 + Int(bytes[k] &- 0x30)
    }
    i += count
    return value
  }

  private static func take(_ byte: UInt8, _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Bool {
    guard i < end, bytes[i] == byte else { return false }
    i += 1
    return true
  }

  /// Which of the two numbers before the year is the day: `nil` if both may be, or if the year comes first.
  static func isDayFirst(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool? {
    var i = range.lowerBound
    let end = range.upperBound
    guard let first = takeNumber(bytes, &i, end), i < end, bytes[i] != UInt8(ascii: ".") else { return nil }
    i += 1
    guard let second = takeNumber(bytes, &i, end), i < end, first != second else { return nil }
    return first > 12 && first < 32 ? true : second > 12 ? false : nil
  }

  /// Whether the order of a date's day and month is ambiguous.
  static func isAmbiguous(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    var i = range.lowerBound
    let end = range.upperBound
    guard let first = takeNumber(bytes, &i, end), first <= 12, i < end, bytes[i] == UInt8(ascii: "/") else {
      return false
    }
    i += 1
    guard let second = takeNumber(bytes, &i, end) else { return false }
    return second <= 12 && first != second
  }

  /// Takes one or two digits.
  private static func takeNumber(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Int? {
    guard i < end, isDigit(bytes[i]) else { return nil }
    var value = Int(bytes[i] &- 0x30)
    i += 1
    if i < end, isDigit(bytes[i]) {
      value = value * 10 + Int(bytes[i] &- 0x30)
      i += 1
    }
    return value
  }

  /// Takes the mark between two parts of a date. Behind a dot, blanks may follow: `4. 5. 2026`.
  private static func takeMark(_ mark: UInt8, _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Bool {
    guard take(mark, bytes, &i, end) else { return false }
    if mark == UInt8(ascii: ".") { skipBlanks(bytes, &i, end) }
    return true
  }

  /// Takes `YYYY-MM-DD`, `YYYY/M/D`, `YYYY. M. D.`, `DD.MM.YYYY`, `M/D/YYYY` or, if known, `D/M/YYYY`, and returns the day's number.
  private static func takeDate(
    _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int, isDayFirst: Bool = false
  ) -> Int? {
    let start = i
    if let year = takeDigits(4, bytes, &i, end), i < end {
      let mark = bytes[i]
      if mark == UInt8(ascii: "-") {
        guard take(mark, bytes, &i, end), let month = takeDigits(2, bytes, &i, end), take(mark, bytes, &i, end),
          let day = takeDigits(2, bytes, &i, end)
        else { return nil }
        return dayNumber(year, month, day)
      }
      // With dots as in Korean, `2026. 5. 4.`: without blanks it is a version.
      let isDot = mark == UInt8(ascii: ".")
      guard isDot ? i + 1 < end && bytes[i + 1] == 0x20 : mark == UInt8(ascii: "/"), takeMark(mark, bytes, &i, end),
        let month = takeNumber(bytes, &i, end), takeMark(mark, bytes, &i, end), let day = takeNumber(bytes, &i, end)
      else { return nil }
      if isDot { _ = take(mark, bytes, &i, end) }
      return dayNumber(year, month, day)
    }
    i = start
    guard let first = takeNumber(bytes, &i, end), i < end else { return nil }
    let mark = bytes[i]
    let isDot = mark == UInt8(ascii: ".")
    guard isDot || mark == UInt8(ascii: "/") || mark == UInt8(ascii: "-") else { return nil }
    if mark == UInt8(ascii: "-"), let month = monthName(bytes, i + 1, end) {
      i += 4
      guard take(mark, bytes, &i, end), let year = takeDigits(4, bytes, &i, end) else { return nil }
      return dayNumber(year, month, first)
    }
    guard takeMark(mark, bytes, &i, end), let second = takeNumber(bytes, &i, end), takeMark(mark, bytes, &i, end),
      let year = takeDigits(4, bytes, &i, end)
        ?? (mark == UInt8(ascii: "-") ? nil : takeDigits(2, bytes, &i, end).map { 2000 + $0 })
    else { return nil }
    if i < end, isDigit(bytes[i]) { return nil }
    // With dots the day always comes first; otherwise it is known, or only one of the two can be the month.
    let isDay = isDot || isDayFirst || first > 12
    return isDay && second <= 12 ? dayNumber(year, second, first) : dayNumber(year, first, second)
  }

  /// The month of an English name's first three letters, as MATLAB writes it.
  private static func monthName(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
    guard start + 3 <= end, !isDigit(bytes[start]) else { return nil }
    let names: StaticString = "janfebmaraprmayjunjulaugsepoctnovdec"
    return names.withUTF8Buffer { names in
      (0..<12).first { month in (0..<3).allSatisfy { unsafe bytes[start + $0] | 0x20 == names[month * 3 + $0] } }
    }.map { $0 + 1 }
  }

  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int? {
    CivilDays.isDate(year: year, month: month, day: day) ? CivilDays.days(year: year, month: month, day: day) : nil
  }

  /// Takes `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fraction`; a leap second counts as the first of the next minute.
  private static func takeTimeOfDay(
    _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int, inHundredths: Bool = false
  ) -> Int64? {
    let colon = UInt8(ascii: ":")
    if i < end, bytes[i] > 0x7F {
      // In Chinese, Japanese and Korean, the half of the day comes first.
      guard let mark = Self.halves.first(where: { mark in startsWith(mark.letters, bytes, i, end) }) else { return nil }
      i += mark.letters.count
      skipBlanks(bytes, &i, end)
      guard i < end, isDigit(bytes[i]),
        let time = takeTimeOfDay(bytes, &i, end, inHundredths: inHundredths)
      else { return nil }
      let (hour, half) = (time / 3_600_000_000_000, Int64(12 * 3_600_000_000_000))
      return hour > 12 ? nil : time % half + (mark.isAfternoon ? half : 0)
    }
    guard let hour = takeNumber(bytes, &i, end), hour < 24, take(colon, bytes, &i, end),
      let minute = takeDigits(2, bytes, &i, end), minute < 60
    else { return nil }
    var nanoseconds = Int64(hour * 3600 + minute * 60) * 1_000_000_000
    guard take(colon, bytes, &i, end) else { return takeHalf(hour, nanoseconds, bytes, &i, end) }
    guard let second = takeDigits(2, bytes, &i, end), second <= 60 else { return nil }
    nanoseconds += Int64(second) * 1_000_000_000
    let digits = digitsBehindColon(bytes, i, end)
    if (1...2).contains(digits) {
      // `8:15:00:5` is five milliseconds, not half a second.
      i += 1
      guard let number = takeNumber(bytes, &i, end) else { return nil }
      nanoseconds += Int64(number) * (inHundredths ? 10_000_000 : 1_000_000)
    } else if i < end, bytes[i] == UInt8(ascii: ".") || bytes[i] == UInt8(ascii: ",") || digits > 2 {
      i += 1
      guard let fraction = takeFraction(bytes, &i, end) else { return nil }
      nanoseconds += fraction
    }
    return takeHalf(hour, nanoseconds, bytes, &i, end)
  }

  /// The number of digits behind a third colon: milliseconds, as GENEActiv writes them, or without leading zeros.
  private static func digitsBehindColon(_ bytes: Span<UInt8>, _ i: Int, _ end: Int) -> Int {
    guard i < end, bytes[i] == UInt8(ascii: ":") else { return 0 }
    var count = 0
    while i + 1 + count < end, isDigit(bytes[i + 1 + count]) { count += 1 }
    return count
  }

  /// Whether two digits behind a third colon begin with a zero: such numbers are hundredths of a second, as milliseconds
  /// without leading zeros have none.
  static func hasHundredths(_ bytes: Span<UInt8>, _ range: Range<Int>) -> Bool {
    let colon = UInt8(ascii: ":")
    guard let last = range.last(where: { bytes[$0] == colon }), last >= range.lowerBound + 5,
      bytes[last - 3] == colon, last + 2 < range.upperBound, bytes[last + 1] == UInt8(ascii: "0")
    else { return false }
    return digitsBehindColon(bytes, last, range.upperBound) == 2 && range.count { bytes[$0] == colon } == 3
  }

  private static let halves: [(letters: [UInt8], isAfternoon: Bool)] = [
    ("오전", false), ("오후", true), ("上午", false), ("下午", true), ("午前", false), ("午後", true),
  ].map { (Array($0.0.utf8), $0.1) }

  private static func startsWith(_ letters: [UInt8], _ bytes: Span<UInt8>, _ i: Int, _ end: Int) -> Bool {
    i + letters.count <= end && letters.indices.allSatisfy { bytes[i + $0] == letters[$0] }
  }

  /// Takes AM or PM after a time of day, if present.
  private static func takeHalf(
    _ hour: Int, _ nanoseconds: Int64, _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int
  ) -> Int64? {
    var k = i
    skipBlanks(bytes, &k, end)
    guard k + 2 <= end else { return nanoseconds }
    let letter = bytes[k] | 0x20
    guard letter == UInt8(ascii: "a") || letter == UInt8(ascii: "p") else { return nanoseconds }
    k += 1
    // `p. m.`, as in Spanish.
    if take(UInt8(ascii: "."), bytes, &k, end) { skipBlanks(bytes, &k, end) }
    guard k < end, bytes[k] | 0x20 == UInt8(ascii: "m") else { return nanoseconds }
    guard (1...12).contains(hour) else { return nil }
    i = k + 1
    _ = take(UInt8(ascii: "."), bytes, &i, end)
    let isAfternoon = letter == UInt8(ascii: "p")
    let shift = hour == 12 ? (isAfternoon ? 0 : -12) : (isAfternoon ? 12 : 0)
    return nanoseconds + Int64(shift) * 3_600_000_000_000
  }

  /// Takes the digits after the second, rounded to nanoseconds.
  private static func takeFraction(_ bytes: Span<UInt8>, _ i: inout Int, _ end: Int) -> Int64? {
    let start = i
    var value: Int64 = 0
    while i < end, isDigit(bytes[i]) {
      if i - start < 9 { value = value * 10 + Int64(bytes[i] &- 0x30) }
      if i - start == 9, bytes[i] >= UInt8(ascii: "5") { value += 1 }
      i += 1
    }
    if i == start { return nil }
    for _ in 0..<max(0, 9 - (i - start)) { value *= 10 }
    return value
  }

  /// Takes an optional zone after a time of day and returns the offset from UTC in nanoseconds; no zone means UTC.
  /// - Parameter acceptsNames: whether names such as CEST are read, which say an offset and no zone.
  private static func takeZone(
    _ bytes: Span<UInt8>, _ i: inout Int, _ end: Int, acceptsNames: Bool = true
  ) -> Int64? {
    skipBlanks(bytes, &i, end)
    let start = i
    var end = end
    let whole = end
    // `[Europe/London]` after the offset repeats it.
    if i < end, bytes[end - 1] == UInt8(ascii: "]") {
      var open = end - 1
      while open > i, bytes[open] != UInt8(ascii: "[") { open -= 1 }
      if bytes[open] == UInt8(ascii: "[") { end = open }
    }
    defer { if i == end { i = whole } }
    guard i < end else { return 0 }
    if bytes[i] | 0x20 == UInt8(ascii: "z") {
      i += 1
      return 0
    }
    if i + 3 <= end, isUTC(bytes, i, i + 3) {
      i += 3
      if i == end { return 0 }
    }
    let mark = bytes[i]
    guard mark == UInt8(ascii: "+") || mark == UInt8(ascii: "-") else {
      let offset = acceptsNames && i == start ? zoneOffset(bytes, i..<end) : nil
      if offset != nil { i = end }
      return offset
    }
    i += 1
    guard let hours = takeDigits(2, bytes, &i, end), hours < 24 else { return nil }
    _ = take(UInt8(ascii: ":"), bytes, &i, end)
    var minutes = 0
    if i < end {
      guard let stated = takeDigits(2, bytes, &i, end), stated < 60 else { return nil }
      minutes = stated
    }
    let offset = Int64(hours * 60 + minutes) * 60_000_000_000
    return mark == UInt8(ascii: "-") ? -offset : offset
  }
}
