import Accelerometry
import SourceNames

extension SyntheticWalk {
  /// The names of all settings, in the order of the help.
  public static var settingKeys: [String] { table.map(\.key) }

  /// Creates a walk from `key=value` pairs, as in `synthetic:cadence=110,duration=60,position=wrist,rate=50,seed=7`.
  ///
  /// Keys are those of ``settingKeys``; of a repeated key the last value counts.
  /// - Throws: a ``SyntheticWalkError`` that lists the keys, or states the valid values.
  public init(settings: [SourceURI.Setting]) throws(SyntheticWalkError) {
    self.init()
    for setting in settings {
      guard let entry = Self.table.first(where: { $0.key == setting.key }) else { throw .unknownKey(setting.key) }
      guard entry.parse(&self, setting.value), entry.isValid(self) else {
        throw .badValue(key: setting.key, value: setting.value, expected: entry.expected)
      }
    }
    try validate()
  }

  /// The same walk; without a duration or a number of steps it lasts ten years, for programs that decide themselves when
  /// they end.
  package init(endless settings: [SourceURI.Setting]) throws(SyntheticWalkError) {
    try self.init(settings: settings)
    if !settings.contains(where: { $0.key == "duration" || $0.key == "steps" }) {
      duration = .seconds(Int64(Self.lengths.upperBound))
    }
  }

  /// The pairs from which ``init(settings:)`` creates this walk, without unset values; a program has no pair.
  public var settings: [SourceURI.Setting] {
    Self.table.map { SourceURI.Setting(key: $0.key, value: $0.text(self)) }.filter { !$0.value.isEmpty }
  }

  func validate() throws(SyntheticWalkError) {
    for entry in Self.table where !entry.isValid(self) {
      throw .badValue(key: entry.key, value: entry.text(self), expected: entry.expected)
    }
    if stepCount != nil, program != nil || !activity.isGait {
      throw .conflict("a number of steps needs walking or running; give a duration for other activities and programs")
    }
    for segment in program ?? [] {
      let seconds = segment.duration.inSeconds
      guard Self.lengths.contains(seconds) else {
        throw .badValue(key: "program", value: "\(seconds) s", expected: "parts of 0 s to ten years")
      }
      guard segment.cadence.map(Self.cadences.contains) ?? true else {
        throw .badValue(key: "program", value: "\(segment.cadence ?? 0)", expected: "cadences of 40 to 240 steps/min")
      }
    }
  }

  static let cadences = 40.0...240
  static let lengths = 0...315_576_000.0

  private struct Entry: Sendable {
    var key: String
    var expected: String
    var parse: @Sendable (inout SyntheticWalk, String) -> Bool
    var isValid: @Sendable (SyntheticWalk) -> Bool
    var text: @Sendable (SyntheticWalk) -> String
  }

  private static let table: [Entry] = wearerTable + sensorTable

  private static let wearerTable: [Entry] = [
    choice(
      "activity", Activity.allCases.map(\.rawValue), { $0.activity = Activity(rawValue: $1) ?? .walking },
      get: { $0.activity.rawValue }),
    number("cadence", "steps per minute, 40 to 240", cadences, { $0.cadence = $1 }, get: { $0.cadence }),
    number("stepLength", "metres, 0.2 to 2.5", 0.2...2.5, { $0.stepLength = $1 }, get: { $0.stepLength }),
    number("armSwing", "degrees either way, 0 to 45", 0...45, { $0.armSwing = $1 }, get: { $0.armSwing }),
    number(
      "variability", "the spread of step times, 0 to 0.1", 0...0.1, { $0.variability = $1 }, get: { $0.variability }),
    number("drift", "the slow variation of the cadence, 0 to 0.1", 0...0.1, { $0.drift = $1 }, get: { $0.drift }),
    number(
      "duration", "seconds, 0 to ten years", lengths, { $0.duration = .seconds($1) }, get: { $0.duration.inSeconds }),
    whole(
      "steps", "a whole number of steps, 1 to a billion", 1...1_000_000_000, { $0.stepCount = Int($1) },
      get: { $0.stepCount.map(Double.init) }),
    number(
      "lead", "seconds of standing before, 0 to ten years", lengths, { $0.lead = .seconds($1) },
      get: { $0.lead.inSeconds }),
    number(
      "tail", "seconds of standing after, 0 to ten years", lengths, { $0.tail = .seconds($1) },
      get: { $0.tail.inSeconds }),
    number(
      "bout", "seconds of walking before a pause, 3 or more", 3...lengths.upperBound, { $0.bout = .seconds($1) },
      get: { $0.bout?.inSeconds }),
    number(
      "pause", "seconds between bouts, 0.5 or more", 0.5...lengths.upperBound, { $0.pause = .seconds($1) },
      get: { $0.pause.inSeconds }),
    Entry(
      key: "seed", expected: "a whole number from 0",
      parse: { walk, text in
        guard let seed = UInt64(text) else { return false }
        walk.seed = seed
        return true
      }, isValid: { _ in true }, text: { "\($0.seed)" }),
  ]

