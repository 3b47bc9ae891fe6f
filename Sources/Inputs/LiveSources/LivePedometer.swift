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
  ) { self.init(nil, Sources(options: options, waits: waits), stepLength, measuresGait: measuresGait) }

  /// Uses a source by name. Nothing is opened yet.
  /// - Throws: an error if the name is invalid.
  public convenience init(
    _ name: String, stepLength: StepLengthModel = .walkRatio(), measuresGait: Bool = false,
    options: SensorOptions = SensorOptions(), waits: Bool = false
  ) throws(SourceURI.ParsingError) {
    self.init(
      try SourceURI(parsing: name), Sources(options: options, waits: waits), stepLength, measuresGait: measuresGait)
  }

  /// - Parameter endsAtLoss: whether a local sensor that is lost ends the session with its error, as an app wants that
  ///   pauses meanwhile. The next session reads the same sensor, wherever it is plugged in.
  package init(
    _ uri: SourceURI?, _ sources: Sources, _ stepLength: StepLengthModel, measuresGait: Bool = false,
    endsAtLoss: Bool = false
  ) {
    let source = DeferredSource(uri: uri, sources, endsAtLoss: endsAtLoss)
    self.source = source
    var options = CountingOptions(stepLength: stepLength)
    options.measuresGait = measuresGait
    self.options = options
    counting = DetectingPedometer(
      source, options,
      explain: { error in
        source.past.withLock { $0.failure = error as? SensorError }
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
  ) async throws -> SourceConnection? {
    var sources = source.sources
    (sources.waits, sources.remark) = (waits, remark)
    return try await source.open(from: sources)?.connection
  }

  /// The last error of a sensor since the start, for a pedometer that ends at a loss.
  package var sensorFailure: SensorError? { source.past.withLock { $0.failure } }

  /// The events of a walk. Each iterator reopens the source and starts at zero.
  public var events: some AsyncSequence<WalkEvent, any Error> & Sendable { source.events(options) }

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
      let connected = (try? source.sources.boards()) ?? []
      let boards = connected.filter {
        SensorSearch.isSame($0.uri, .serial(address)) || ($0.node != nil && $0.node == address.path)
      }
      if !boards.isEmpty { return SensorSurvey(boards).obstacle }
      // A port that udev does not know reports its own errors.
      let isUnlisted = address.path.map { resolvedPath($0) != nil } ?? false
      return isUnlisted ? nil : SerialBoard.absence(of: address, among: connected)
    }
    guard source.uri?.isLocalSensor ?? true, !source.past.withLock({ $0.wasElsewhere }) else { return nil }
    return SensorSearch(source.uri, for: .live, source.sources).hindrance
  }

  public func start(
    dataUpdates: @escaping @Sendable ((any PedometerData)?, (any Error)?) -> Void,
    eventUpdates: @escaping @Sendable ((any Error)?) -> Void
  ) { counting.start(dataUpdates: dataUpdates, eventUpdates: eventUpdates) }

  public func pause() { counting.pause() }
}

/// A source that is opened when the first event is requested.
final class DeferredSource: WalkSource {
  let uri: SourceURI?
  let sources: Sources
  private let endsAtLoss: Bool
  let past = Mutex(Past())

  struct Past {
    /// Whether something other than a local sensor was opened: what the service counts with.
    var wasElsewhere = false
    var failure: SensorError?
  }

  /// - Parameter endsAtLoss: whether a session ends at a loss, and the next one reads the same sensor; otherwise a lost source
  ///   is awaited.
  init(uri: SourceURI?, _ sources: Sources, endsAtLoss: Bool) {
    var sources = sources
    if endsAtLoss { sources.memory = SensorMemory() }
    (self.uri, self.sources, self.endsAtLoss) = (uri, sources, endsAtLoss)
  }

  func open(from sources: Sources) async throws -> OpenSource? {
    let source = try await sources.open(uri, for: .live)
    if let connection = source?.connection, endsAtLoss {
      past.withLock { $0.wasElsewhere = !connection.uri.isLocalSensor }
    }
    return source
  }

  func events(_ options: CountingOptions) -> Events {
    past.withLock { $0.failure = nil }
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
      private var events: FloorWalk.Iterator?
      private var isOver = false
      private var endsAtLoss = false

      fileprivate init(source: DeferredSource, options: CountingOptions) {
        (self.source, self.options) = (source, options)
      }

      mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> WalkEvent? {
        if isOver { return nil }
        if events == nil {
          isOver = true
          guard let opened = try await source.open(from: source.sources) else { return .ended(WalkSummary()) }
          (events, isOver) = (opened.events(options).makeAsyncIterator(), false)
          // A phone whose connection is interrupted for a moment is awaited.
          endsAtLoss = source.endsAtLoss && opened.connection?.identity != nil
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
