import Foundation
import HistoryImport
import JSONLines
import Logging
import Platform
import ServiceCore
import ServiceLifecycle
import Synchronization

/// Imports the files that appear in a folder, as `pedometer import` would.
///
/// It looks at the folder every few seconds, which finds what other computers write, too. A file is imported when it has not
/// changed since the look before; one that cannot be imported is reported once, until it changes. The folder may appear
/// and vanish. Reading has its own thread, and minutes are written in parcels, so counting goes on.
final class WatchedFolder: Service {
  /// What became of a file.
  struct Outcome: Codable, Sendable, Hashable {
    var name: String
    var stamp: FileStamp
    /// When: seconds since 1970.
    var time: Double
    /// The steps by which the history has grown.
    var newSteps = 0
    var reason: String?

    var json: JSONLine {
      var line = JSONLine(["file": name])
      if let reason { line.add("reason", reason) } else { line.add("newSteps", newSteps) }
      return line
    }
  }

  /// The outcomes of all files that are in the folder, as a file of the state folder: so a restart imports nothing again.
  private struct Ledger: Codable {
    var folder: String
    var files: [Outcome] = []
  }

  private struct State {
    var outcomes: [String: Outcome] = [:]
    var scan = FolderScan()
    /// The latest trouble that is not due to a file.
    var trouble: String?
  }

  private let path: String
  private let ledger: StateFile<Ledger>
  private let files: FileImport
  private let clock: ServiceClock
  private let logger: Logger
  private let finished: @Sendable (Outcome) -> Void
  private let lane = WorkLane("watched imports")
  private let state: Mutex<State>

  /// The time between two looks at the folder.
  static let interval = Duration.seconds(5)
  /// The time before files are tried again, after a failure that is not due to them.
  static let retry = Duration.seconds(600)
  private static let mostShown = 20

  /// - Parameters:
  ///   - path: of the folder, absolute. It need not exist.
  ///   - state: the folder of the history, for the outcomes.
  ///   - finished: called after each file.
  init(
    _ path: String, state folder: String, files: FileImport, clock: ServiceClock, logger: Logger,
    finished: @escaping @Sendable (Outcome) -> Void = { _ in }
  ) {
    (self.path, self.files, self.clock, self.logger, self.finished) = (path, files, clock, logger, finished)
    ledger = StateFile(path: folder + "/watched-folder.json")
    let former = try? ledger.read()
    var start = State()
    // A file that is damaged or cannot be read costs time: everything is imported once more, which adds nothing.
    if let former, former.folder == path { start.outcomes = Dictionary(former.files.map { ($0.name, $0) }) { $1 } }
    state = Mutex(start)
  }

  /// The latest outcomes, newest first.
  var outcomes: [JSONLine] {
    state.withLock { $0.outcomes.values.sorted { ($1.time, $0.name) < ($0.time, $1.name) } }
      .prefix(Self.mostShown).map(\.json)
  }

  func run() async throws { await cancelWhenGracefulShutdown { await self.watch() } }

  private func watch() async {
    var wasThere: Bool?
    var trouble: Int32 = 0
    var next = Duration.zero
    while !Task.isCancelled {
      let result = await look()
      if result.errno == 0, wasThere.changes(to: result.names != nil) {
        logger.notice(
          result.names == nil
            ? "\(path) does not exist yet; its files will be imported" : "exports in \(path) are imported")
      }
      if result.errno != 0, result.errno != trouble {
        let text = systemText(result.errno)
        logger.warning(
          "\(path) cannot be read: \(text); check 'watch-folder', and whether this user may read the folder")
      }
      trouble = result.errno
      if !result.ready.isEmpty, clock.elapsed() >= next, await !take(result.ready) {
        next = clock.elapsed() + Self.retry
      }
      try? await clock.sleep(Self.interval)
    }
  }

