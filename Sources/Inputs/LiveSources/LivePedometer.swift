import Counting
import LinuxSensors
import Pedometers
import Pedometry
import Platform
import SourceNames
import Synchronization

/// A pedometer for the best sensor of this computer, or for any source by name, that survives unplugging.
///
///     let pedometer = LivePedometer()
///     for try await walk in pedometer.updates { print(walk.steps, walk.distanceTravelled) }
///
/// With the gait, for how evenly someone walks:
///
///     for try await case let walk as WalkTotals in LivePedometer(measuresGait: true).updates {
///       if let stride = walk.gait?.strideTime.variation { print(walk.steps, "strides vary by", stride, "%") }
///     }
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
  private let options: CountingOptions
  private let counting: DetectingPedometer

  /// Uses the best sensor. Nothing is opened yet.
  /// - Parameters:
  ///   - stepLength: computes the distance.
  ///   - measuresGait: whether totals have a gait.
  ///   - options: how to read the sensor.
  ///   - waits: whether to wait if no sensor can be read; otherwise that is an error with a remedy.
  public convenience init(
    stepLength: StepLengthModel = .walkRatio(), measuresGait: Bool = false, options: SensorOptions = SensorOptions(),
    waits: Bool = false
  ) {
    self.init(
      nil, LiveOpener(options: options, finder: SensorFinder(use: options.use, waits: waits)), stepLength,
      measuresGait: measuresGait)
  }

  /// Uses a source by name. Nothing is opened yet.
  /// - Throws: an error if the name is invalid.
  public convenience init(
    _ name: String, stepLength: StepLengthModel = .walkRatio(), measuresGait: Bool = false,
    options: SensorOptions = SensorOptions(), waits: Bool = false
  ) throws(SourceURI.ParsingError) {
    self.init(
      try SourceURI(parsing: name),
      LiveOpener(options: options, finder: SensorFinder(use: options.use, waits: waits)), stepLength,
      measuresGait: measuresGait)
  }

  /// - Parameter endsAtLoss: whether a local sensor that is lost ends the session with its error, as an app wants that
  ///   pauses meanwhile. The next session reads the same sensor, wherever it is plugged in.
  package init(
    _ uri: SourceURI?, _ opener: LiveOpener, _ stepLength: StepLengthModel, measuresGait: Bool = false,
    endsAtLoss: Bool = false
  ) {
    let source = DeferredSource(uri: uri, opener: opener, memory: endsAtLoss ? DeferredSource.Memory() : nil)
    self.source = source
    var options = CountingOptions(stepLength: stepLength)
    options.measuresGait = measuresGait
    self.options = options
    counting = DetectingPedometer(
      source, options,
      explain: { error in
        source.memory?.failure = error as? SensorError
        return PedometerError(live: error)
      })
  }

  /// Opens the source once, which tells its name and whether it can be read. A pedometer that ends at a loss keeps to the
  /// sensor that was found.
  /// - Parameters:
  ///   - waits: whether to wait for it; otherwise its absence is an error.
  ///   - remark: receives what people should know about the choice.
  /// - Returns: `nil` if the task was cancelled.
  package func find(
    waits: Bool, remark: @escaping @Sendable (String) -> Void = { _ in }
  ) async throws -> LiveFeed? {
    var finder = source.finder
    (finder.waits, finder.remark) = (waits, remark)
    return try await source.open(by: finder)
  }

  /// The last error of a sensor since the start, for a pedometer that ends at a loss.
  package var sensorFailure: SensorError? { source.memory?.failure }

  /// The events of a walk. Each iterator reopens the source and starts at zero.
  public var events: some AsyncSequence<WalkEvent, any Error> & Sendable {
    source.events(options)
  }

  /// Whether the source is present, even if it may not be read; see ``permissionDeclined``.
  public var pedometerAvailable: Bool { hindrance?.kind != .unavailable }

  /// Whether only a permission prevents the use of the sensor.
  public var permissionDeclined: Bool { hindrance?.kind == .permission }

  /// The reason why the source cannot count, with a remedy; `nil` if there is none. Errors of recordings appear when
  /// they are read.
  public var obstacle: String? { hindrance.map { "\($0)" } }

  /// What prevents reading; `nil` if nothing does, or it shows only when the source is opened.
  private var hindrance: SensorError? {
    if case .serial(let address)? = source.uri {
      let connected = (try? SensorDiscovery().boards()) ?? []
      let boards = connected.filter {
        SensorFinder.isSame($0.uri, .serial(address)) || ($0.node != nil && $0.node == address.path)
      }
      if !boards.isEmpty { return SensorSurvey(boards).obstacle }
      // A port that udev does not know reports its own errors.
      let isUnlisted = address.path.map { resolvedPath($0) != nil } ?? false
      return isUnlisted ? nil : SerialBoard.absence(of: address, among: connected)
    }
    guard source.uri?.isLocalSensor ?? true, source.memory?.isElsewhere != true else { return nil }
    let finder = source.finder
    let sensors = ((try? finder.sensors()) ?? []).filter { finder.accepts($0, as: source.uri) }
    guard sensors.isEmpty else { return SensorSurvey(sensors).obstacle }
    if finder.known != nil { return SensorFinder.absence }
    guard let uri = source.uri else { return SensorSurvey([]).obstacle }
    // udev does not know it; opening it gives the reason, or succeeds.
    do throws(SensorError) { _ = try MotionSensor.source(uri, source.opener.options) } catch { return error }
    return nil
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
  /// For a source whose sessions end at a loss; `nil`: a lost source is awaited.
  let memory: Memory?

  /// What the next session has to know of those before it.
  final class Memory: Sendable {
    private struct State {
      var identity: SensorIdentity?
      var isElsewhere = false
      var failure: SensorError?
    }
    private let state = Mutex(State())

    /// The sensor that was opened.
    var identity: SensorIdentity? { state.withLock { $0.identity } }
    /// Whether something other than a local sensor was opened: what the service counts with.
    var isElsewhere: Bool { state.withLock { $0.isElsewhere } }
    /// The last error of a session.
    var failure: SensorError? {
      get { state.withLock { $0.failure } }
      set { state.withLock { $0.failure = newValue } }
    }

    fileprivate func note(_ feed: LiveFeed) {
      state.withLock { state in
        state.identity = state.identity ?? feed.identity
        state.isElsewhere = !feed.uri.isLocalSensor
      }
    }
  }

  /// Finds the sensor of earlier sessions again.
  var finder: SensorFinder {
    var finder = opener.finder
    finder.known = memory?.identity
    return finder
  }

  func open(by finder: SensorFinder) async throws -> LiveFeed? {
    var opener = opener
    opener.finder = finder
    let feed = try await opener.open(uri)
    if let feed { memory?.note(feed) }
    return feed
  }

  func events(_ options: CountingOptions) -> Events {
    memory?.failure = nil
    return Events(source: self, options: options)
  }

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
      private var endsAtLoss = false

      fileprivate init(source: DeferredSource, options: CountingOptions) {
        self.source = source
        self.options = options
      }

      mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkEvent? {
        if isOver { return nil }
        if events == nil {
          isOver = true
          guard let feed = try await source.open(by: source.finder) else { return .ended(WalkSummary()) }
          (events, isOver) = (feed.withFloors(feed.walk).events(options).makeAsyncIterator(), false)
          // A phone whose connection is interrupted for a moment is awaited.
          endsAtLoss = source.memory != nil && feed.identity != nil
        }
        let event = try await events?.next(isolation: actor)
        if endsAtLoss, case .lost(let error)? = event {
          isOver = true
          throw error
        }
        return event
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
