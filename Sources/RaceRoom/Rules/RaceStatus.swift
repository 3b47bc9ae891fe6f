/// Where the race of a room stands; a line of the live stream, told from a runner's frame by its key `race`.
public struct RaceStatus: Sendable, Hashable, Codable {
  /// The states of a race.
  public enum Phase: String, Sendable, Hashable, Codable {
    /// No countdown yet, or it was cancelled.
    case open
    /// It counts; the start is known.
    case counting
    /// Everybody runs, since the start.
    case running
    /// Everybody who ran has come in or was caught.
    case finished
  }

  /// Where it stands.
  public var race: Phase
  /// The instant of the start by the server's clock, in seconds since 2001-01-01 UTC; known from the first second of
  /// the countdown on, and the same for all.
  public var start: Double?
  /// What is said at the start.
  public var text: String?
  /// What the time was on the server when it said so, in seconds since 2001-01-01 UTC.
  public var time: Double

  /// Makes a status.
  public init(race: Phase, start: Double? = nil, text: String? = nil, time: Double) {
    self.race = race
    self.start = start
    self.text = text
    self.time = time
  }
}
