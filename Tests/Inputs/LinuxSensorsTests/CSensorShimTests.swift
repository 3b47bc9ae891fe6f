import CSensorShim
import Glibc
import Testing

@testable import LinuxSensors

@Suite("The C shim", .timeLimit(.minutes(30)))
struct CSensorShimTests {
  /// The two ends of a pipe.
  private func makePipe() -> (reader: Int32, writer: Int32) {
    var ends: [Int32] = [0, 0]
    _ = unsafe pipe(&ends)
    return (ends[0], ends[1])
  }

  @Test("failures are negative errnos, and descriptors are closed on exec")
  func open() {
    #expect(unsafe sensor_open("/nowhere/at/all", O_RDONLY) == -ENOENT)
    #expect(unsafe sensor_open("/", O_WRONLY) == -EISDIR)
    let file = unsafe sensor_open("/dev/null", O_RDONLY)
    #expect(file >= 0 && fcntl(file, F_GETFD) & FD_CLOEXEC != 0)
    close(file)
  }

  @Test("waiting distinguishes data, the flag, a closed other end and the time-out")
  func waiting() throws {
    let (reader, writer) = makePipe()
    let stop = try StopSignal()
    #expect(stop.wait(for: reader, atMost: .zero) == .timedOut)
    feed([1], to: writer)
    #expect(stop.wait(for: reader, atMost: nil) == .readable)
    stop.raise()
    #expect(stop.wait(for: reader, atMost: nil) == .raised)
    #expect(stop.wait(atMost: nil) == .raised)
    stop.lower()
    #expect(stop.wait(atMost: .zero) == .timedOut)
    close(writer)
    #expect(stop.wait(for: reader, atMost: nil) == .readable)
    close(reader)
  }

  @Test("a terminal that is hung up is readable, so that the read reports it")
  func terminal() throws {
    var (controller, side): (Int32, Int32) = (-1, -1)
    #expect(unsafe openpty(&controller, &side, nil, nil, nil) == 0)
    _ = fcntl(side, F_SETFL, O_NONBLOCK)
    let terminal = NodeDescriptor(owning: side, path: "a terminal")
    let stop = try StopSignal()
    #expect(stop.wait(for: terminal.number, atMost: .zero) == .timedOut)
    close(controller)
    #expect(stop.wait(for: terminal.number, atMost: nil) == .readable)
    var bytes = [UInt8](repeating: 0, count: 4)
    #expect(terminal.readOrErrno(into: &bytes, from: 0) <= 0)
  }

  @Test("other devices have no IIO buffers, and other files no input clock")
  func wrongDevices() {
    let (reader, writer) = makePipe()
    #expect(sensor_iio_buffer_descriptor(reader, 1) == -ENOTTY)
    #expect(sensor_evdev_set_clock(reader, CLOCK_BOOTTIME) == -ENOTTY)
    close(reader)
    close(writer)
  }
}
