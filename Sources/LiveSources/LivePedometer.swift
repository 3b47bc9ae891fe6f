import Accelerometry
import Counting
import LinuxSensors
import Pedometry
import Platform

/// The best sensor of this computer, or any source by its name, as a pedometer that outlives unplugging.
///
///     let pedometer = LivePedometer()
///     for try await walk in pedometer.updates { print(walk.steps, walk.distanceTravelled) }
///
/// A name is what `pedometer devices` lists (`iio:device0`, `evdev:/dev/input/event5`, `counter:device0`, `serial:/dev/ttyACM0`,
/// `ble:C0:FF:EE:00:11:22`), a recording's path or `synthetic:cadence=110`; see `SourceURI`. A sensor that is lost is waited for,
/// and totals go on when it is back. ``events``
/// tells of that too, and of each step.
///
/// Errors arrive as `PedometerError` at handlers and in `updates`, and as the source's own (`SensorError`, `RecordingError`) in
/// ``events``. Before the process ends, call `SensorSessions.stopAll()`: it puts back what was changed about a sensor.
public final class LivePedometer: ExplainedPedometer {
  private let source: LiveSource
  private let stepLength: StepLengthModel
  private let counting: WalkPedometer<LiveSource>

  /// The best sensor; nothing is opened yet.
  /// - Parameters:
  ///   - stepLength: how distance is made of steps.
  ///   - options: how it is to be read.
  ///   - waits: whether to wait for a sensor where none can be read. Without, that is an error which says what to do.
  public convenience init(
    stepLength: StepLengthModel = .walkRatio(), options: SensorOptions = SensorOptions(), waits: Bool = false
  ) {
    self.init(nil, LiveOpener(options: options, finder: SensorFinder(use: options.use, waits: waits)), stepLength)
  }

  /// The source of a name; nothing is opened yet.
  /// - Throws: why the name is invalid.
  public convenience init(
    _ name: String, stepLength: StepLengthModel = .walkRatio(), options: SensorOptions = SensorOptions(),
    waits: Bool = false
  ) throws(SourceURI.ParsingError) {
    self.init(
      try SourceURI(parsing: name),
      LiveOpener(options: options, finder: SensorFinder(use: options.use, waits: waits)), stepLength)
  }

  package init(_ uri: SourceURI?, _ opener: LiveOpener, _ stepLength: StepLengthModel) {
    source = LiveSource(uri: uri, opener: opener)
    self.stepLength = stepLength
    counting = WalkPedometer(source, stepLength: stepLength) { PedometerError(live: $0) }
  }

  /// What happens, step by step: each iterator opens the source anew, at zero.
  public var events: some AsyncSequence<WalkEvent, any Error> & Sendable {
    source.events(CountingOptions(stepLength: stepLength))
  }

  /// Whether the source is there. A sensor that may not be read is; see ``permissionDeclined``.
  public var pedometerAvailable: Bool { survey.map { $0.pedometerAvailable || $0.permissionDeclined } ?? true }

  /// Whether the only thing that keeps this user from the sensor is a permission.
  public var permissionDeclined: Bool { survey?.permissionDeclined ?? false }

  /// What keeps it from counting and what to do about it; `nil` when nothing does. A recording says so when it is read.
  public var obstacle: String? { survey?.obstacle.map { "\($0)" } }

  /// The sensors that would do; `nil` where none is asked for.
  private var survey: SensorSurvey? {
    if case .bluetooth? = source.uri { return nil }
    guard source.uri?.isSensor ?? true else { return nil }
    if case .serial(let address)? = source.uri {
      let boards = ((try? SensorDiscovery().boards()) ?? []).filter {
        SensorFinder.isSame($0.uri, .serial(address)) || ($0.node != nil && $0.node == address.path)
      }
      // A port that udev does not know says itself what is wrong with it.
      let isUnlisted = boards.isEmpty && address.path.map { resolvedPath($0) != nil } ?? false
      return isUnlisted ? nil : SensorSurvey(boards)
    }
    let sensors = (try? SensorDiscovery().sensors()) ?? []
    return SensorSurvey(sensors.filter { found in source.uri.map { SensorFinder.isSame(found.uri, $0) } ?? true })
  }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) {
    counting.start(dataUpdates: dataUpdates, eventUpdates: eventUpdates)
  }

  public func pause() { counting.pause() }
}

/// A source that is looked for when the first event is asked for.
struct LiveSource: WalkSource {
  let uri: SourceURI?
  let opener: LiveOpener

  func events(_ options: CountingOptions) -> Events { Events(source: self, options: options) }

  struct Events: AsyncSequence, Sendable {
    typealias Element = WalkEvent
    typealias Failure = any Error

    fileprivate let source: LiveSource
    fileprivate let options: CountingOptions

    func makeAsyncIterator() -> Iterator { Iterator(source: source, options: options) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let source: LiveSource
      fileprivate let options: CountingOptions
      private var events: (any AsyncIteratorProtocol<WalkEvent, any Error>)?
      private var isOver = false

      fileprivate init(source: LiveSource, options: CountingOptions) {
        self.source = source
        self.options = options
      }

      mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkEvent? {
        if isOver { return nil }
        if events == nil {
          isOver = true
          guard let feed = try await source.opener.open(source.uri) else { return .ended(WalkSummary()) }
          (events, isOver) = (feed.withFloors(feed.walk).events(options).makeAsyncIterator(), false)
        }
        return try await events?.next(isolation: actor)
      }
    }
  }
}

extension PedometerError {
  /// What an error of a source means to a pedometer's handlers.
  package init(live error: any Error) {
    let code = (error as? SensorError)?.code
    self =
      switch error {
      case let error as PedometerError: error
      case _ where code == .permissionDenied: .notAuthorized(remedy: "\(error)")
      case _ where code == .notFound: .notAvailable(reason: "\(error)")
      default: .sensorLost(reason: "\(error)")
      }
  }
}
