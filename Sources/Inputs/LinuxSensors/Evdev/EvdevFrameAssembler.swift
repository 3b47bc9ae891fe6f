import CSensorShim

/// Combines the events between two SYN_REPORTs.
///
/// The input core omits axes that did not change, so values are kept. If a reader is slow, it discards whole frames
/// (SYN_DROPPED); libevdev then reports what has changed.
package struct EvdevFrameAssembler: Sendable {
  /// A frame that ended with SYN_REPORT.
  package struct Frame: Sendable, Hashable {
    /// The event time, in nanoseconds of the selected clock.
    package var nanoseconds: Int64
    package var deviceMicroseconds: UInt32?
    package var counts: SIMD3<Int32>
    package var followsLoss: Bool
  }

  private typealias Code = EvdevCapabilities.Code
  private let axes: [UInt16]
  private var counts: SIMD3<Int32>
  private var deviceMicroseconds: UInt32?
  private var isResynchronising = false
  private var hasLost = false
  private var hasSpoken = false

  /// Starts with the codes of the x, y and z axes and their initial values.
  package init(axes: [UInt16], counts: SIMD3<Int32>) { (self.axes, self.counts) = (axes, counts) }

  /// Processes one event; returns a frame if the event ends one. The frame that ends a resynchronisation is skipped,
  /// because its values belong to no known time.
  package mutating func take(_ event: sensor_input_event) -> Frame? {
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
