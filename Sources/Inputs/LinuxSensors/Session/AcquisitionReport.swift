import Synchronization

/// How an accelerometer is being read, known once it is open.
public struct AcquisitionReport: Sendable, Hashable {
  package enum Mode: Sendable, Hashable {
    /// The kernel collects scans.
    case buffered(IIOBufferSetup)
    /// This program polls each value, at this frequency, for this reason.
    case polled(frequency: Double, because: String)
    case events
  }

  package var mode: Mode

  package init(mode: Mode) { self.mode = mode }
}

/// A report that the reading thread writes and other threads read.
final class AcquisitionMonitor: Sendable {
  private let report = Mutex<AcquisitionReport?>(nil)

  var latest: AcquisitionReport? { report.withLock { $0 } }

  func begin(_ mode: AcquisitionReport.Mode) { report.withLock { $0 = AcquisitionReport(mode: mode) } }
}
