import Dispatch
import Foundation
import Pedometry
import Platform
import Recordings
import Synchronization

/// Makes the results of some of a study's recordings, several at once.
///
/// What has results that were made from the same file, by the same version and with the same parameters, is left as it is.
/// So a run that was killed goes on where it stopped when it is started again.
package struct StudyRun: Sendable {
  package var entries: [StudyEntry]
  package var folder: StudyFolder
  package var parameters: StudyParameters
  package var reading: RecordingOptions
  /// How distance is made of steps, for participants whose height the manifest does not have.
  package var stepLength = StepLengthModel.walkRatio()
  /// Of the program.
  package var version: String
  /// Recordings at once.
  package var jobs = 1
  /// Waits so many seconds before another attempt; replaced in tests.
  package var wait: @Sendable (Double) -> Void = { seconds in usleep(UInt32(seconds * 1e6)) }

  package init(
    entries: [StudyEntry], folder: StudyFolder, parameters: StudyParameters, reading: RecordingOptions,
    version: String
  ) {
    self.entries = entries
    self.folder = folder
    self.parameters = parameters
    self.reading = reading
    self.version = version
  }

  /// What became of one recording.
  package enum Outcome: Sendable, Hashable {
    /// It has results now.
    case done(steps: Int)
    /// It had them already.
    case kept
    /// It has none; the reason is written down.
    case failed(StudyFault, message: String)
  }

  /// How far a run is.
  package struct Progress: Sendable {
    package var done = 0
    package var kept = 0
    package var failed = 0
    package var total = 0
    /// Bytes of the recordings that were read.
    package var bytes = 0
    package var finished: Int { done + kept + failed }
  }

  /// Runs.
  /// - Parameter tell: gets each outcome as it comes, from one thread at a time.
  /// - Returns: all outcomes, in the order of the entries.
  package func run(tell: @escaping @Sendable (StudyEntry, Outcome, Progress) -> Void) -> [Outcome] {
    struct State {
      var next = 0
      var outcomes: [Outcome?]
      var progress = Progress()
    }
    let state = Mutex(State(outcomes: [Outcome?](repeating: nil, count: entries.count)))
    state.withLock { $0.progress.total = entries.count }
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

  /// Makes one recording's results, again and again while what goes wrong may pass.
  private func process(_ entry: StudyEntry) -> (Outcome, bytes: Int) {
    var backoff = Backoff(first: .seconds(1), longest: .seconds(8))
    var latest = (Outcome.failed(.temporary, message: ""), bytes: 0)
    for _ in 0..<Self.attempts {
      latest = attempt(entry)
      guard case .failed(.temporary, _) = latest.0 else { return latest }
      wait(backoff.next() / .seconds(1))
    }
    return latest
  }

  private static let attempts = 4

  private func attempt(_ entry: StudyEntry) -> (Outcome, bytes: Int) {
    let started = Date()
    do throws(SystemFailure) {
      var provenance: Provenance
      do throws(SystemFailure) {
        provenance = try Provenance(entry, version: version, parameters: parameters)
      } catch {
        return (try fail(entry, StudyFault(errno: error.errno), "\(error)", nil, started), 0)
      }
      if let earlier = folder.record(of: entry), earlier.exitCode != StudyFault.temporary.rawValue,
        provenance.isSame(as: earlier.source, path: entry.path)
      {
        return (.kept, 0)
      }
      do throws(SystemFailure) { provenance.sha256 = try Digest.sha256(ofFile: entry.path) } catch {
        return (try fail(entry, StudyFault(errno: error.errno), "\(error)", provenance, started), 0)
      }
      let height = entry.height.map { StepLengthModel.walkRatio(height: $0) }
      let analysis = StudyAnalysis(
        entry: entry, parameters: parameters, reading: reading, stepLength: height ?? stepLength)
      let result: StudyResult
      do throws(StudyAnalysis.Failure) { result = try analysis.run() } catch {
        return (try fail(entry, error.fault, error.message, provenance, started), provenance.size)
      }
      try folder.write(result, of: entry, provenance, parameters, StudyTimes(started: started, ended: Date()))
      return (.done(steps: result.steps), provenance.size)
    } catch {
      // Results cannot be written: nothing can be noted down either.
      return (.failed(StudyFault(errnoOfOutput: error.errno), message: "cannot write \(error)"), 0)
    }
  }

  private func fail(
    _ entry: StudyEntry, _ fault: StudyFault, _ message: String, _ provenance: Provenance?, _ started: Date
  ) throws(SystemFailure) -> Outcome {
    try folder.write(
      failure: message, exitCode: fault.rawValue, of: entry,
      provenance ?? Provenance(absent: entry, version: version, parameters: parameters),
      StudyTimes(started: started, ended: Date()))
    return .failed(fault, message: message)
  }
}

/// Why a recording has no results, as the exit code of sysexits(3).
package enum StudyFault: Int32, Sendable, Hashable, CaseIterable {
  /// It cannot be counted.
  case badData = 65
  /// It is not there.
  case missing = 66
  /// Results cannot be written.
  case cannotCreate = 73
  /// The disk or the network failed, perhaps for a while.
  case temporary = 75
  /// It may not be read.
  case denied = 77

  /// Of several, the first of these is the exit code: what another run may mend outranks what it will not.
  package static let bySeverity: [StudyFault] = [.temporary, .cannotCreate, .denied, .missing, .badData]

  /// Of a recording that cannot be read.
  init(errno: Int32) {
    self =
      switch errno {
      case ENOENT, ENOTDIR: .missing
      case EACCES, EPERM: .denied
      default: .temporary
      }
  }

  /// Of results that cannot be written.
  init(errnoOfOutput errno: Int32) {
    self =
      switch errno {
      case EACCES, EPERM, EROFS, ENOTDIR, ENOENT, ENAMETOOLONG: .cannotCreate
      default: .temporary
      }
  }
}

extension StudyAnalysis.Failure {
  fileprivate var fault: StudyFault {
    switch error?.kind {
    case .noInput: .missing
    case .io: .temporary
    case .permission: .denied
    case .badData, .usage, nil: .badData
    }
  }
}
