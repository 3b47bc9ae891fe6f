import CSensorShim
import LinuxSensors
import Testing

@Suite("Frames of input events", .timeLimit(.minutes(30)))
struct EvdevFrameAssemblerTests {
  private static let syn: UInt16 = 0, abs: UInt16 = 3, msc: UInt16 = 4

  private func event(_ type: UInt16, _ code: UInt16, _ value: Int32, at time: Int64 = 0) -> sensor_input_event {
    sensor_input_event(nanoseconds: time, value: value, type: type, code: code)
  }

  private func frames(_ events: [sensor_input_event], axes: [UInt16] = [0, 1, 2]) -> [EvdevFrameAssembler.Frame] {
    var assembler = EvdevFrameAssembler(axes: axes, counts: [10, 20, 30])
    return events.compactMap { assembler.take($0) }
  }

  @Test("values persist from frame to frame, starting with those at opening")
  func kept() {
    let frames = frames([
      event(Self.abs, 0, 1), event(Self.syn, 0, 0, at: 5), event(Self.abs, 2, -3), event(Self.syn, 0, 0, at: 6),
    ])
    #expect(frames.map(\.counts) == [[1, 20, 30], [1, 20, -3]])
    #expect(frames.map(\.nanoseconds) == [5, 6])
  }

  @Test("the device's time belongs to its frame only")
  func deviceTime() {
    let frames = frames([
      event(Self.msc, 5, -1), event(Self.syn, 0, 0), event(Self.syn, 0, 0), event(Self.msc, 4, 9),
      event(Self.syn, 0, 0),
    ])
    #expect(frames.map(\.deviceMicroseconds) == [UInt32.max, nil, nil])
  }

  @Test("axes of rotation are ignored, unless they are the ones with acceleration")
  func axes() {
    let events = [event(Self.abs, 3, 7), event(Self.abs, 4, 8), event(Self.abs, 5, 9), event(Self.syn, 0, 0)]
    #expect(frames(events).map(\.counts) == [[10, 20, 30]])
    #expect(frames(events, axes: [3, 4, 5]).map(\.counts) == [[7, 8, 9]])
  }

  @Test("after SYN_DROPPED the state is read again, and the next complete frame reports a loss")
  func dropped() {
    let frames = frames([
      event(Self.syn, 0, 0, at: 1), event(Self.syn, 3, 0, at: 2), event(Self.abs, 1, 99), event(Self.syn, 0, 0, at: 3),
      event(Self.abs, 0, 5), event(Self.syn, 0, 0, at: 4), event(Self.syn, 0, 0, at: 5),
    ])
    #expect(frames.map(\.nanoseconds) == [1, 4, 5])
    #expect(frames.map(\.followsLoss) == [false, true, false])
    #expect(frames[1].counts == [5, 99, 30])
  }

  @Test("a queue that begins with SYN_DROPPED has no loss")
  func droppedFirst() {
    let frames = frames([
      event(Self.syn, 3, 0), event(Self.abs, 0, 4), event(Self.syn, 0, 0), event(Self.syn, 0, 0, at: 9),
    ])
    #expect(frames.map(\.followsLoss) == [false])
    #expect(frames.map(\.counts) == [[4, 20, 30]])
  }
}
