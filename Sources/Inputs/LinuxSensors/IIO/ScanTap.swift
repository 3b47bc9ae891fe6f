import IIOScans
import Synchronization

/// Keeps the raw scans of a buffer for a consumer that also receives their samples.
///
/// Every scan is one sample, in the same order: take as many scans as a batch has samples. When a buffer is reopened
/// (the sensor was unplugged and is back), the tap is emptied.
package final class ScanTap: Sendable {
  private struct State {
    var description: ScanDescription?
    var bytes: [UInt8] = []
    var taken = 0
  }

  private let state = Mutex(State())

  /// Creates a tap of a buffer that is not open yet.
  package init() {}

  /// The format of the scans; `nil` before the buffer is open.
  package var description: ScanDescription? { state.withLock { $0.description } }

  /// The scans of the next samples.
  /// - Parameter count: the number of samples that were delivered.
  package func take(_ count: Int) -> [UInt8] {
    state.withLock { state in
      guard let size = state.description?.layout.size else { return [] }
      let end = min(state.bytes.count, state.taken + count * size)
      defer {
        state.taken = end
        if end == state.bytes.count {
          state.bytes.removeAll(keepingCapacity: true)
          state.taken = 0
        }
      }
      return Array(state.bytes[state.taken..<end])
    }
  }

  func begin(_ description: ScanDescription) { state.withLock { $0 = State(description: description) } }

  func add(_ scans: ArraySlice<UInt8>) { state.withLock { $0.bytes += scans } }
}

extension ScanTap: Hashable {
  /// Whether both are the same object.
  package static func == (a: ScanTap, b: ScanTap) -> Bool { a === b }
  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
