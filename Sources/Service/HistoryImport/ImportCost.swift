import Platform
import Synchronization

/// What an import has taken so far, and may take: ``InputLimits``. It belongs to one thread.
package final class ImportCost {
  /// Ends an import from another thread.
  package final class Stop: Sendable {
    private let isSetNow = Atomic(false)

    package init() {}

    package var isSet: Bool { isSetNow.load(ordering: .relaxed) }

    package func set() { isSetNow.store(true, ordering: .relaxed) }
  }

  private let stop: Stop?
  private let memory: Int
  private let memoryBefore = ProcessMemory.resident()
  private let start = ImportCost.seconds()
  private var bytes = 0
  private var rows = 0

  /// - Parameter memory: the bytes by which this process may grow.
  package init(stop: Stop? = nil, memory: Int = .max) { (self.stop, self.memory) = (stop, memory) }

  /// Adds the bytes of a file that the user gave: larger ones may take longer.
  func allow(_ bytes: Int) { self.bytes += bytes }

  /// Counts an entry of a file, whether it is taken or refused.
  /// - Throws: ``ImportFailure``, `CancellationError`.
  func takeRow(of path: String) throws {
    rows += 1
    guard rows <= InputLimits.rows else {
      throw ImportFailure(at: path, "more than \(InputLimits.rows) entries; give the files of fewer years at once")
    }
    if rows % 256 == 0 { try check(path) }
  }

  /// Whether the import should go on.
  /// - Throws: ``ImportFailure``, `CancellationError`.
  func check(_ path: String) throws {
    try checkState(path)
    let most = InputLimits.seconds(for: bytes)
    guard Self.seconds() - start <= most else {
      throw ImportFailure(
        at: path, "reading takes more than \(Int(most)) s of processor time; give fewer entries at once")
    }
  }

  /// Whether it should go on, however long it takes.
  /// - Throws: ``ImportFailure``, `CancellationError`.
  func checkState(_ path: String) throws {
    if stop?.isSet == true { throw CancellationError() }
    guard memory < .max, ProcessMemory.resident() - memoryBefore > memory else { return }
    throw ImportFailure(
      at: path,
      "importing takes more than \(memory >> 20) MB of memory here; use 'pedometer import', or give fewer years at once"
    )
  }

  /// The processor time of this thread: a busy machine takes none of it.
  private static func seconds() -> Double {
    var time = timespec()
    unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }
}
