import Dispatch
import Foundation
import LiveSources
import Pedometry
import Platform
import Recordings
import Synchronization

/// Analyses some recordings of a study, several in parallel.
///
/// Results from the same file, version and parameters are kept, so an interrupted run resumes when it is started again.
package struct StudyRun: Sendable {
  package var entries: [StudyEntry]
  package var folder: StudyFolder
  package var parameters: StudyParameters
  package var reading: RecordingOptions
  /// How distance is computed for participants without a height in the manifest.
  package var stepLength = StepLengthModel.walkRatio()
  package var version: String
  /// The number of parallel analyses.
  package var jobs = 1
  /// Waits this many seconds before another attempt; replaced in tests.
  package var wait: @Sendable (Double) -> Void = { seconds in usleep(UInt32(seconds * 1e6)) }

  package init(
    entries: [StudyEntry], folder: StudyFolder, parameters: StudyParameters, reading: RecordingOptions,
    version: String
  ) {
    (self.entries, self.folder, self.parameters) = (entries, folder, parameters)
    (self.reading, self.version) = (reading, version)
  }

  package enum Outcome: Sendable, Hashable {
    /// It was analysed.
    case done(steps: Int)
    /// It already had results.
    case kept
    /// It could not be analysed; the reason is recorded.
    case failed(ExitStatus, message: String)
  }

  package struct Progress: Sendable {
    package var done = 0
    package var kept = 0
    package var failed = 0
    /// Bytes of the recordings read so far.
    package var bytes = 0
    package var finished: Int { done + kept + failed }

    package init() {}
  }

  /// Runs the analysis.
  /// - Parameter tell: called with each outcome, from one thread at a time.
  /// - Returns: all outcomes, in the order of the entries.
  package func run(tell: @escaping @Sendable (StudyEntry, Outcome, Progress) -> Void) -> [Outcome] {
    struct State {
      var next = 0
      var outcomes: [Outcome?]
      var progress = Progress()
    }
    let state = Mutex(State(outcomes: [Outcome?](repeating: nil, count: entries.count)))
    DispatchQueue.concurrentPerform(iterations: max(1, min(jobs, entries.count))) { _ in
      while true {
        let taken: Int? = state.withLock { state in
          guard state.next < entries.count else { return nil }
          defer { state.next += 1 }
          return state.next
        }
        guard let index = taken else { return }
        let (outcome, bytes) = process(entries[index])
        state.withLock { state in
          state.outcomes[index] = outcome
          switch outcome {
          case .done: state.progress.done += 1
          case .kept: state.progress.kept += 1
          case .failed: state.progress.failed += 1
          }
          state.progress.bytes += bytes
          tell(entries[index], outcome, state.progress)
        }
      }
    }
    return state.withLock { $0.outcomes.compactMap { $0 } }
  }

  /// Analyses one recording, with retries after temporary errors.
  private func process(_ entry: StudyEntry) -> (Outcome, bytes: Int) {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(8))
    var latest = (Outcome.failed(.busy, message: ""), bytes: 0)
    for _ in 0..<Self.attempts {
      latest = attempt(entry)
      guard case .failed(.busy, _) = latest.0 else { return latest }
      wait(backoff.next() / .seconds(1))
    }
    return latest
  }

  private static let attempts = 4

  private func attempt(_ entry: StudyEntry) -> (Outcome, bytes: Int) {
    var provenance = Provenance(entry, version: version, parameters: parameters)
    do throws(FileFailure) {
      var result: StudyResult
      do throws(SourceFailure) {
        guard let found = try analyse(entry, &provenance) else { return (.kept, 0) }
        result = found
      } catch {
        let message = entry.named(CommandTerms.translate(error.message))
        try folder.write(failure: message, exitCode: error.status.rawValue, of: entry, provenance)
        return (.failed(error.status, message: message), provenance.size)
      }
      result.warnings = result.warnings.map(CommandTerms.translate)
      try folder.write(result, of: entry, provenance, parameters)
      return (.done(steps: result.steps), provenance.size)
    } catch {
      // If results cannot be written, neither can the error.
      return (.failed(.ofWriting(error.errno), message: "cannot write \(error)"), 0)
    }
  }

  /// - Returns: `nil` if there is a result of the same file, version and parameters.
  private func analyse(
    _ entry: StudyEntry, _ provenance: inout Provenance
  ) throws(SourceFailure) -> StudyResult? {
    let digest: Digest
    do throws(FileFailure) {
      try provenance.examine(entry.path)
      if let earlier = folder.record(of: entry), earlier.exitCode != ExitStatus.busy.rawValue,
        provenance.isSame(as: earlier.source, path: entry.path)
      {
        return nil
      }
      digest = try Digest(ofFile: entry.path, size: provenance.size)
    } catch { throw SourceFailure(ofFile: error) }
    let height = entry.height.map { StepLengthModel.walkRatio(height: $0) }
    let analysis = StudyAnalysis(
      entry: entry, parameters: parameters, reading: reading, stepLength: height ?? stepLength)
    // A recording without a result has a hash as well.
    let result = Result { () throws(SourceFailure) -> StudyResult in
      try analysis.run { digest.follow($0) }
    }
    do throws(FileFailure) { provenance.sha256 = try digest.finish() } catch {
      if case .success = result { throw SourceFailure(ofFile: error) }
    }
    return try result.get()
  }
}

// The exit codes of recordings without results: what may succeed later is 75.

extension SourceFailure {
  init(ofFile error: FileFailure) { self.init(message: "\(error)", status: .ofReading(error.errno)) }

  init(ofRecording error: RecordingError) {
    self.init(message: error.description, status: error.exitStatus)
    if error.kind == .usage { status = .badData }
    if error.kind == .io { status = error.errno.map(ExitStatus.ofReading) ?? .busy }
  }
}

extension ExitStatus {
  fileprivate static func ofReading(_ errno: Int32) -> ExitStatus {
    switch errno {
    case ENOENT, ENOTDIR, EISDIR, ENXIO, ENODEV, ELOOP, ENAMETOOLONG: .noInput
    case EACCES, EPERM: .permission
    default: .busy
    }
  }

  fileprivate static func ofWriting(_ errno: Int32) -> ExitStatus {
    switch errno {
    case EACCES, EPERM, EROFS, ENOTDIR, ENOENT, ENAMETOOLONG: .cannotCreate
    default: .busy
    }
  }
}
