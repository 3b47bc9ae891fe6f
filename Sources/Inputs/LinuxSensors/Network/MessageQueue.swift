import Accelerometry
import Platform
import Synchronization

/// Text that arrives on other threads, for a thread that waits for it together with a flag.
package final class MessageQueue: Sendable {
  /// More bytes than this, which a thread that reads never lets accumulate, are an error.
  package static let mostBytes = InputLimits.waitingMessages

  private struct State {
    var bytes: [UInt8] = []
    var taken = 0
    var end: SensorError?
    var isFull: Bool { bytes.count - taken > MessageQueue.mostBytes }
  }

  private let state = Mutex(State())
  private let flag: StopSignal

  package init() throws(SensorError) { flag = try StopSignal() }

  /// Adds a message as one or more lines.
  /// - Returns: whether it fits.
  package func add(_ message: [UInt8]) -> Bool {
    let fits = state.withLock { state in
      guard state.end == nil, !state.isFull else { return false }
      state.bytes += message
      if let last = message.last, last != 0x0A { state.bytes.append(0x0A) }
      return true
    }
    flag.raise()
    return fits
  }

  /// Ends it; the first error counts. What was added before is still read.
  package func end(_ error: SensorError) {
    state.withLock { $0.end = $0.end ?? error }
    flag.raise()
  }

  /// Waits for text, or for the end.
  package func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    stop.wait(orFor: flag, atMost: timeout)
  }

  /// Takes what has arrived, without waiting; only one thread does that.
  /// - Returns: the number of bytes; 0 if there are none.
  /// - Throws: the error of its end.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    let (count, error) = state.withLock { state -> (Int, SensorError?) in
      let count = min(target.count, state.bytes.count - state.taken)
      unsafe target.copyBytes(from: state.bytes[state.taken..<state.taken + count])
      state.taken += count
      if state.taken == state.bytes.count {
        state.bytes.removeAll(keepingCapacity: true)
        state.taken = 0
        // The flag of an ended queue stays raised.
        if state.end == nil { flag.lower() }
      }
      return (count, count == 0 ? state.end : nil)
    }
    if let error { throw error }
    return count
  }
}
