import Counting
import Dispatch
import Glibc
import JSONLines
import LiveSources
import Presentation
import Recordings
import Synchronization
import Terminals

/// Counts several sources at once and prints them in the given order.
///
/// With one source or one worker, output is printed at once: a live pipe must show a step immediately. Several workers
/// hold back a source's output until all sources before it are printed.
struct CountRun {
  let jobs: [CountJob]
  let plan: CountPlan
  let workers: Int?

  private struct State {
    var next = 0
    var printed = 0
    var waiting: [Int: (output: String, result: CountJob.Result)] = [:]
    var failures: [ExitStatus] = []
    var reports: [WalkSummary] = []
    var stop: (any Error)?
  }

  /// Counts all sources.
  /// - Returns: one status for each source that failed.
  /// - Throws: when standard output can no longer be written.
  func run() throws -> [ExitStatus] {
    if plan.format == .csv { try StandardOutput.write(CSV.row(plan.columns)) }
    let (failures, reports) = try count(workers: max(1, min(workers ?? .max, jobs.count, Self.cores)))
    if plan.printsTotals, plan.format == .text, jobs.count > 1, !reports.isEmpty {
      try StandardOutput.write(WalkSummary.total(reports, plan))
    }
    return failures
  }

  private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

  private func count(workers: Int) throws -> ([ExitStatus], [WalkSummary]) {
    let state = Mutex(State())
    let progress = ProgressLine(of: jobs.count)
    DispatchQueue.concurrentPerform(iterations: workers) { _ in
      while let index = state.withLock({ Self.take(&$0, of: jobs.count) }) {
        var (held, result) = ("", CountJob.Result())
        do {
          // Several sources at once already use all cores.
          result = try jobs[index].run(
            readsAhead: workers == 1 && Self.cores > 1, workers == 1 ? progress : nil
          ) { text in
            if let stop = state.withLock({ $0.stop }) { throw stop }
            if workers > 1 {
              held += text
            } else {
              progress.clear()
              try StandardOutput.write(text)
            }
          }
        } catch { state.withLock { $0.stop = $0.stop ?? error } }
        state.withLock { state in
          state.waiting[index] = (held, result)
          Self.printReady(&state, progress)
        }
      }
    }
    progress.clear()
    let (failures, reports, stop) = state.withLock { ($0.failures, $0.reports, $0.stop) }
    if let stop { throw stop }
    return (failures, reports)
  }

  private static func take(_ state: inout State, of count: Int) -> Int? {
    guard state.stop == nil, state.next < count else { return nil }
    defer { state.next += 1 }
    return state.next
  }

  private static func printReady(_ state: inout State, _ progress: ProgressLine) {
    while state.stop == nil, let (output, result) = state.waiting.removeValue(forKey: state.printed) {
      state.printed += 1
      progress.clear()
      do { try StandardOutput.write(output) } catch { state.stop = error }
      for sentence in result.warnings + [result.failure?.message].compactMap({ $0 }) { complain(sentence) }
      if let failure = result.failure { state.failures.append(failure.status) }
      if let walk = result.walk { state.reports.append(walk) }
    }
    progress.show(done: state.printed + state.waiting.count)
  }
}

/// A line on standard error that shows the progress; only on a terminal.
final class ProgressLine: Sendable {
  private let total: Int
  private let isVisible: Bool
  private let calls = Atomic(0)
  private let start = ContinuousClock.now

  /// - Parameters:
  ///   - total: how many recordings there are; of a single one its own progress is shown.
  ///   - isVisible: whether it is on a terminal with no other output.
  init(of total: Int = 1, isVisible: Bool = StandardOutput.errorIsTerminal) {
    (self.total, self.isVisible) = (total, isVisible)
  }

  /// Once per several hundred thousand samples is enough.
  private static let callsBetweenLines = 128

  func show(steps: Int, elapsed: Duration, fraction: Double?) {
    if isDue { show("\(steps) steps", elapsed: elapsed, fraction: fraction) }
  }

  func show(_ reader: RecordingReader) {
    guard isDue else { return }
    let summary = reader.summary
    show("\(summary.samples) samples", elapsed: summary.span, fraction: reader.fractionRead)
  }

  private var isDue: Bool {
    isVisible && total == 1 && calls.add(1, ordering: .relaxed).newValue % Self.callsBetweenLines == 0
  }

  private func show(_ done: String, elapsed: Duration, fraction: Double?) {
    StandardOutput.showProgress(
      Self.text(done, elapsed: elapsed, fraction: fraction, after: ContinuousClock.now - start))
  }

  /// The progress after some time: `5120 steps in 12 h 30 min, 52000 times as fast as recorded, 41 %, 3 s left`.
  static func text(_ done: String, elapsed: Duration, fraction: Double?, after time: Duration) -> String {
    var text = "\(done) in \(Decimals.duration(elapsed))"
    // Before half a second the speed is unknown.
    guard time >= .milliseconds(500) else { return text }
    if let speed = Decimals.text(elapsed / time, 0) { text += ", \(speed) times as fast as recorded" }
    guard let fraction, fraction > 0, let percent = Decimals.text(fraction * 100, 0) else { return text }
    return text + ", \(percent) %, \(Decimals.duration(time * (1 / fraction - 1))) left"
  }

  func show(done: Int) {
    guard isVisible, total > 1, done < total else { return }
    StandardOutput.showProgress("\(done) of \(total) recordings")
  }

  func clear() {
    guard isVisible else { return }
    StandardOutput.clearProgress()
  }
}
