import Accelerometry

/// The meaning of a column's name: an axis and its quantity, or a time, with the unit.
///
/// Names are split into words at characters other than letters and digits, and before capitals:
/// `accelerometerAccelerationX(G)`, `acc_x_mg`, `Linear Acceleration y (m/s^2)`, `ts_ms`, `user_accel.z`, `ax`.
struct ColumnName: Equatable {
  enum Axis: Int { case x, y, z }

  /// The quantities of three axes, the preferred one first.
  enum Quantity: Int, Comparable {
    /// Acceleration including gravity.
    case acceleration
    /// Axes of an unnamed quantity.
    case unnamed
    /// Acceleration from which the platform removed gravity.
    case linear
    /// `gx, gy, gz`: next to other axes a gyroscope's; otherwise possibly multiples of g.
    case ambiguous

    static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
  }

  enum Role: Equatable {
    /// An axis; the words around it identify the sensor.
    case axis(Axis, Quantity, sensor: String)
    case time(TimestampFormat?)
    /// When a program received or stored a row, such as `received_at`: used if there is no other time.
    case recordTime
    case date
    /// An axis of another sensor: a gyroscope, a magnetometer, an orientation.
    case foreign
    /// Anything else, such as a label or a counter.
    case other

    var isTime: Bool { if case .time = self { true } else { false } }
  }

  var role: Role
  var unit: AccelerationUnit?
  /// The axis of gravity alone, which the platform separated from the linear acceleration.
  private(set) var gravity: Axis?

  /// Whether it is an axis that its name says to include gravity.
  var includesGravity: Bool {
    guard case .axis(_, .acceleration, let sensor) = role else { return false }
    return sensor.filter { $0 != " " }.holds("includinggravity")
  }

  /// Longer texts are not names. In bytes.
  static let longest = 512

  init(_ name: String) {
    guard name.utf8.count <= Self.longest else {
      role = .other
      return
    }
    let name = Self.withBrackets(name)
    let (text, bracketed) = Self.separateUnit(name)
    var words = Self.words(text)
    unit = bracketed.flatMap(Self.accelerationUnit)
    // An element of an array: `accel[0]`.
    if let bracketed, ["0", "1", "2"].contains(bracketed), !words.isEmpty { words.append(bracketed) }
    if unit == nil { unit = Self.takeAccelerationUnit(&words) }
    role = .other
    if Self.isPerSecond(name) || Self.unitsOfOthers.contains(bracketed ?? ""),
      words.contains(where: { Self.axis(ofWord: $0) != nil })
    {
      // A turn or a speed, whatever the language of its name.
      role = .foreign
      return
    }
    if words.first == "fecha", words.count > 1 {
      // "Fecha y hora" has no axis.
      role = .time(bracketed.flatMap(Self.timeUnit))
    } else if let unit = Self.unitOfTime(name), Self.axis(ofWord: words.first ?? "") != nil, words.count == 1 {
      // `X [s]` is the abscissa of a diagram.
      role = .time(unit)
    } else if let axis = Self.takeAxis(&words) {
      role = Self.quantity(words).map { .axis(axis, $0, sensor: words.joined(separator: " ")) } ?? .foreign
      if role == .foreign, words.contains(where: { $0.hasPrefix("grav") }) { gravity = axis }
    } else if let time = words == ["now"] ? .time(nil) : Self.time(words, bracketed: bracketed) {
      role = time
    }
  }

  /// `t / s` and `X-axis / m/s²`, as physicists write the unit, with the unit in brackets.
  private static func withBrackets(_ name: String) -> String {
    guard let slash = name.firstRange(of: " / ") else { return name }
    let unit = String(name[slash.upperBound...])
    let text = unit.lowercased().filter { !"() ".contains($0) }
    let isUnit = accelerationUnit(normalised(unit)) != nil || timeUnit(text) != nil || text.hasSuffix("/s")
    return isUnit ? "\(name[..<slash.lowerBound]) (\(text))" : name
  }

  /// Longer texts are not units. In bytes.
  static let longestUnit = 32

  static func unit(inBrackets text: String) -> AccelerationUnit? { accelerationUnit(normalised(text)) }

  /// The length in the brackets behind a name: `X [mm]`.
  static func unitOfLength(_ name: String) -> String? {
    guard let unit = separateUnit(name).unit, ["mm", "cm", "m"].contains(unit) else { return nil }
    return unit
  }

  /// Splits `Time (s)` and `timestamp [ns]` at the bracket.
  private static func separateUnit(_ name: String) -> (text: String, unit: String?) {
    guard let (before, unit, behind) = parts(name, "([{（", ")]}）") else { return (name, nil) }
    return ("\(before) \(behind)", normalised(String(unit)))
  }

