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

/// A recording in real time; a pipe, a device or standard input, as fast as it arrives.
struct RecordedSource: SourceKind {
  func way(to uri: SourceURI?, for use: Sources.Use, _ sources: Sources) -> SourceWay? {
    let name: String
    switch uri {
    case .file(let path)?: name = path
    case .standardInput?: name = "standard input"
    default: return nil
    }
    let (uri, isFile, reading) = (uri ?? .standardInput, uri != .standardInput, sources.reading)
    return SourceWay(.recording) { _ in
      let pace = isFile ? ReplayPace(following: name) : .asItArrives
      let replay = RecordingReplay(profile: SensorProfile(name: name, clock: .recording), pace: pace) {
        if isFile { return try RecordingReader(path: name, options: reading) }
        return RecordingReader(fileDescriptor: 0, name: name, options: reading)
      }
      return SourceConnection(uri: uri, source: replay)
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