  private func look() async -> FolderScan.Result {
    let result = try? await lane.run { [self] in
      // The scan is a value that only this job uses.
      var (scan, known) = state.withLock { ($0.scan, $0.outcomes.mapValues(\.stamp)) }
      let result = scan.look(at: path, known: known)
      state.withLock { state in
        state.scan = scan
        // While the folder is not there, its files are remembered.
        if let names = result.names { state.outcomes = state.outcomes.filter { names.contains($0.key) } }
      }
      return result
    }
    return result ?? FolderScan.Result()
  }

  /// Imports files. The totals of a watch go on from one of its files to the next, so files are read together; if one of
  /// them cannot be read, each by itself.
  /// - Returns: whether nothing has to be tried again.
  private func take(_ ready: [FolderScan.File]) async -> Bool {
    do { return try await take(together: ready) } catch {
      guard ready.count > 1 else {
        note(ready, reason: error.description)
        return true
      }
    }
    for file in ready where !Task.isCancelled {
      if await !take([file]) { return false }
    }
    return true
  }

  /// - Throws: why a file cannot be imported.
  private func take(together ready: [FolderScan.File]) async throws(ImportFailure) -> Bool {
    let names = Set(ready.map(\.name))
    let (path, files) = (path, files)
    let broken = state.withLock { Set($0.outcomes.values.filter { $0.reason != nil }.map(\.name)) }
    do {
      let stop = ImportCost.Stop()
      let found = try await withTaskCancellationHandler {
        try await lane.run {
          let others =
            names.contains(where: Self.isWatchFile) ? Self.watchFiles(of: path).subtracting(names.union(broken)) : []
          return try files.plan((ready.map(\.name) + others.sorted()).map { "\(path)/\($0)" }, stop: stop)
        }
      } onCancel: {
        stop.set()
      }
      var (new, all) = (0, 0)
      for result in found.results {
        _ = try await files.add(result)
        new += result.new
        all += result.steps
      }
      note(ready, newSteps: new)
      let list = names.count > 3 ? "\(names.count) files" : names.sorted().joined(separator: ", ")
      logger.notice("imported \(list): \(new) new steps of \(all)")
      for notice in found.notices { logger.notice("\(notice)") }
    } catch let failure as ImportFailure {
      // It has been removed meanwhile.
      if failure.code != .missing { throw failure }
    } catch is CancellationError {
      return false
    } catch {
      // Not due to the file: the history cannot be read or written.
      let isNew = state.withLock { state in
        defer { state.trouble = "\(error)" }
        return state.trouble != "\(error)"
      }
      if isNew { logger.warning("files in \(path) are not imported yet: \(error)") }
      return false
    }
    return true
  }

  private func note(_ files: [FolderScan.File], newSteps: Int = 0, reason: String? = nil) {
    let time = clock.now().timeIntervalSince1970
    // The steps of several files belong to all of them; the first one has them in the status.
    let outcomes = files.enumerated().map { index, file in
      Outcome(name: file.name, stamp: file.stamp, time: time, newSteps: index == 0 ? newSteps : 0, reason: reason)
    }
    let all = state.withLock { state in
      for outcome in outcomes { state.outcomes[outcome.name] = outcome }
      state.trouble = nil
      return state.outcomes.values.sorted { $0.name < $1.name }
    }
    if let reason { logger.warning("not imported, until it changes: \(reason)") }
    do { try ledger.write(Ledger(folder: path, files: all)) } catch {
      logger.warning("files in \(path) will be read once more after a restart: \(error)")
    }
    for outcome in outcomes { finished(outcome) }
  }

  private static func isWatchFile(_ name: String) -> Bool { name.lowercased().hasSuffix(".fit") }

  private static func watchFiles(of folder: String) -> Set<String> {
    let names = (Platform.names(inFolder: folder) ?? []).filter(isWatchFile)
    return Set(names.filter { FileStamp(path: "\(folder)/\($0)") != nil })
  }
}