  /// What stands in the last brackets of a name, and around them.
  private static func parts(
    _ name: String, _ opening: String = "([（", _ closing: String = ")]）"
  ) -> (before: Substring, text: Substring, behind: Substring)? {
    guard let open = name.lastIndex(where: opening.contains),
      let close = name[open...].firstIndex(where: closing.contains)
    else { return nil }
    return (name[..<open], name[open..<close].dropFirst(), name[close...].dropFirst())
  }

  /// The unit of time that the brackets at the end of a name hold, as it stands: `m/s` is none.
  private static func unitOfTime(_ name: String) -> TimestampFormat? {
    guard name.last == "]" || name.last == ")", let open = name.lastIndex(where: { "[(".contains($0) }) else {
      return nil
    }
    return timeUnit(name[name.index(after: open)...].dropLast().lowercased().replacing("µ", with: "u"))
  }

  /// Units of turns, fields and pressures, as ``normalised(_:)``.
  private static let unitsOfOthers: Set = [
    "dps", "mdps", "rps", "rpm", "deg", "ut", "mt", "nt", "gauss", "mgauss", "hpa", "kpa",
  ]

  /// Whether the unit in brackets is something a second, such as `°/s`, `deg/s` or `m/s`; `m/s/s` is an acceleration.
  private static func isPerSecond(_ name: String) -> Bool {
    guard let unit = parts(name)?.text.lowercased().filter({ $0 != " " }) else { return false }
    return (unit.hasSuffix("/s") || unit.hasSuffix("/sec")) && unit.count { $0 == "/" } == 1
  }

