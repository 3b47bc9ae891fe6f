import Foundation

/// Something other than a step that happened while counting.
public struct HistoryEvent: Sendable, Hashable {
  /// What happened.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Counting began.
    case started
    /// Counting ended as it should.
    case stopped
    /// The walker stands still.
    case paused
    /// The walker walks again.
    case resumed
    /// A sensor went away.
    case sourceLost
    /// It came back.
    case sourceBack
    /// The wall clock was set; the writer finds out by itself.
    case clockSet
    /// A damaged history was put aside and a new one begun; written by the writer itself.
    case historyDamaged
  }

  /// When, by the wall clock.
  public var time: Date
  /// What.
  public var kind: Kind
  /// The sensor that it is about.
  public var source: HistorySource?
  /// More about it, for people.
  public var message: String?

  /// Makes an event.
  public init(time: Date, kind: Kind, source: HistorySource? = nil, message: String? = nil) {
    self.time = time
    self.kind = kind
    self.source = source
    self.message = message
  }
}
