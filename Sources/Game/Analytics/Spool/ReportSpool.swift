import Dispatch
import FoundationEssentials
import Platform
import Synchronization

/// A queue of undelivered reports: a file for each in a folder.
///
/// It neither fails nor blocks its caller: files are accessed on a separate queue. Reports that do not fit are dropped and
/// counted: the oldest beyond the limits, and new ones while nothing can be written. Several processes may share a
/// folder: each file is renamed into place when it is complete, and names sort in the order of the reports.
public final class ReportSpool: Sendable {
  /// The contents and losses of a spool.
  public struct Status: Sendable, Hashable {
    /// The number of queued reports.
    public var waiting = 0
    /// The number of reports that were dropped because there was no room, or they became unreadable.
    public var dropped = 0
    /// The number of reports that the service refused.
    public var refused = 0
    /// Why the folder cannot be read.
    public var failure: SystemFailure?
  }

  /// The numbers of reports that were not delivered.
  private struct Losses: Codable {
    var dropped = 0
    var refused = 0

    static func + (one: Losses, other: Losses) -> Losses {
      Losses(dropped: one.dropped + other.dropped, refused: one.refused + other.refused)
    }
  }

  private let folder: String
  private let mostReports: Int
  private let longestReport: Int
  /// What is not yet counted in the file of losses, and the number in the name of the latest report.
  private let state = Mutex((losses: Losses(), latest: UInt64(0)))
  private let queue = DispatchQueue(label: "pedometer.analytics")
  private static let ending = ".json"
  private var lossesPath: String { folder + "/losses" }

  /// Creates a spool.
  /// - Parameters:
  ///   - folder: the folder, which is created with the first report.
  ///   - mostReports: beyond it, the oldest are dropped.
  ///   - longestReport: the maximum size of one in bytes; a longer one is dropped.
  public init(folder: String, mostReports: Int = 1000, longestReport: Int = 4096) {
    (self.folder, self.mostReports, self.longestReport) = (folder, mostReports, longestReport)
  }

  /// Adds a report, and returns at once.
  /// - Parameters:
  ///   - report: the report.
  ///   - isWanted: called before anything is written; it may block.
  ///   - taken: called once the report can be delivered, or was dropped.
  public func append(
    _ report: Report, if isWanted: @escaping @Sendable () -> Bool = { true },
    then taken: @escaping @Sendable () -> Void = {}
  ) {
    queue.async { [self] in
      guard isWanted() else { return }
      lose((try? write(report)) == nil ? Losses(dropped: 1) : Losses())
      taken()
    }
  }

  /// The oldest report.
  public func first() async -> Report? {
    await onQueue { [self] in
      for name in (try? names()) ?? [] {
        if let bytes = readFile("\(folder)/\(name)"), let report = try? ReportJSON.value(Report.self, of: bytes) {
          return report
        }
        drop(name)
      }
      return nil
    }
  }

  func remove(_ id: UUID, isRefused: Bool = false) async {
    await onQueue { [self] in
      // Another process may have removed it.
      guard let name = try? names().first(where: { $0.hasSuffix(Self.suffix(id)) }),
        unsafe unlink("\(folder)/\(name)") == 0, isRefused
      else { return }
      lose(Losses(refused: 1))
    }
  }

  /// The status, including all reports that were added before.
  public func status() async -> Status { await onQueue { [self] in statusNow() } }

  /// The same, for callers that may block.
  public func statusNow() -> Status {
    var status = Status()
    do throws(SystemFailure) { status.waiting = try names().count } catch { status.failure = error }
    let losses = state.withLock { storedLosses + $0.losses }
    (status.dropped, status.refused) = (losses.dropped, losses.refused)
    return status
  }

  /// Discards all reports and counts; for callers that may block.
  /// - Returns: the number of reports.
  /// - Throws: the system error; then some may remain.
  @discardableResult
  public func discardNow() throws(SystemFailure) -> Int {
    state.withLock { $0.losses = Losses() }
    var count = 0
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
    let number = state.withLock { state in
      state.latest = max(state.latest + 1, now)
      return state.latest
    }
    return number.padded(20) + Self.suffix(report.id)
  }

  private func write(_ report: Report) throws {
    let bytes = try report.json()
    guard bytes.count <= longestReport else { throw SystemFailure(errno: EFBIG) }
    try PrivateFile.makeFolder(folder)
    for name in try names().dropLast(mostReports - 1) { drop(name) }
    try PrivateFile.replace("\(folder)/\(newName(report))", with: bytes)
  }

  private func drop(_ name: String) {
    if unsafe unlink("\(folder)/\(name)") == 0 { lose(Losses(dropped: 1)) }
  }

  private var storedLosses: Losses {
    readFile(lossesPath).flatMap { try? ReportJSON.value(Losses.self, of: $0) } ?? Losses()
  }

  /// Adds losses, and those that could not be written before, to their file.
  private func lose(_ new: Losses) {
    state.withLock { state in
      state.losses = state.losses + new
      guard state.losses.dropped + state.losses.refused > 0,
        let bytes = try? ReportJSON.bytes(of: storedLosses + state.losses),
        (try? PrivateFile.makeFolder(folder)) != nil, (try? PrivateFile.replace(lossesPath, with: bytes)) != nil
      else { return }
      state.losses = Losses()
    }
  }

  private func onQueue<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: body()) } }
  }
}
