import Dispatch
import FoundationEssentials
import Platform
import Synchronization

/// The limits of a spool; beyond them the oldest reports are dropped.
public struct SpoolLimits: Sendable, Hashable {
  /// The maximum number of reports.
  public var count: Int
  /// The maximum size of one report in bytes; a longer one is dropped.
  public var reportBytes: Int

  /// Creates limits.
  public init(count: Int = 1000, reportBytes: Int = 4096) { (self.count, self.reportBytes) = (count, reportBytes) }
}

/// A queue of undelivered reports: a file for each in a folder, and in memory while the disk is full.
///
/// It neither fails nor blocks its caller: files are accessed on a separate queue. Reports that do not fit are dropped,
/// the oldest first, and counted. Several processes may use a folder at once: a file appears complete under a name of
/// its own, and the order of the names is that of the reports.
public final class ReportSpool: Sendable {
  /// The contents and losses of a spool.
  public struct Status: Sendable, Hashable {
    /// The number of queued reports.
    public var waiting = 0
    /// The number of those that are only in memory, and lost when this process ends.
    public var inMemory = 0
    /// Bytes of reports in files.
    public var bytes = 0
    /// The number of reports that were dropped because there was no room, or they became unreadable.
    public var dropped = 0
    /// The number of reports that the service refused.
    public var refused = 0
    /// Why the last attempt to write a file failed, or why the folder cannot be read.
    public var failure: SystemFailure?
  }

  /// The numbers of reports that were not delivered.
  private struct Losses: Codable {
    var dropped = 0
    var refused = 0
  }

  private struct Memory {
    var reports: [Report] = []
    /// Not yet counted in the file of losses.
    var losses = Losses()
    /// Of the last attempt to write, and of the last one to read.
    var failure: SystemFailure?
    var readFailure: SystemFailure?
    /// The number in the name of the latest file.
    var latest: UInt64 = 0
  }

  private let folder: String
  private let limits: SpoolLimits
  private let memory = Mutex(Memory())
  private let queue = DispatchQueue(label: "pedometer.analytics")
  private static let ending = ".json"
  private var lossesPath: String { folder + "/losses" }

  /// Creates the spool of a folder, which is created with the first report.
  public init(folder: String, limits: SpoolLimits = SpoolLimits()) { (self.folder, self.limits) = (folder, limits) }

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
          memory.losses.dropped += 1
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
      for name in reading(names) ?? [] {
        if let bytes = readFile("\(folder)/\(name)"), let report = try? ReportJSON.value(Report.self, of: bytes) {
          return report
        }
        drop(name)
      }
      return memory.withLock { $0.reports.first }
    }
  }

  func remove(_ id: UUID, isRefused: Bool = false) async {
    await onQueue { [self] in
      let name = reading(names)?.first { $0.hasSuffix(Self.suffix(id)) }
      // Another process may have removed it.
      let isRemoved =
        if let name {
          unsafe unlink("\(folder)/\(name)") == 0
        } else {
          memory.withLock { memory in
            guard memory.reports.first?.id == id else { return false }
            memory.reports.removeFirst()
            return true
          }
        }
      guard isRemoved, isRefused else { return }
      memory.withLock { $0.losses.refused += 1 }
      storeLosses()
    }
  }

  /// The status, including all reports that were added before.
  public func status() async -> Status { await onQueue { [self] in statusNow() } }

  /// The same, for callers that may block.
  public func statusNow() -> Status {
    let names = reading(names) ?? []
    let bytes = names.reduce(0) { $0 + (readFile("\(folder)/\($1)")?.count ?? 0) }
    let stored = losses
    return memory.withLock { memory in
      Status(
        waiting: names.count + memory.reports.count, inMemory: memory.reports.count, bytes: bytes,
        dropped: stored.dropped + memory.losses.dropped, refused: stored.refused + memory.losses.refused,
        failure: memory.failure ?? memory.readFailure)
    }
  }

  /// Discards all reports and counts; for callers that may block.
  /// - Returns: the number of reports.
  /// - Throws: the system error; then some may remain.
  @discardableResult
  public func discardNow() throws(SystemFailure) -> Int {
    var count = memory.withLock { memory in
      defer { memory = Memory(latest: memory.latest) }
      return memory.reports.count
    }
    for name in try names() {
      if unsafe unlink("\(folder)/\(name)") == 0 { count += 1 } else if errno != ENOENT { throw SystemFailure() }
    }
    if unsafe unlink(lossesPath) != 0, errno != ENOENT { throw SystemFailure() }
    return count
  }

  // MARK: Files

  /// The files, the oldest first.
  private func names() throws(SystemFailure) -> [String] {
    guard let all = Platform.names(inFolder: folder) else {
      if errno == ENOENT { return [] }
      throw SystemFailure()
    }
    return all.filter { $0.hasSuffix(Self.ending) && !$0.hasPrefix(".") }
  }

  private static func suffix(_ id: UUID) -> String { "-\(id.uuidString)\(ending)" }

  /// Later than that of any other report of this process, and of others by the clock.
  private func newName(_ report: Report) -> String {
    let now = UInt64(bounded: Date().timeIntervalSince1970 * 1e6)
    let number = memory.withLock { memory in
      memory.latest = max(memory.latest + 1, now)
      return memory.latest
    }
    return number.padded(20) + Self.suffix(report.id)
  }

  /// Writes reports from memory to files, as many as fit.
  private func store() {
    while let report = memory.withLock({ $0.reports.first }) {
      guard write(report) else { return }
      memory.withLock { memory in
        if memory.reports.first?.id == report.id { memory.reports.removeFirst() }
      }
    }
    storeLosses()
  }

  /// - Returns: whether the report is in a file, or too long for one.
  private func write(_ report: Report) -> Bool {
    let bytes: [UInt8] = (try? report.json()) ?? []
    guard 1...limits.reportBytes ~= bytes.count else {
      memory.withLock { $0.losses.dropped += 1 }
      return true
    }
    return attempt { () throws(SystemFailure) in
      try PrivateFile.makeFolder(folder)
      for name in try names().dropLast(limits.count - 1) { drop(name) }
      try PrivateFile.replace("\(folder)/\(newName(report))", with: bytes)
    }
  }

  private func drop(_ name: String) {
    if unsafe unlink("\(folder)/\(name)") == 0 { memory.withLock { $0.losses.dropped += 1 } }
  }

  private var losses: Losses { readFile(lossesPath).flatMap { try? ReportJSON.value(Losses.self, of: $0) } ?? Losses() }

  /// Adds what was lost to the file of losses, if there is room for it.
  private func storeLosses() {
    let new = memory.withLock(\.losses)
    guard new.dropped + new.refused > 0 else { return }
    let isCounted = attempt { () throws(SystemFailure) in
      var all = losses
      (all.dropped, all.refused) = (all.dropped + new.dropped, all.refused + new.refused)
      try PrivateFile.makeFolder(folder)
      try PrivateFile.replace(lossesPath, with: (try? ReportJSON.bytes(of: all)) ?? [])
    }
    guard isCounted else { return }
    memory.withLock { memory in
      memory.losses.dropped -= new.dropped
      memory.losses.refused -= new.refused
    }
  }

  /// Writes, and notes a failure.
  private func attempt(_ body: () throws(SystemFailure) -> Void) -> Bool {
    do throws(SystemFailure) {
      try body()
      memory.withLock { $0.failure = nil }
      return true
    } catch {
      memory.withLock { $0.failure = error }
      return false
    }
  }

  /// Reads. A success does not end a failure of writing: a readable folder is not necessarily writable.
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
