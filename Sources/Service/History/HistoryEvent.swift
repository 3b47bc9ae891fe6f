import Foundation

/// An event other than a step.
public struct HistoryEvent: Sendable, Hashable {
  /// The kinds of events.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Counting began.
    case started
    /// Counting ended normally.
    case stopped
    /// The walker stopped.
    case paused
    /// The walker resumed.
    case resumed
    /// A sensor was lost.
    case sourceLost
    /// The sensor is back.
    case sourceBack
    /// The wall clock was set, as detected by the writer.
    case clockSet
    /// The writer renamed a damaged history, and saved what was readable to a new one.
    case historyDamaged
  }

  /// The time on the wall clock.
  public var time: Date
  /// The kind of the event.
  public var kind: Kind
  /// The sensor concerned.
  public var source: HistorySource?
  /// Details for people.
  public var message: String?

  /// Creates an event.
  public init(time: Date, kind: Kind, source: HistorySource? = nil, message: String? = nil) {
    self.time = time
    self.kind = kind
    self.source = source
    self.message = message
  }
}
