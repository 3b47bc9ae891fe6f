import ArgumentParser
import ChaseEngine
import ChaseTerminal
import LinuxSensors
import LiveSources
import Pedometers
import Pedometry
import Platform
import Recordings
import SourceNames
import Terminals

struct ChaseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "chase",
    abstract: "Reach your goal before Nessie reaches you",
    discussion: """
      Set a goal, walk, and reach it before Nessie reaches you. She starts 20 m behind you and swims at the speed of a brisk \
      walk. Without a terminal, and with --format json, the chase starts at once and prints one line for each event.

      KEYS
        space or enter   the button: start, pause, resume, try again
        g                set another goal: type digits, then enter
        d                dismiss the latest alert
        t                chat in a room: type a message, then enter
        c                start the room's countdown
        r                restart
        q                quit

      \(SourceHelp.live)
        walk.csv, file:walk.csv  a recording, in real time or at --speed
        -                        a recording on standard input, as it arrives
        synthetic:cadence=115    a synthetic walk; endless without duration or steps
        (none)                   the best sensor, or else what a running pedometerd
                                 counts with, or else a synthetic walk

      EXAMPLES
        pedometer chase --goal 1000
        pedometer chase synthetic:cadence=115 --goal 300 --speed 5
        pedometer chase --wait --goal 2000 --format json > chase.jsonl
        pedometer chase --goal 500 --room http://192.168.1.5:8080 --name Ann

      A room belongs to a running pedometerd; if that needs a token, set PEDOMETER_TOKEN.
      The exit code is 0 at the goal, when you quit and after a signal, and 1 if Nessie has caught you.
      """)

  @Argument(
    help: "A sensor, a recording, synthetic:… or - for standard input. (default: the best sensor)",
    completion: .shellCommand(SourceCompletion.name))
  var source: String?

  @OptionGroup(title: "Chase") var rules: ChaseRules

  @Option(parsing: .unconditional, help: "Play a recording or a synthetic walk this many times faster. (default: 1)")
  var speed: Double?

  @Flag(help: "Wait for the sensor to be plugged in; without a terminal, also after it is unplugged.")
  var wait = false

  @Option(help: "text or json (JSON Lines).")
  var format = TextOrJSON.text

  @Flag(help: "A picture without motion, once a second.")
  var calm = false

  @OptionGroup(title: "Room") var room: RoomOptions
  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions
  @OptionGroup(title: "Walker") var walker: WalkerOptions

  func validate() throws {
    if let speed, !(speed.isFinite && speed > 0) {
      throw ValidationError("--speed takes a number above 0, such as --speed 10")
    }
    guard let uri = try source.map(SourceArgument.parse) else { return }
    if wait, !uri.isSensor { throw ValidationError("'\(uri)' is not a sensor; leave out --wait") }
    if speed != nil, uri.isSensor { throw ValidationError("'\(uri)' is a sensor; leave out --speed") }
  }

  func run() throws {
    WakePipe.shared.listen(for: WakePipe.ending)
    defer { SensorSessions.stopAll() }
    try Commands.reporting {
      let terminal = format == .text ? Terminal() : nil
      if terminal == nil, rules.goal == nil {
        throw ExitStatus.usage.failure("no goal given; add a number of steps, such as --goal 1000")
      }
      guard let source = try chosenSource() else { return }
      if let terminal { try play(source, in: terminal) } else { try narrate(source) }
    }
  }
}

// MARK: - the source

extension ChaseCommand {
  /// The source, ready to play; `nil` if a signal arrived first.
  private func chosenSource() throws -> ChaseSource? {
    let uri = try source.map(SourceArgument.parse)
    let stepLength = walker.isGiven ? try walker.stepLengthModel() : nil
    let wake: @Sendable () -> Void = { WakePipe.shared.wake() }
    if uri == .standardInput, isatty(0) == 1 {
      throw ExitStatus.usage.failure(
        "standard input is a terminal; pipe a recording into it: sensor-logger | pedometer chase -")
    }
    if let uri,
      let source = try ChaseSource(
        playing: uri, reading: try reading.recordingOptions(), stepLength: stepLength, wake: wake)
    {
      return try prepared(source)
    }
    var sources = Sources(messages: Network.messages)
    sources.service = Network.service
    let pedometer = LivePedometer(uri, sources, stepLength ?? .walkRatio(), endsAtLoss: true)
    var name = uri.map { "\($0)" }
    // What is not of this computer is waited for by its reader.
    if wait || uri?.isLocalSensor ?? true {
      do {
        guard let feed = try find(pedometer) else { return nil }
        name = "\(feed.uri)"
      } catch let error as SensorError {
        switch (uri, error.kind) {
        case (nil, .permission): name = "the best sensor"
        // There is none to play with.
        case (nil, _): name = nil
        case (_, .unavailable): throw error
        // The chase says why it cannot begin.
        default: break
        }
      }
    }
    if let name {
      var source = ChaseSource(pedometer, name: name)
      if wait { source.waitForReturn = { try await pedometer.find(waits: true) } }
      return source
    }
    complain("no motion sensor found; using a synthetic walk (see 'pedometer doctor')")
    return try prepared(
      ChaseSource(walk: .allDay, name: "synthetic walk (no sensor found)", stepLength: stepLength, wake: wake))
  }

