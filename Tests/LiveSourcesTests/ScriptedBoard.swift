import Platform
import Synchronization

@testable import LinuxSensors
@testable import LiveSources

/// A board behind a pseudo-terminal: each wait of the reader lets the script's next bytes come, and time pass on a clock that
/// only the script moves.
final class ScriptedBoard: BoardLine {
  /// Bytes, and when they come, in nanoseconds; rising.
  struct Chunk: Sendable {
    var time: Int64
    var bytes: [UInt8]

    init(_ time: Int64, _ bytes: [UInt8]) { (self.time, self.bytes) = (time, bytes) }
    init(seconds: Double, _ text: String) { self.init(Int64(seconds * 1e9), Array(text.utf8)) }
  }

  /// What comes behind the last bytes.
  enum End { case silence, unplugged }

  private var chunks: ArraySlice<Chunk>
  private let end: End
  private let terminal: Terminal
  private let port: SerialPort
  private(set) var now: Int64
  /// How often the reader was woken.
  private(set) var wakes = 0

  init(_ chunks: [Chunk], end: End = .unplugged, start: Int64 = 0) throws {
    terminal = try Terminal()
    port = try SerialPort(path: terminal.path, .init(path: terminal.path))
    (self.chunks, self.end, now) = (chunks[...], end, start)
  }

  func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    wakes += 1
    if stop.wait(atMost: .zero) == .raised { return .raised }
    let limit = now + timeout.wholeNanoseconds
    if let next = chunks.first, next.time <= limit {
      pass(to: max(now, next.time))
      return .readable
    }
    if chunks.isEmpty, end == .unplugged {
      terminal.hangUp()
      return .readable
    }
    now = limit
    return .timedOut
  }

  func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome {
    pass(to: now + time.wholeNanoseconds)
    return stop.wait(atMost: .zero)
  }

  func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    try unsafe port.read(into: target)
  }

  private func pass(to time: Int64) {
    now = time
    while let next = chunks.first, next.time <= time {
      terminal.write(next.bytes)
      chunks.removeFirst()
    }
  }
}

/// A pseudo-terminal whose master a test holds.
final class Terminal {
  struct Missing: Error {}
  /// The name of the other side.
  let path: String
  private var master: Int32

  init() throws {
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var (unlocked, number): (Int32, UInt32) = (0, 0)
    guard master >= 0, unsafe ioctl(master, 0x4004_5431 as UInt, &unlocked) == 0,
      unsafe ioctl(master, 0x8004_5430 as UInt, &number) == 0
    else { throw Missing() }
    path = "/dev/pts/\(number)"
  }

  deinit { hangUp() }

  func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Platform.write(master, $0.baseAddress, $0.count) }
      // What nobody reads is lost, as on a wire.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// What came back from the other side: an echo, or nothing.
  func received() -> Int {
    var bytes = [UInt8](repeating: 0, count: 256)
    return max(0, unsafe read(master, &bytes, bytes.count))
  }

  func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }
}
