import Counting
import Platform
import SourceNames
import Synchronization
import TestSupport
import Testing

@testable import LinuxSensors
@testable import LiveSources

@Suite("A serial port", .timeLimit(.minutes(30)))
struct SerialBoardTests {
  /// A port of a machine with these boards.
  private static func source(
    _ address: SerialAddress, _ boards: [DiscoveredSensor] = [], _ kind: SerialBoard = SerialBoard(),
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
  ) async throws -> OpenSource {
    var sources = Sources()
    sources.kinds = [kind]
    (sources.boards, sources.sleep) = ({ boards }, sleep)
    return try #require(try await sources.open(.serial(address), for: .live))
  }

  @Test("is in raw mode, without echo, and nothing is written to it")
  func raw() throws {
    let terminal = try SerialTerminal()
    let port = try SerialPort(path: terminal.path, SerialAddress(path: terminal.path, rate: 250_000))
    terminal.write(Array("1,2,3\r\n\u{3}\u{11}\u{13}4".utf8))
    var bytes = [UInt8](repeating: 0, count: 64)
    let count = try unsafe bytes.withUnsafeMutableBytes { try unsafe port.read(into: $0) }
    #expect(Array(bytes[..<count]) == Array("1,2,3\r\n\u{3}\u{11}\u{13}4".utf8))
    #expect(terminal.received() == 0)
    #expect(try unsafe bytes.withUnsafeMutableBytes { try unsafe port.read(into: $0) } == 0)
  }

