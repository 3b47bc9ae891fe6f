import CSensorShim

/// Puts the events between two SYN_REPORTs together.
///
/// The input core drops an axis that did not change, so values are kept; it drops whole frames when a reader is slow
/// (SYN_DROPPED), after which libevdev says what changed meanwhile.
public struct EvdevFrameAssembler: Sendable {
  /// What one SYN_REPORT closed.
  public struct Frame: Sendable, Hashable {
    /// The event's time, in nanoseconds of the chosen clock.
    public var nanoseconds: Int64
    /// The device's own microseconds, where it says them.
    public var deviceMicroseconds: UInt32?
    /// The axes' counts.
    public var counts: SIMD3<Int32>
    /// Frames before this one were lost.
    public var followsLoss: Bool
  }

  private typealias Code = EvdevCapabilities.Code
  private let axes: [UInt16]
  private var counts: SIMD3<Int32>
  private var deviceMicroseconds: UInt32?
  private var isResynchronising = false
  private var hasLost = false
  private var hasSpoken = false

  /// Starts with the axes' codes in the order x, y, z and their values at opening.
  public init(axes: [UInt16], counts: SIMD3<Int32>) {
    self.axes = axes
    self.counts = counts
  }

  /// Takes one event; a frame when the event ends one. The frame that ends a resynchronisation is none: its values
  /// belong to no known moment.
  public mutating func take(_ event: sensor_input_event) -> Frame? {
    switch Int(event.type) {
    case Code.abs:
      if let axis = axes.firstIndex(of: event.code) { counts[axis] = event.value }
      return nil
    case Code.msc:
      if event.code == Code.mscTimestamp { deviceMicroseconds = UInt32(bitPattern: event.value) }
      return nil
    case 0 where event.code == Code.synDropped:
      isResynchronising = true
      hasLost = hasSpoken
      deviceMicroseconds = nil
      return nil
    case 0 where event.code == Code.synReport: return frame(endingAt: event.nanoseconds)
    default: return nil
    }
  }

  private mutating func frame(endingAt time: Int64) -> Frame? {
    defer { deviceMicroseconds = nil }
    if isResynchronising {
      isResynchronising = false
      return nil
    }
    defer { (hasLost, hasSpoken) = (false, true) }
    return Frame(nanoseconds: time, deviceMicroseconds: deviceMicroseconds, counts: counts, followsLoss: hasLost)
  }
}
