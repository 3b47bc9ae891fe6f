import Dispatch
import FoundationEssentials
import Synchronization

/// A queue of undelivered reports: on disk, and in memory while the disk is full.
///
/// It neither fails nor blocks its caller: the file is accessed on a separate queue. Reports that do not fit are
/// dropped, the oldest first, and counted.
public final class ReportSpool: Sendable {
  /// The contents and losses of a spool.
  public struct Status: Sendable, Hashable {
    /// The number of queued reports.
    public var waiting = 0
    /// The number of those that are only in memory, and lost when this process ends.
    public var inMemory = 0
    /// Bytes of reports in the file.
    public var bytes = 0
    /// The number of reports that were dropped because there was no room, or they became unreadable.
    public var dropped = 0
    /// The number of reports that the service refused.
    public var refused = 0
    /// Why the last attempt to write the file failed, or why it cannot be read.
    public var failure: SystemFailure?
  }

  private struct Memory {
    var reports: [Report] = []
    /// Not yet counted in the file.
    var dropped = 0
    var refused = 0
    /// Of the last attempt to write the file, and of the last one to read it.
    var failure: SystemFailure?
    var readFailure: SystemFailure?
  }

  private let file: SpoolFile
  private let limits: SpoolLimits
  private let memory = Mutex(Memory())
  private let queue = DispatchQueue(label: "pedometer.analytics")

  /// Creates the spool of a folder, which is created with the first report.
  public init(folder: String, limits: SpoolLimits = SpoolLimits()) {
    file = SpoolFile(folder: folder, limits: limits)
    self.limits = limits
  }

  /// Adds a report, and returns at once.
  /// - Parameters:
  ///   - report: the report.
  ///   - isWanted: called before anything is written; it may block.
  ///   - taken: called once the report can be delivered.
  public func append(
    _ report: Report, if isWanted: @escaping @Sendable () -> Bool = { true },
    then taken: @escaping @Sendable () -> Void = {}
  ) {
    queue.async { [self] in
      guard isWanted() else { return }
      memory.withLock { memory in
        memory.reports.append(report)
        if memory.reports.count > limits.count {
          memory.reports.removeFirst()
          memory.dropped += 1
        }
      }
      store()
      taken()
    }
  }

  /// The oldest report.
  public func first() async -> Report? {
    await onQueue { [self] in
      store()
      if let report = reading({ () throws(SystemFailure) in try file.first() }) ?? nil { return report }
      return memory.withLock { $0.reports.first }
    }
  }

  /// Removes a delivered report.
  func delivered(_ id: UUID) async { await remove(id, .delivered) }

  /// Removes a report that the service refused permanently.
  func refused(_ id: UUID) async { await remove(id, .refused) }

  private func remove(_ id: UUID, _ fate: SpoolFile.Fate) async {
    await onQueue { [self] in
      if reading({ () throws(SystemFailure) in try file.removeFirst(id, fate) }) == true { return }
      memory.withLock { memory in
        guard memory.reports.first?.id == id else { return }
        memory.reports.removeFirst()
        if fate == .refused { memory.refused += 1 }
      }
    }
  }

  /// The status, including all reports that were added before.
  public func status() async -> Status { await onQueue { [self] in statusNow() } }

  /// The same, for callers that may block.
  public func statusNow() -> Status {
    let header = reading { () throws(SystemFailure) in try file.header() } ?? SpoolHeader()
    return memory.withLock { memory in
      Status(
        waiting: header.count + memory.reports.count, inMemory: memory.reports.count, bytes: header.live,
        dropped: header.dropped + memory.dropped, refused: header.refused + memory.refused,
        failure: memory.failure ?? memory.readFailure)
    }
  }

  /// Discards all reports; for callers that may block.
  /// - Returns: their number.
  /// - Throws: the system error; then some may remain.
  @discardableResult
  public func discardNow() throws(SystemFailure) -> Int {
    let inMemory = memory.withLock { memory in
      defer { memory = Memory() }
      return memory.reports.count
    }
    return try file.discard() + inMemory
  }

  /// Writes reports from memory to the file, as many as fit.
  private func store() {
    while let report = memory.withLock({ $0.reports.first }) {
      guard attempt({ () throws(SystemFailure) in try file.append(report) }) != nil else { return }
      memory.withLock { memory in
        if memory.reports.first?.id == report.id { memory.reports.removeFirst() }
      }
    }
    let (dropped, refused) = memory.withLock { ($0.dropped, $0.refused) }
    guard dropped + refused > 0 else { return }
    let isCounted: Void? = attempt { () throws(SystemFailure) in try file.count(dropped: dropped, refused: refused) }
    guard isCounted != nil else { return }
    memory.withLock { memory in
      memory.dropped -= dropped
      memory.refused -= refused
    }
  }

  private func attempt<Result>(_ body: () throws(SystemFailure) -> Result) -> Result? {
    do throws(SystemFailure) {
      let result = try body()
      memory.withLock { $0.failure = nil }
      return result
    } catch {
      memory.withLock { $0.failure = error }
      return nil
    }
  }

  /// Reads the file. A success does not end a failure of writing: a readable file is not necessarily writable.
  private func reading<Result>(_ body: () throws(SystemFailure) -> Result) -> Result? {
    do throws(SystemFailure) {
      let result = try body()
      memory.withLock { $0.readFailure = nil }
      return result
    } catch {
      memory.withLock { $0.readFailure = error }
      return nil
    }
  }

  private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) } }
  }
}