  @Test("has one reader; a second one is refused, and may open it afterwards")
  func exclusive() throws {
    let terminal = try SerialTerminal()
    let address = SerialAddress(path: terminal.path)
    do {
      let port = try SerialPort(path: terminal.path, address)
      #expect(throws: SensorError.self) { try SerialPort(path: terminal.path, address) }
      do { _ = try SerialPort(path: terminal.path, address) } catch { #expect(error.kind == .busy) }
      withExtendedLifetime(port) {}
    }
    _ = try SerialPort(path: terminal.path, address)
  }

  @Test("that another program has open is refused, but not the program at the other end of a pseudo-terminal")
  func otherEnd() throws {
    let terminal = try SerialTerminal()
    let address = SerialAddress(path: terminal.path)
    let slave = unsafe open(terminal.path, O_RDWR | O_NOCTTY | O_CLOEXEC)
    defer { close(slave) }
    do {
      // As socat does, it has both ends open.
      let bridge = try OtherProgram(holding: [terminal.master, slave])
      let port = try SerialPort(path: terminal.path, address)
      terminal.write(Array("1,2,3\n".utf8))
      var bytes = [UInt8](repeating: 0, count: 64)
      #expect(try unsafe bytes.withUnsafeMutableBytes { try unsafe port.read(into: $0) } == 6)
      withExtendedLifetime((bridge, port)) {}
    }
    let rival = try OtherProgram(holding: [slave])
    do {
      _ = try SerialPort(path: terminal.path, address)
      Issue.record("a port in use was opened")
    } catch {
      #expect(error.kind == .busy && error.holders.map(\.name) == [OtherProgram.name], "\(error)")
    }
    // The master of another pseudo-terminal is no excuse.
    let other = try SerialTerminal()
    let bystander = try OtherProgram(holding: [other.master, slave])
    do {
      _ = try SerialPort(path: terminal.path, address)
      Issue.record("a port in use was opened")
    } catch { #expect(error.holders.count == 2, "\(error)") }
    withExtendedLifetime((rival, bystander)) {}
  }

  @Test("the port of an unknown board has one name")
  func oneName() async throws {
    let terminal = try SerialTerminal()
    let address = SerialAddress(path: terminal.path)
    #expect(try await Self.source(address).connection?.title == "serial:\(terminal.path)")
    let named = try await Self.source(address, [Self.board(terminal.path)])
    #expect(named.connection?.title == "serial:\(terminal.path) (Arduino Nano)")
  }

  @Test("that is a file or missing is refused with a remedy")
  func refused() throws {
    let folder = try TemporaryDirectory()
    let file = try folder.write(Array("1,2,3\n".utf8), to: "walk.csv")
    do {
      _ = try SerialPort(path: file, SerialAddress(path: file))
      Issue.record("a file was opened")
    } catch { #expect(error.kind == .unavailable && "\(error)".contains("not a serial port")) }
    for other in ["/dev/null", "/dev/zero", folder.path] {
      do {
        _ = try SerialPort(path: other, SerialAddress(path: other))
        Issue.record("\(other) was opened")
      } catch { #expect("\(error)".contains("not a serial port"), "\(error)") }
    }
    #expect(throws: SensorError.removed(path: file + "x")) {
      try SerialPort(path: file + "x", SerialAddress(path: nil))
    }
  }

  private static func board(_ path: String, _ name: String = "Arduino Nano") -> DiscoveredSensor {
    DiscoveredSensor(
      uri: .serial(SerialAddress(path: path)), name: name, kind: .board,
      identity: SensorIdentity(bus: "usb", vendor: "2341", product: "0043", serial: "A1", part: "serial"), node: path,
      folder: SysfsDirectory(path: "/sys/class/tty/ttyACM0"), parents: [], isExternal: true, usability: .usable,
      remarks: [])
  }

  @Test("the only board needs no name; with several, a name is required; without one, there is a remedy")
  func only() async throws {
    let folder = try TemporaryDirectory()
    let (one, two) = (try folder.write([], to: "one"), try folder.write([], to: "two"))
    let connection = try await Self.source(SerialAddress(path: nil, rate: 9600), [Self.board(one)]).connection
    #expect(connection?.uri == .serial(SerialAddress(path: one, rate: 9600)))
    #expect(connection?.profile.name == "Arduino Nano")
    do {
      _ = try await Self.source(SerialAddress(path: nil), [Self.board(one), Self.board(two)])
      Issue.record("one of two was taken")
    } catch { #expect("\(error)".contains(one) && "\(error)".contains(two)) }
    await #expect(throws: SensorError.self) { try await Self.source(SerialAddress(path: nil)) }
  }

  @Test("a board is never the best sensor, but the message mentions it")
  func neverUnasked() {
    let survey = SensorSurvey([], boards: [Self.board("/dev/ttyACM0")])
    #expect(!survey.pedometerAvailable)
    #expect(survey.obstacle.map { "\($0)" }?.contains("pedometer live serial:/dev/ttyACM0") == true)
    // Without any, the message names the other ways.
    let message = SensorSurvey([]).obstacle.map { "\($0)" } ?? ""
    for way in ["accelerometer", "game pad", "serial:", "udp:", "phyphox:", "ble:"] {
      #expect(message.contains(way), "\(message)")
    }
  }

  @Test("a board that is replugged a hundred times is found by its name, as another terminal")
  func replugs() async throws {
    let folder = try TemporaryDirectory()
    let plug = Plug(folder.path + "/usb-Arduino_A1-if00", times: 100)
    try plug.put()
    var kind = SerialBoard()
    kind.openChannel = { path, _ in try plug.open(path) }
    let source = try await Self.source(SerialAddress(path: plug.link), [], kind) { _ in try plug.put() }
    var (lost, back, samples, latest) = (0, 0, 0, Int64.min)
    var events = source.elements.makeAsyncIterator()
    while back < plug.times, let event = try await events.next() {
      switch event {
      case .lost: lost += 1
      case .back: back += 1
      case .refused(let error): Issue.record("\(error)")
      case .element(.steps): Issue.record("steps")
      case .element(.samples(let batch)):
        samples += batch.samples.count
        for sample in batch.samples {
          #expect(sample.nanoseconds > latest)
          latest = sample.nanoseconds
        }
      }
    }
    #expect(lost == plug.times && back == plug.times && samples >= plug.times * 148, "\(lost) \(back) \(samples)")
    // The present one, and the one before it at most.
    #expect(plug.openBoards <= 2)
  }

  /// A board's link, which disappears when it was opened, and is back when it is awaited.
  private final class Plug: Sendable {
    struct Failed: Error {}
    let link: String
    let times: Int
    private let openings = Mutex(0)
    private struct Held: Sendable { weak let board: Alive? }
    private let held = Mutex<[Held]>([])

    /// Whose descriptors are open still.
    var openBoards: Int { held.withLock { $0.count { $0.board != nil } } }

    init(_ link: String, times: Int) { (self.link, self.times) = (link, times) }

    func put() throws {
      guard unsafe symlink("/dev/null", link) == 0 || errno == EEXIST else { throw Failed() }
    }

    /// Three seconds of a walk, then the end; the whole walk the last time.
    func open(_ path: String) throws -> any TextChannel {
      guard path == link else { throw Failed() }
      let opening = openings.withLock { count in
        count += 1
        return count
      }
      let isLast = opening > times
      if !isLast { unsafe unlink(link) }
      let start = Int64(opening) * 200 * PrintedWalk.second
      let walk = PrintedWalk().chunks
      let chunks = walk.prefix(isLast ? walk.count : 150).map { ScriptedBoard.Chunk($0.time + start, $0.bytes) }
      let board = try CountedBoard(try ScriptedBoard(chunks, end: isLast ? .silence : .unplugged, start: start))
      held.withLock { $0.append(Held(board: board.alive)) }
      return board
    }
  }
}

/// Lives as long as a board's descriptors.
private final class Alive: Sendable {}

/// A board that shows whether it was let go.
private final class CountedBoard: TextChannel {
  let alive = Alive()
  private let board: ScriptedBoard
  init(_ board: ScriptedBoard) throws { self.board = board }
  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    board.wait(until: stop, atMost: timeout)
  }
  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    try unsafe board.read(into: target)
  }
  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome { board.rest(until: stop, for: time) }
  var now: Int64 { board.now }
}