  /// Waits for the first samples.
  /// - Returns: `nil` if a signal arrived first.
  private func prepared(_ source: ChaseSource) throws -> ChaseSource? {
    guard let playback = source.playback else { return source }
    while !playback.isReady {
      if WakePipe.shared.wait().wantsEnd { return nil }
    }
    if let failure = playback.failure { throw SourceFailure(failure).status.failure("\(failure)") }
    return source
  }

  /// - Returns: the source; `nil` if a signal arrived first.
  private func find(_ pedometer: LivePedometer) throws -> SourceConnection? {
    let finding = SourceWait(
      wake: { WakePipe.shared.wake() },
      find: { [wait] in try await pedometer.find(waits: wait) { complain("\($0)") } })
    while true {
      if let result = finding.result { return try result.get() }
      if WakePipe.shared.wait().wantsEnd { return nil }
    }
  }
}

// MARK: - playing

extension ChaseCommand {
  private func owner(of source: ChaseSource, isGame: Bool) throws -> ChaseOwner {
    // A stream is played as it arrives; after its end the chase continues in real time for its viewers.
    let isStream = source.playback != nil && !source.isRepeatable
    let pace: ChaseSource.Pace = speed.map { .times($0) } ?? (isStream ? .asItComes : .times(1))
    let owner = ChaseOwner(
      source: source, settings: try rules.settings(), pace: pace, paceBehindEnd: isGame ? .times(1) : .asItComes,
      wake: { WakePipe.shared.wake() })
    if let goal = rules.goal { try owner.model.dataModel.setGoal(goal) }
    return owner
  }

  private func race(for owner: ChaseOwner) throws -> RaceSession? {
    guard room.isGiven, let client = try room.client(over: Network.transport) else { return nil }
    let link = RaceLink(client) { WakePipe.shared.wake() }
    let session = RaceSession(link, name: client.username, owner: owner)
    session.place = try room.location()
    link.open()
    if room.countdown { session.countDown() }
    return session
  }

  private func play(_ source: ChaseSource, in terminal: Terminal) throws {
    let environment = ProcessEnvironment.current
    let owner = try owner(of: source, isGame: true)
    let reporting = Reporting(of: owner.model)
    defer { reporting?.finish() }
    let race = try race(for: owner)
    defer { race?.leave() }
    let controls = ChaseControls(owner: owner, race: race, isCalm: calm)
    controls.reports = reporting?.reports
    race?.reports = reporting?.room
    reporting?.reports.screenShown()
    WakePipe.shared.listen(for: WakePipe.ofTerminal)
    try TerminalChase(controls: controls, terminal: terminal, style: ScreenStyle(environment), isCalm: calm).run()
    reporting?.reports.screenLeft()
    let frame = ChaseFrame(of: owner.model)
    try StandardOutput.write(ChaseLines.result(frame))
    if frame.state == .caught { throw ExitCode(1) }
  }

  private func narrate(_ source: ChaseSource) throws {
    let owner = try owner(of: source, isGame: false)
    let reporting = Reporting(of: owner.model)
    defer { reporting?.finish() }
    let race = try race(for: owner)
    race?.reports = reporting?.room
    defer { race?.leave() }
    let chase = HeadlessChase(owner: owner, lines: ChaseLines(format: format), race: race)
    switch try chase.run() {
    case .completed, .stopped: return
    case .caught: throw ExitCode(1)
    case .failed(let message, let status): throw status.failure(message)
    }
  }
}
