/// The state of a room's race: a line of the live stream, distinguished from a runner's frame by its key `race`.
public struct RaceStatus: Sendable, Hashable, Codable {
  /// The states of a race.
  public enum Phase: String, Sendable, Hashable, Codable {
    /// No countdown yet, or it was cancelled.
    case open
    /// Counting down; the start is known.
    case counting
    /// The race has started.
    case running
    /// All runners have reached the goal or were caught.
    case finished
  }

  /// The state.
  public var race: Phase
  /// The instant of the start on the server's clock, in seconds since 2001-01-01 UTC; known from the first second of
  /// the countdown, and the same for all.
  public var start: Double?
  /// The message at the start.
  public var text: String?
  /// The server's time when the line was sent, in seconds since 2001-01-01 UTC.
  public var time: Double

  /// Creates a status.
  public init(race: Phase, start: Double? = nil, text: String? = nil, time: Double) {
    (self.race, self.start, self.text, self.time) = (race, start, text, time)
  }
}
