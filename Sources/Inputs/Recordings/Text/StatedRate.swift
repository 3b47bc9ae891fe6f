import Accelerometry

/// The sampling frequency that a line above the samples states, or a member of a JSON document.
enum StatedRate {
  /// Longer lines state none. In bytes.
  private static let (longest, longestAlone) = (8192, 40)
  /// Those of a line that is nothing but `rate: 50`; others are those of a port or a radio, in hertz.
  private static let plausible = 5.0...400

  /// The names of a frequency and of the time between two samples, in lines of their own and in JSON.
  private static let rates: Set = ["", "fs", "sf", "rate", "freq", "frequency", "sr", "odr"]
  private static let periods: Set = ["dt", "interval", "period"]
  /// The same among other words, where a word for samples stands in front.
  private static let samples: Set = ["sample", "sampling"]
  private static let german = ["abtastrate", "abtastfrequenz", "abtastintervall", "abtastzeit", "abtastperiode"]

  /// Letters of words without which a line states none.
  private static let hints = ["hz", "ampl", "delta", "abtast"].map { Array($0.utf8) }

  /// Whether a line speaks of samples and states their frequency.
  static func speaksOfSamples(_ text: [UInt8]) -> Bool {
    text.count <= longest && text.map { $0 | 0x20 }.firstRange(of: "sampl".utf8) != nil
      && (frequency(in: text) ?? frequency(inAll: text)) != nil
  }

  private static func frequency(period: Double, _ unit: String) -> SamplingFrequency? {
    guard period > 0, let perSecond = ColumnName.partsOfSecond(unit) else { return nil }
    return SamplingFrequency(hertz: perSecond / period)
  }

  /// The number before "Hz", or after words such as "sampling rate" and "sample interval".
  static func frequency(in text: [UInt8]) -> SamplingFrequency? {
    // Most lines of a long log end here.
    guard text.count <= longest, text.contains(where: { $0 &- 0x30 <= 9 }),
      hints.contains(where: { word in word.allSatisfy { letter in text.contains { $0 | 0x20 == letter } } })
    else { return nil }
    let line = String(decoding: text, as: UTF8.self).lowercased()
    let words = line.split { " \t_-:=,;\"(){}[]".contains($0) }.map(String.init)
    // The bandwidth of a filter is not a sampling frequency.
    if !["bandwidth", "cutoff", "filter b", "lowpass", "low-pass"].contains(where: { line.holds($0) }) {
      for (index, word) in words.enumerated() where word.hasSuffix("hz") {
        let number = word == "hz" ? index > 0 ? words[index - 1] : "" : String(word.dropLast(2))
        if let frequency = Double(number).flatMap({ SamplingFrequency(hertz: $0) }) { return frequency }
      }
    }
    for index in words.indices {
      if let frequency = frequency(from: words[index...], in: line) { return frequency }
      if index > 0, let frequency = perSample(words[index], number: words[index - 1]) { return frequency }
    }
    return nil
  }

  /// The frequency that these words state at their beginning.
  private static func frequency(from words: ArraySlice<String>, in line: String) -> SamplingFrequency? {
    guard let first = words.first else { return nil }
    var rest = words.dropFirst()
    if first == "delta", rest.popFirst() == "x" {
      // The interval in seconds of a measurement file of LabVIEW, also with a decimal comma.
      let numbers = line.split { " \t;".contains($0) }.dropFirst()
      return (numbers.first.flatMap { Double($0.replacing(",", with: ".")) } ?? rest.first.flatMap { Double($0) })
        .flatMap { frequency(period: $0, "s") }
    }
    var name = first
    if samples.contains(first) {
      name = rest.popFirst() ?? ""
    } else if let stem = ["sample", "sampling"].first(where: { first.hasPrefix($0) }) {
      name = String(first.dropFirst(stem.count))
    } else if let place = german.firstIndex(of: first) {
      name = place < 2 ? "rate" : "period"
    } else {
      return nil
    }
    if periods.contains(name) || name == "time" || name == "every" {
      guard let word = rest.popFirst() else { return nil }
      let number = word.prefix { $0.isNumber || $0 == "." }
      let unit = number.count < word.count ? String(word.dropFirst(number.count)) : rest.first ?? ""
      return Double(number).flatMap { frequency(period: $0, unit) }
    }
    guard ["rate", "frequency", "freq"].contains(name) else { return nil }
    if rest.first == "hz" { rest.removeFirst() }
    // A unit behind the number is that of a time.
    guard let number = rest.popFirst().flatMap({ Double($0) }),
      !["µs", "min", "minutes", "khz"].contains(rest.first ?? ""), ColumnName.partsOfSecond(rest.first ?? "") == nil
    else { return nil }
    return SamplingFrequency(hertz: number)
  }