  private static let sensorTable: [Entry] = [
    choice(
      "position", SensorPlacement.allCases.map(\.rawValue), { $0.position = SensorPlacement(rawValue: $1) ?? .unknown },
      get: { $0.position.rawValue }),
    Entry(
      key: "orientation", expected: "natural, random, or degrees about x/y/z as in 10/20/30",
      parse: { walk, text in
        guard let orientation = Orientation(text) else { return false }
        walk.orientation = orientation
        return true
      }, isValid: { $0.orientation.isValid }, text: { $0.orientation.text }),
    number("rate", "samples per second, 1 to 10000", 1...10_000, { $0.rate = $1 }, get: { $0.rate }),
    number("noise", "g rms, 0 to 1", 0...1, { $0.noise = $1 }, get: { $0.noise }),
    number("jitter", "a fraction of the sampling period, 0 to 0.49", 0...0.49, { $0.jitter = $1 }, get: { $0.jitter }),
    number("lost", "the fraction of lost samples, 0 to 0.99", 0...0.99, { $0.lost = $1 }, get: { $0.lost }),
    number("range", "g, 0.5 to 1000", 0.5...1000, { $0.range = $1 }, get: { $0.range }),
    whole("bits", "a whole number of bits, 4 to 24", 4...24, { $0.bits = Int($1) }, get: { Double($0.bits) }),
    choice("gravityRemoved", ["false", "true"], { $0.gravityRemoved = $1 == "true" }, get: { "\($0.gravityRemoved)" }),
  ]

  private static func number(
    _ key: String, _ expected: String, _ range: ClosedRange<Double>,
    _ set: @escaping @Sendable (inout SyntheticWalk, Double) -> Void,
    get: @escaping @Sendable (SyntheticWalk) -> Double?
  ) -> Entry {
    Entry(
      key: key, expected: expected,
      parse: { walk, text in
        guard let value = Double(text), range.contains(value) else { return false }
        set(&walk, value)
        return true
      },
      isValid: { get($0).map(range.contains) ?? true },
      text: { get($0).map { "\($0)" } ?? "" })
  }

  private static func whole(
    _ key: String, _ expected: String, _ range: ClosedRange<Double>,
    _ set: @escaping @Sendable (inout SyntheticWalk, Double) -> Void,
    get: @escaping @Sendable (SyntheticWalk) -> Double?
  ) -> Entry {
    var entry = number(key, expected, range, set, get: get)
    let parse = entry.parse
    entry.parse = { walk, text in Int(text) != nil && parse(&walk, text) }
    entry.text = { get($0).map { "\(Int($0))" } ?? "" }
    return entry
  }

  private static func choice(
    _ key: String, _ names: [String], _ set: @escaping @Sendable (inout SyntheticWalk, String) -> Void,
    get: @escaping @Sendable (SyntheticWalk) -> String
  ) -> Entry {
    Entry(
      // A synthetic sensor is somewhere.
      key: key,
      expected: "one of "
        + names.filter { $0 != SensorPlacement.unknown.rawValue }.map(Kebab.text).joined(separator: ", "),
      parse: { walk, text in
        guard let name = names.first(where: { $0 == text || Kebab.text($0) == text }) else { return false }
        set(&walk, name)
        return true
      }, isValid: { names.contains(get($0)) }, text: get)
  }
}

extension SyntheticWalk.Orientation {
  /// Parses `natural`, `random` or three angles in degrees.
  init?(_ text: String) {
    switch text {
    case "natural": self = .natural
    case "random": self = .random
    default:
      let angles = text.split(separator: "/", omittingEmptySubsequences: false).map { Double($0) ?? .nan }
      guard angles.count == 3 else { return nil }
      self = .rotated(roll: angles[0], pitch: angles[1], yaw: angles[2])
    }
  }

  var text: String {
    switch self {
    case .natural: "natural"
    case .random: "random"
    case .rotated(let roll, let pitch, let yaw): "\(roll)/\(pitch)/\(yaw)"
    }
  }

  var isValid: Bool {
    if case .rotated(let roll, let pitch, let yaw) = self { (roll + pitch + yaw).isFinite } else { true }
  }
}

/// Names of cases as they are written on a command line.
package enum Kebab {
  /// `brushing-teeth` for `brushingTeeth`.
  package static func text(_ name: String) -> String {
    name.reduce(into: "") { text, letter in text += letter.isUppercase ? "-" + letter.lowercased() : String(letter) }
  }
}