  /// The letters and digits of a unit: `m/s^2`, `m·s⁻²`, `m / s²` all become `ms2`; `µs` becomes `us`.
  private static func normalised(_ unit: String) -> String {
    var letters = ""
    for scalar in unit.unicodeScalars {
      switch scalar {
      case "²": letters += "2"
      case "µ", "μ": letters += "u"
      default:
        if scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) { letters.unicodeScalars.append(scalar) }
      }
    }
    return letters.lowercased()
  }

  private static func words(_ text: String) -> [String] {
    var words: [String] = []
    var word = ""
    var previousWasLower = false
    for character in text {
      let isWord = character.isLetter || character.isNumber
      if !isWord || (character.isUppercase && previousWasLower), !word.isEmpty {
        words.append(word.lowercased())
        word = ""
      }
      if isWord { word.append(character) }
      previousWasLower = character.isLowercase
    }
    if !word.isEmpty { words.append(word.lowercased()) }
    return words
  }

  private static func accelerationUnit(_ word: String) -> AccelerationUnit? {
    switch word {
    case "g", "gs", "gn", "g0", "gravities": .g
    case "mg", "millig", "mgs", "millig0": .milliG
    case "ms2", "mss", "mps2", "msec2", "ms22", "meterspersecondsquared", "metrespersecondsquared", "meterss2",
      "mpers2", "ms²", "мс2", "мс²":
      .metresPerSecondSquared
    case "ug", "microg": .raw(countsPerG: 1_000_000)
    case "gal", "gals", "cms2", "cmss", "cmsec2": .raw(countsPerG: 980.665)
    case "mms2", "mmss", "mmsec2": .raw(countsPerG: 9806.65)
    case "fts2", "ftss", "ftsec2", "feetpersecondsquared": .raw(countsPerG: 32.174)
    default: nil
    }
  }

  /// Removes a unit from the end of `acc_x_mg` or `accel_x_m_s2`; a single `g` is a unit only after an axis.
  private static func takeAccelerationUnit(_ words: inout [String]) -> AccelerationUnit? {
    for count in [3, 2, 1] where words.count > count {
      let rest = words.dropLast(count)
      guard axis(ofWord: rest.last ?? "") != nil, let unit = accelerationUnit(words.suffix(count).joined()) else {
        continue
      }
      words = Array(rest)
      return unit
    }
    return nil
  }

  /// Words that an axis letter may follow directly, as in `accx` and `ax`.
  private static let stems: Set<String> = [
    "a", "acc", "accel", "acceleration", "accelerometer", "linacc", "lacc", "linaccel", "useracc", "useracceleration",
    "uacc", "f", "g", "gyr", "gyro", "gyroscope", "m", "mag", "magn", "w", "r", "rot", "b", "v", "q", "axis", "grav",
    "gravity", "linearacceleration", "rotationrate", "la", "ua", "加速度", "线性加速度", "角速度", "角度", "陀螺仪", "磁场", "轴",
    "轴加速度", "轴角速度",
  ]

  private static func axis(ofWord word: String) -> Axis? {
    if word.count == 1 { return word.first.flatMap(axis(letter:)) }
    if let letter = word.last, let axis = axis(letter: letter), stems.contains(String(word.dropLast())) { return axis }
    if let letter = word.first, let axis = axis(letter: letter), stems.contains(String(word.dropFirst())) {
      return axis
    }
    return nil
  }

  private static func axis(letter: Character) -> Axis? {
    switch letter {
    case "x": .x
    case "y": .y
    case "z": .z
    default: nil
    }
  }

  /// Removes the axis from the words; the others name the sensor.
  private static func takeAxis(_ words: inout [String]) -> Axis? {
    // An array of three elements in JSON: acc.0, acc.1, acc.2.
    if words.count > 1, let last = words.last, let index = ["0", "1", "2"].firstIndex(of: last) {
      words.removeLast()
      return Axis(rawValue: index)
    }
    guard let place = words.lastIndex(where: { axis(ofWord: $0) != nil }), let axis = axis(ofWord: words[place]) else {
      return nil
    }
    let word = words[place]
    words.remove(at: place)
    if word.count > 1 {
      let startsWithAxis = Self.axis(letter: word.first ?? " ") != nil && stems.contains(String(word.dropFirst()))
      words.insert(String(startsWithAxis ? word.dropFirst() : word.dropLast()), at: place)
    }
    words.removeAll { $0 == "axis" }
    return axis
  }

  /// The quantity that the words without the axis name; `nil` if it is not acceleration.
  private static func quantity(_ words: [String]) -> Quantity? {
    // Telegraf writes `fields.x`.
    if words.first == "fields" { return quantity(Array(words.drop { $0 == "fields" })) }
    // ROS prints messages as `field.linear_acceleration.x`; its linear acceleration includes gravity.
    if words.first == "field", words.count > 1 {
      return words.suffix(2) == ["linear", "acceleration"] ? .acceleration : quantity(Array(words.dropFirst()))
    }
    // "lacc" means linear acceleration, but not in "totalacceleration".
    let joined = words.joined()
    let text = joined.holds("totalacc") ? joined.replacing("totalacc", with: "acc") : joined
    let holds = { (parts: [String]) in parts.contains { text.holds($0) } }
    if words == ["g"] { return .ambiguous }
    if holds(["includinggravity", "withgravity", "incgravity"]), !holds(["without"]) { return .acceleration }
    if holds([
      "gyr", "rot", "angular", "omega", "mag", "compass", "field", "orient", "euler", "quat", "attitude", "drehrate",
      "winkel", "giro", "гиро", "магн", "угл", "角", "陀螺", "磁", "ジャイロ", "地磁気", "kreisel", "jirosk", "żyrosk", "zyrosk",
      "angvel", "angulaire", "angolare", "angular", "kątowa", "hoeksnel", "vinkelhast", "kulmanop", "úhlov", "açısal",
      "각속도", "자이로",
    ]) || words == ["gir"] {
      return nil
    }
    if holds(["veloc", "speed", "gps", "location", "position", "displace", "force", "temp", "pressure"]) { return nil }
    if holds([
      "linear", "lin", "user", "freeacc", "线性", "線形", "линейн", "lacc", "nograv", "withoutg", "ohneg", "useracc",
      "gravityremoved", "gravityfree",
    ]) {
      return .linear
    }
    if words == ["la"] || words == ["ua"] || words == ["uacc"] { return .linear }
    let accelerations = ["acc", "beschleunig", "akzel", "acel", "versnelling", "przyspiesz", "ускор", "加速", "가속"]
    if holds(accelerations) || words == ["a"] { return .acceleration }
    if words.contains(where: unitsInNames.contains) { return nil }
    if holds(["grav"]) || words.contains(where: { ["m", "w", "r", "b", "v", "q", "abs", "h"].contains($0) }) {
      return nil
    }
    return .unnamed
  }

  /// Units of turns and fields behind an underscore: `gx_dps`.
  private static let unitsInNames: Set = ["dps", "mdps", "rps", "rads", "radps", "degs", "gauss"]

  private static let timeWords: Set<String> = [
    "t", "time", "timestamp", "times", "timestamps", "ts", "epoch", "epoc", "unix", "unixtime", "datetime", "elapsed",
    "clock", "uptime", "tow", "itow", "timems", "timens", "timeus", "tms", "tns", "tus", "utc", "zeit", "zeitstempel",
    "uhrzeit", "heure", "temps", "tiempo", "hora", "tempo", "ora", "czas", "tijd", "zaman", "время", "时间", "時間",
    "时间戳", "时刻", "時刻", "시간", "tid", "aika", "čas", "laufzeit", "durée", "horodatage", "tijdstip", "tijdstempel",
    "タイムスタンプ", "타임스탬프", "czasu", "времени", "時間戳", "時間戳記", "millis", "micros",
  ]

  private static func time(_ words: [String], bracketed: String?) -> Role? {
    let text = words.joined()
    if ["date", "datum", "fecha"].contains(words.first ?? ""), words.count == 1 { return .date }
    let foreign = ["gyr", "mag", "zone", "gps", "location", "battery"].contains { text.holds($0) }
    let units = words.compactMap(timeUnit)
    let isTime =
      words.contains { timeWords.contains($0) || $0.hasSuffix("timestamp") || $0.hasSuffix("time") }
      || (!units.isEmpty && words.count == 1) || text == "datetime" || text.hasPrefix("seconds")
    if !isTime, words.count > 1, words.last == "at" { return .recordTime }
    guard isTime, !foreign else { return nil }
    // Alone, 'min' is a minimum.
    let isInMinutes = (bracketed.map { [$0] } ?? words).contains { minuteWords.contains($0) }
    return .time(bracketed.flatMap(timeUnit) ?? units.first ?? (isInMinutes ? .minutes : gluedUnit(words.last ?? "")))
  }

  /// The unit in a name that is one of time, but not one that this program knows: `time [s/256]`, `Time (h:m:s:f)`.
  static func unknownTimeUnit(_ name: String) -> String? {
    guard case .time(nil) = ColumnName(name).role, let unit = parts(name)?.text else { return nil }
    let text = unit.lowercased().filter { !$0.isWhitespace }
    let isFraction = text.firstMatch(of: /^(s|sec|seconds?|ms)\/[0-9]+$/) != nil
    let isOther =
      ["ticks", "tick", "counts", "cycles", "frames", "samples"].contains(text) || text.hasSuffix(":s:f")
      || text.hasSuffix(":ss:ff")
    return isFraction || isOther ? String(unit) : nil
  }

  /// Names of columns that number rows or packets, in letters.
  private static let counters: Set = [
    "packetnumber", "packetcounter", "packet", "packetno", "seq", "seqno", "sequence", "sequencenumber", "frame",
    "framenumber", "frameno", "no", "number", "nr", "index", "idx", "count", "counter", "sample", "samplenumber",
    "sampleno", "sampleindex", "row", "rownumber", "entryid", "id",
  ]

  /// Whether a column numbers its rows, so that it is no time.
  static func isCounter(_ name: String) -> Bool { counters.contains(name.lowercased().filter(\.isLetter)) }

  /// The parts of a second in which a column has the interval between two samples: 0 if its name does not say it, and `nil` if
  /// it has something else.
  static func partsOfInterval(_ name: String) -> Double? {
    var words = words(name)
    let parts = words.last.flatMap(partsOfSecond)
    if parts != nil { words.removeLast() }
    return ["interval", "dt", "delta"].contains(words.last) ? parts ?? 0 : nil
  }

  /// How many of a unit of time are a second.
  static func partsOfSecond(_ unit: String) -> Double? {
    timeUnit(unit.lowercased()).map { 1e9 / Double(PowersOfTen.whole[$0.powerOfTen]) }
  }

  /// The unit in the name of a column that is known to be a clock: behind a time, or alone, as in `min`.
  static func unitOfClock(_ name: String) -> TimestampFormat? {
    if case .time(let format) = ColumnName(name).role { return format }
    let word = name.lowercased().filter(\.isLetter)
    return minuteWords.contains(word) ? .minutes : timeUnit(word)
  }

  private static let minuteWords: Set = ["min", "mins", "minute", "minutes", "minuten"]

  private static func timeUnit(_ word: String) -> TimestampFormat? {
    switch word {
    case "s", "sec", "secs", "second", "seconds", "sekunde", "sekunden", "с", "сек", "秒": .seconds
    case "ms", "msec", "msecs", "millis", "millisec", "millisecond", "milliseconds", "millisekunden", "мс", "毫秒":
      .milliseconds
    case "us", "usec", "usecs", "micros", "microsec", "microsecond", "microseconds", "мкс", "微秒": .microseconds
    case "ns", "nsec", "nsecs", "nanos", "nanosec", "nanosecond", "nanoseconds": .nanoseconds
    default: nil
    }
  }

  /// The unit of `timems`.
  private static func gluedUnit(_ word: String) -> TimestampFormat? {
    guard word.count > 2, timeWords.contains(word) else { return nil }
    return timeUnit(String(word.suffix(2)))
  }
}