  /// The frequency of `20 msec/sample` or `50 samples/second`.
  private static func perSample(_ word: String, number: String) -> SamplingFrequency? {
    let parts = word.split(separator: "/").map(String.init)
    guard parts.count == 2, let number = Double(number) else { return nil }
    if ["sample", "samples"].contains(parts[1]) { return frequency(period: number, parts[0]) }
    guard ["sample", "samples"].contains(parts[0]), ColumnName.partsOfSecond(parts[1]) == 1, number > 0 else {
      return nil
    }
    return SamplingFrequency(hertz: number)
  }

  /// The frequency of a line that is nothing but `fs = 50`, `rate: 50` or `dt=0.02 s`.
  static func frequency(inAll text: [UInt8]) -> SamplingFrequency? {
    guard text.count <= longestAlone, let mark = text.firstIndex(where: { ":=;,".utf8.contains($0) }) else {
      return nil
    }
    let name = String(decoding: text[..<mark], as: UTF8.self).lowercased().filter { !" \t\"#".contains($0) }
    let words = String(decoding: text[(mark + 1)...], as: UTF8.self).lowercased().split { " \t\";,=".contains($0) }
      .map(String.init)
    guard let number = words.first.flatMap({ Double($0) }), number > 0, words.count <= 2 else { return nil }
    var found: SamplingFrequency?
    if periods.contains(name), words.count == 2 { found = frequency(period: number, words[1]) }
    if name == "hz" || !name.isEmpty && rates.contains(name), words.count == 1 || words[1] == "hz" {
      found = SamplingFrequency(hertz: number)
    }
    return found.flatMap { plausible.contains($0.hertz) ? $0 : nil }
  }

  /// The first one of a JSON value, such as `{"rate":50,"x":[…],…}`, as a line of a header.
  static func line(in value: JSONValue, depth: Int = 0) -> [UInt8] {
    guard case .object(let members) = value, depth < 4 else { return [] }
    let own = members.lazy.compactMap { member in member.value.text.flatMap { frequency(ofMember: member.key, $0) } }
    if let frequency = own.first { return Array("# sampling rate \(frequency.hertz) Hz\n".utf8) }
    return members.lazy.map { line(in: $0.value, depth: depth + 1) }.first { !$0.isEmpty } ?? []
  }

  /// `"sampling_rate": 50`, `"rateHz": 50`, `"interval_ms": 20`.
  private static func frequency(ofMember key: String, _ text: String) -> SamplingFrequency? {
    guard let number = Double(text), number > 0, key.utf8.count < longestAlone else { return nil }
    var name = key.lowercased().filter { !"_- ".contains($0) }
    for stem in ["sample", "sampling"] where name.hasPrefix(stem) { name = String(name.dropFirst(stem.count)) }
    if rates.contains(name.hasSuffix("hz") ? String(name.dropLast(2)) : name.isEmpty ? "?" : name) {
      return SamplingFrequency(hertz: number)
    }
    for unit in ["ms", "us", "s"] where name.hasSuffix(unit) {
      if periods.contains(String(name.dropLast(unit.count))) { return frequency(period: number, unit) }
    }
    return nil
  }
}
