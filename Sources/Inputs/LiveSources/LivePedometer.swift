import Counting
import LinuxSensors
import Pedometry
import Platform
import SourceNames

/// A pedometer for the best sensor of this computer, or for any source by name, that survives unplugging.
///
///     let pedometer = LivePedometer()
///     for try await walk in pedometer.updates { print(walk.steps, walk.distanceTravelled) }
///
/// A name is one that `pedometer devices` lists (`iio:device0`, `evdev:/dev/input/event5`, `counter:device0`,
/// `serial:/dev/ttyACM0`, `ble:C0:FF:EE:00:11:22`), a phone (`phyphox:http://192.168.1.7:8080`, `udp:5555`), a recording's
/// path or `synthetic:cadence=110`; see `SourceURI`. If a sensor is lost, the pedometer waits for it, and totals continue
/// when it is back. ``events`` reports this as well, and each step.
///
/// Errors are `PedometerError`s in handlers and in `updates`, and the source's errors (`SensorError`, `RecordingError`)
/// in ``events``. Call `SensorSessions.stopAll()` before the process ends: it restores the settings of sensors.
public final class LivePedometer: ExplainedPedometer {
  private let source: DeferredSource
  private let stepLength: StepLengthModel
  private let counting: WalkPedometer<DeferredSource>

  /// Uses the best sensor. Nothing is opened yet.
  /// - Parameters:
  ///   - stepLength: computes the distance.
  ///   - options: how to read the sensor.
  ///   - waits: whether to wait if no sensor can be read; otherwise that is an error with a remedy.
  public convenience init(
    stepLength: StepLengthModel = .walkRatio(), options: SensorOptions = SensorOptions(), waits: Bool = false
  ) {
    self.init(nil, LiveOpener(options: options, finder: SensorFinder(use: options.use, waits: waits)), stepLength)
  }

  /// Uses a source by name. Nothing is opened yet.
  /// - Throws: an error if the name is invalid.
  public convenience init(
    _ name: String, stepLength: StepLengthModel = .walkRatio(), options: SensorOptions = SensorOptions(),
    waits: Bool = false
  ) throws(SourceURI.ParsingError) {
    self.init(
      try SourceURI(parsing: name),
      LiveOpener(options: options, finder: SensorFinder(use: options.use, waits: waits)), stepLength)
  }

  package init(_ uri: SourceURI?, _ opener: LiveOpener, _ stepLength: StepLengthModel) {
    source = DeferredSource(uri: uri, opener: opener)
    self.stepLength = stepLength
    counting = WalkPedometer(source, stepLength: stepLength) { PedometerError(live: $0) }
  }

  /// The events of a walk. Each iterator reopens the source and starts at zero.
  public var events: some AsyncSequence<WalkEvent, any Error> & Sendable {
    source.events(CountingOptions(stepLength: stepLength))
  }

  /// Whether the source is present, even if it may not be read; see ``permissionDeclined``.
  public var pedometerAvailable: Bool { survey.map { $0.pedometerAvailable || $0.permissionDeclined } ?? true }

  /// Whether only a permission prevents the use of the sensor.
  public var permissionDeclined: Bool { survey?.permissionDeclined ?? false }

  /// The reason why the source cannot count, with a remedy; `nil` if there is none. Errors of recordings appear when
  /// they are read.
  public var obstacle: String? { survey?.obstacle.map { "\($0)" } }

  /// The acceptable sensors; `nil` if the source is not a sensor.
  private var survey: SensorSurvey? {
    if case .serial(let address)? = source.uri {
      let boards = ((try? SensorDiscovery().boards()) ?? []).filter {
        SensorFinder.isSame($0.uri, .serial(address)) || ($0.node != nil && $0.node == address.path)
      }
      // A port that udev does not know reports its own errors.
      let isUnlisted = boards.isEmpty && address.path.map { resolvedPath($0) != nil } ?? false
      return isUnlisted ? nil : SensorSurvey(boards)
    }
    guard source.uri?.isLocalSensor ?? true else { return nil }
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

/// A source that is opened when the first event is requested.
struct DeferredSource: WalkSource {
  let uri: SourceURI?
  let opener: LiveOpener

  func events(_ options: CountingOptions) -> Events { Events(source: self, options: options) }

  struct Events: AsyncSequence, Sendable {
    typealias Element = WalkEvent
    typealias Failure = any Error

    fileprivate let source: DeferredSource
    fileprivate let options: CountingOptions

    func makeAsyncIterator() -> Iterator { Iterator(source: source, options: options) }

    struct Iterator: AsyncIteratorProtocol {
      fileprivate let source: DeferredSource
      fileprivate let options: CountingOptions
      private var events: (any AsyncIteratorProtocol<WalkEvent, any Error>)?
      private var isOver = false

      fileprivate init(source: DeferredSource, options: CountingOptions) {
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
  /// The error for a pedometer's handlers.
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
