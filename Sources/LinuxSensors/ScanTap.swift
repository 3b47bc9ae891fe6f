import IIOScans
import Synchronization

/// Keeps the scans of a buffer as the kernel delivered them, for somebody who also gets their samples.
///
/// Every scan is one sample, in the same order: with each batch as many scans are taken as it has samples. A buffer that is
/// opened anew (the sensor was unplugged and is back) starts from nothing.
public final class ScanTap: Sendable {
  private struct State {
    var description: ScanDescription?
    var bytes: [UInt8] = []
    var taken = 0
  }

  private let state = Mutex(State())

  /// A tap of a buffer that is not open yet.
  public init() {}

  /// What the scans hold; nothing before the buffer is open.
  public var description: ScanDescription? { state.withLock { $0.description } }

  /// The scans of the next samples.
  /// - Parameter count: of the samples that were delivered.
  public func take(_ count: Int) -> [UInt8] {
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

  func begin(_ description: ScanDescription) {
    state.withLock { $0 = State(description: description) }
  }

  func add(_ scans: ArraySlice<UInt8>) { state.withLock { $0.bytes += scans } }
}

extension ScanTap: Hashable {
  /// Whether it is the same one.
  public static func == (a: ScanTap, b: ScanTap) -> Bool { a === b }
  /// Feeds its identity.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
