/// A notice for the walker.
///
/// Two alerts are equal if they have the same kind, whatever their text: the queue and the record of sent alerts use
/// the kind.
public final class Alert: Sendable {
  /// Whether it is good news.
  public enum Severity: String, Sendable, Hashable, CaseIterable {
    case good, bad
  }

  /// The subject of an alert: a name of the catalogue, or one of your own game.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The name in event lines.
    public let rawValue: String

    /// Creates a kind from its name.
    public init(rawValue: String) { self.rawValue = rawValue }
  }

  /// The subject.
  public let kind: Kind
  /// One sentence for the walker.
  public let text: String
  /// Whether it is good news.
  public let severity: Severity
  /// The details, if any: why the sensor does not run and the remedy.
  public let detail: String?

  /// Creates an alert.
  public init(kind: Kind, text: String, severity: Severity = .bad, detail: String? = nil) {
    (self.kind, self.text, self.severity, self.detail) = (kind, text, severity, detail)
  }

  /// The same alert with details.
  public func with(detail: String) -> Alert { Alert(kind: kind, text: text, severity: severity, detail: detail) }

  // The founding name.
  // swift-format-ignore: DontRepeatTypeInStaticProperties
  /// A running sensor delivered an error.
  public static let dataAlert = Alert(kind: Kind(rawValue: "dataAlert"), text: "The step sensor cannot be read.")
  /// A start without a sensor.
  public static let noPedometer = Alert(
    kind: Kind(rawValue: "noPedometer"), text: "No step sensor found; the chase cannot run.")
  /// A start, or a running sensor, without permission.
  public static let notAuthorized = Alert(
    kind: Kind(rawValue: "notAuthorized"), text: "No permission to read the step sensor; allow it and start again.")

  /// A quarter of the goal.
  public static let milestone25Percent = Alert(
    kind: Kind(rawValue: "milestone25Percent"), text: "A quarter of the way done.", severity: .good)
  /// Half of the goal.
  public static let milestone50Percent = Alert(
    kind: Kind(rawValue: "milestone50Percent"), text: "Halfway to the goal.", severity: .good)
  /// Three quarters of the goal.
  public static let milestone75Percent = Alert(
    kind: Kind(rawValue: "milestone75Percent"), text: "Three quarters of the way done.", severity: .good)
  /// The goal.
  public static let goalComplete = Alert(kind: Kind(rawValue: "goalComplete"), text: "Goal complete.", severity: .good)

  /// Nessie has swum half of the way to the walker.
  public static let nessie50Percent = Alert(kind: Kind(rawValue: "nessie50Percent"), text: "Nessie is halfway to you.")
  /// Nessie has swum nine tenths of the way to the walker.
  public static let nessie90Percent = Alert(
    kind: Kind(rawValue: "nessie90Percent"), text: "Nessie is right behind you.")
  /// Nessie has reached the walker.
  public static let caughtByNessie = Alert(kind: Kind(rawValue: "caughtByNessie"), text: "Nessie caught you.")

  /// All alerts that the engine posts.
  public static let catalogue: [Alert] = [
    dataAlert, noPedometer, notAuthorized, milestone25Percent, milestone50Percent, milestone75Percent, goalComplete,
    nessie50Percent, nessie90Percent, caughtByNessie,
  ]
}

extension Alert: Hashable, CustomStringConvertible {
  /// Same kind.
  public static func == (a: Alert, b: Alert) -> Bool { a.kind == b.kind }

  /// Feeds the kind.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }

  /// The sentence.
  public var description: String { text }
}
