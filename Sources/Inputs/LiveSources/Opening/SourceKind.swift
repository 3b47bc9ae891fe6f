import Accelerometry
import LinuxSensors
import Recordings
import SourceNames

/// A kind of source that can be opened by name: one file, and one entry in ``Sources/kinds``.
package protocol SourceKind: Sendable {
  /// How to open a source. Nothing is opened yet.
  /// - Parameter uri: `nil`: no name was given, and the best source is wanted.
  /// - Returns: `nil` if it does not handle the name.
  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) throws -> SourceWay?
}

/// How to open a source again and again.
package struct SourceWay: Sendable {
  /// The row of the table of waits.
  package var waits: SourceWaits
  /// Waits until the source is there, and opens it.
  /// - Parameter isAgain: whether it was opened before.
  /// - Returns: `nil` if the task was cancelled while waiting for it.
  package var connect: @Sendable (_ isAgain: Bool) async throws -> SourceConnection?

  package init(_ waits: SourceWaits, connect: @escaping @Sendable (_ isAgain: Bool) async throws -> SourceConnection?) {
    (self.waits, self.connect) = (waits, connect)
  }
}

/// A synthetic walk in real time.
struct SyntheticSource: SourceKind {
  /// Real time, except in tests.
  var pace = ReplayPace.realTime

  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) throws -> SourceWay? {
    guard case .synthetic(let settings)? = uri else { return nil }
    let isEndless = use == .allDay || sources.isWatched
    let walk = try isEndless ? SyntheticWalk(endless: settings) : SyntheticWalk(settings: settings)
    _ = try walk.reader()
    let replay = RecordingReplay(profile: walk.profile, pace: pace) { try walk.reader() }
    return SourceWay(.recording) { _ in SourceConnection(uri: .synthetic(settings), source: replay) }
  }
}

/// A recording in real time; a pipe or a device, as fast as it delivers.
struct RecordedFile: SourceKind {
  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) throws -> SourceWay? {
    guard case .file(let path)? = uri else { return nil }
    let reading = sources.reading
    let profile = SensorProfile(name: path, clock: .recording)
    let makeReader: @Sendable () throws -> RecordingReader = { try RecordingReader(path: path, options: reading) }
    return SourceWay(.recording) { _ in
      SourceConnection(
        uri: .file(path: path),
        source: RecordingReplay(profile: profile, pace: ReplayPace(following: path), makeReader: makeReader))
    }
  }
}

/// A recording on standard input, as fast as it arrives.
struct RecordedStream: SourceKind {
  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard uri == .standardInput else { return nil }
    let reading = sources.reading
    let profile = SensorProfile(name: "standard input", clock: .recording)
    return SourceWay(.recording) { _ in
      SourceConnection(
        uri: .standardInput,
        source: RecordingReplay(profile: profile, pace: .asItArrives) {
          RecordingReader(fileDescriptor: 0, name: "standard input", options: reading)
        })
    }
  }
}

/// A sensor of this computer, or the steps that a running service counts with it. Without a name and a usable sensor,
/// whatever the service counts with.
package struct MotionSensor: SourceKind {
  package init() {}

  package func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    guard uri?.isLocalSensor ?? true else { return nil }
    let search = SensorSearch(uri, for: use, sources)
    return SourceWay(.sensor) { try await search.connect(isAgain: $0) }
  }
}
