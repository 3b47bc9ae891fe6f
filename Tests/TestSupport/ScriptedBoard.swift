import LinuxSensors
import LiveSources
import Platform
import Synchronization

/// A board on a pseudo-terminal: each wait of the reader delivers the script's next bytes and advances a clock that
/// only the script controls.
package final class ScriptedBoard: TextChannel {
  /// Bytes with their arrival times in nanoseconds, increasing.
  package struct Chunk: Sendable {
    package var time: Int64
    package var bytes: [UInt8]

    package init(_ time: Int64, _ bytes: [UInt8]) { (self.time, self.bytes) = (time, bytes) }
    package init(seconds: Double, _ text: String) { self.init(Int64(seconds * 1e9), Array(text.utf8)) }
  }

  /// What follows the last bytes.
  package enum End { case silence, unplugged, complete }

  private var chunks: ArraySlice<Chunk>
  private let end: End
  private let terminal: SerialTerminal
  private let port: SerialPort
  package private(set) var now: Int64
  /// How often the reader was woken.
  package private(set) var wakes = 0

  package init(_ chunks: [Chunk], end: End = .unplugged, start: Int64 = 0) throws {
    terminal = try SerialTerminal()
    port = try SerialPort(path: terminal.path, .init(path: terminal.path))
    (self.chunks, self.end, now) = (chunks[...], end, start)
  }

  package func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    wakes += 1
    if stop.wait(atMost: .zero) == .raised { return .raised }
    let limit = now + timeout.wholeNanoseconds
    if let next = chunks.first, next.time <= limit {
      pass(to: max(now, next.time))
      return .readable
    }
    if chunks.isEmpty, end != .silence {
      terminal.hangUp()
      return .readable
    }
    now = limit
    return .timedOut
  }

  package func rest(until stop: StopSignal, for time: Duration) -> StopSignal.Outcome {
    pass(to: now + time.wholeNanoseconds)
    return stop.wait(atMost: .zero)
  }

  package func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    try unsafe port.read(into: target)
  }

  package var isComplete: Bool { end == .complete && terminal.master < 0 }

  private func pass(to time: Int64) {
    now = time
    while let next = chunks.first, next.time <= time {
      terminal.write(next.bytes)
      chunks.removeFirst()
    }
  }
}

/// A pseudo-terminal with the test as master.
package final class SerialTerminal {
  package struct Missing: Error {}
  /// The path of the other side.
  package let path: String
  package private(set) var master: Int32

  package init() throws {
    master = unsafe open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
    var (unlocked, number): (Int32, UInt32) = (0, 0)
    guard master >= 0, unsafe ioctl(master, 0x4004_5431 as UInt, &unlocked) == 0,
      unsafe ioctl(master, 0x8004_5430 as UInt, &number) == 0
    else { throw Missing() }
    path = "/dev/pts/\(number)"
  }

  deinit { hangUp() }

  package func write(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = unsafe rest.withUnsafeBytes { unsafe Platform.write(master, $0.baseAddress, $0.count) }
      // Data that is not read is lost, as on a wire.
      guard count > 0 else { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Data written by the other side: an echo, or nothing.
  package func received() -> Int {
    var bytes = [UInt8](repeating: 0, count: 256)
    return max(0, unsafe read(master, &bytes, bytes.count))
  }

  package func hangUp() {
    if master >= 0 { close(master) }
    master = -1
  }
}
