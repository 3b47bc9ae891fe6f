import Synchronization

/// How an accelerometer is being read, known once it was opened.
public struct AcquisitionReport: Sendable, Hashable {
  /// The two ways.
  public enum Mode: Sendable, Hashable {
    /// The kernel collects scans.
    case buffered(IIOBufferSetup)
    /// This program asks for each value, so many times a second, for a reason.
    case polled(frequency: Double, because: String)
    /// The kernel sends events.
    case events
  }

  /// The way.
  public var mode: Mode
  /// How evenly values were polled so far; nothing for the other ways.
  public var jitter: PollingJitter?
  /// Samples so far.
  public var samples = 0
  /// For how long the latest value has stood still. A coarse sensor may lie so for long; a fine one never does.
  public var unchanged = Duration.zero
  /// Bytes that belonged to no whole scan when the node came to its end.
  public var strayBytes = 0
  /// What is wrong with the sensor's clock, so that its samples are timed by their arrival; `nil` if nothing.
  public var clockFault: ClockCheck.Fault?

  /// Nothing was read yet.
  public init(mode: Mode) { self.mode = mode }
}

/// A report that the reading thread writes and anybody reads.
final class AcquisitionMonitor: Sendable {
  private let report = Mutex<AcquisitionReport?>(nil)

  var latest: AcquisitionReport? { report.withLock { $0 } }

  func begin(_ mode: AcquisitionReport.Mode) { report.withLock { $0 = AcquisitionReport(mode: mode) } }

  func update(_ change: (inout AcquisitionReport) -> Void) {
    report.withLock { report in
      if var changed = report {
        change(&changed)
        report = changed
      }
    }
  }
}
