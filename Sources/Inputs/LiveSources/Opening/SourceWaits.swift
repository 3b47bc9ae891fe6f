import Counting
import LinuxSensors
import Platform

/// How long it takes until a source is opened again: a row for each sort of source, a column for each use.
///
/// | | live | all day |
/// | --- | --- | --- |
/// | sensor | at once, then 0.2 s, doubled up to 60 s | 1 s, doubled up to 60 s |
/// | port | at once, then 0.2 s, doubled up to 8 s | 1 s, doubled up to 60 s |
/// | radio, program | at once, then 0.5 s, doubled up to 10 s | 1 s, doubled up to 60 s |
/// | service | 1 s, doubled up to 16 s | 1 s, doubled up to 60 s |
/// | recording | never | 1 s, doubled up to 60 s, until it has delivered something |
///
/// Before that, a sensor or a board must be there: it is looked for at each change that udev reports, and at ``looks``.
package enum SourceWaits: Sendable {
  /// A sensor of this computer.
  case sensor
  /// A serial or UDP port.
  case port
  /// A sensor, a phone or a computer that is connected by radio or network. BlueZ takes up to half a minute to detect an
  /// absent sensor, so the waits are short.
  case radio
  /// A program, which may print a recording: its success is the end.
  case program
  case service
  /// A recording or a synthetic walk, which is not read again after it has delivered something: it would count twice.
  case recording

  /// The waits between two attempts to open it.
  func waits(for use: Sources.Use) -> Backoff {
    switch (use, self) {
    case (.allDay, _): Backoff(first: .seconds(1), longest: .seconds(60))
    // It is read as soon as it is back. If its folder outlives it briefly, one extra attempt costs little.
    case (_, .sensor): Backoff(first: .milliseconds(200), longest: .seconds(60), isPrompt: true)
    case (_, .port): Backoff(first: .milliseconds(200), longest: .seconds(8), isPrompt: true)
    case (_, .radio), (_, .program): Backoff(first: .milliseconds(500), longest: .seconds(10), isPrompt: true)
    case (_, .service), (_, .recording): Backoff(first: .seconds(1), longest: .seconds(16))
    }
  }

  /// After an attempt that lasted longer than this, the waits start again.
  private func calm(for use: Sources.Use) -> Duration {
    switch self {
    case .sensor, .port: use == .live ? .seconds(1) : .seconds(60)
    default: .seconds(60)
    }
  }

  /// Between two looks for a source that is not there, beside those at changes.
  func looks(for use: Sources.Use) -> Backoff {
    switch (use, self) {
    // udev knows not every port.
    case (.live, .port): Backoff(first: .milliseconds(200), longest: .seconds(1))
    default: Backoff(first: .seconds(30), longest: .seconds(30))
    }
  }

  /// Between two looks at a sensor that another program uses. No event reports its release.
  static let release = Backoff(first: .milliseconds(200), longest: .seconds(5))

  /// When to open it again.
  /// - Parameter waits: whether a live source is waited for from the beginning.
  func policy(for use: Sources.Use, waits: Bool, _ sources: Sources) -> Reconnecting<SourceItem>.Policy {
    var policy = Reconnecting<SourceItem>.Policy(
      backoff: self.waits(for: use), calm: calm(for: use), sleep: sources.sleep, elapsed: sources.elapsed
    ) { error, stage in use == .allDay ? self != .recording || stage != .reading : isPassing(error, stage, waits) }
    if use == .allDay, self != .recording, self != .program {
      policy.end = SourceFailure(message: "the sensor stopped sending samples", status: .io)
    }
    policy.speaks = { if case .samples(let batch) = $0 { !batch.samples.isEmpty } else { true } }
    return policy
  }

  private func isPassing(_ error: any Error, _ stage: ReconnectingStage, _ waits: Bool) -> Bool {
    let failure = error as? SensorError
    switch self {
    case .recording: return false
    case .service: return !(error is SourceFailure)
    case .sensor, .port:
      // Any error of a source that is back may be temporary: a permission is not set yet, a board is still booting.
      return stage == .away || failure?.mayPass == true || waits && failure?.kind == .busy
    case .radio, .program:
      // Once it has delivered data, every error may be temporary: even BlueZ is restarted occasionally.
      return failure != nil && (waits || stage != .beginning)
    }
  }
}
