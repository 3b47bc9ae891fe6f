import Glibc

/// Processor time of this thread in seconds, independent of other processes.
func threadTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Seconds of a monotonic clock.
func wallTime() -> Double {
  var time = timespec()
  clock_gettime(CLOCK_MONOTONIC, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
}

/// Two measurements in alternation, so that a slow moment of the machine affects both.
struct Comparison {
  let name: String
  let unit: String
  /// Converts a second of processor time to the unit.
  let scale: (Double) -> Double
  /// The largest acceptable ratio; `nil`: only reported.
  var limit: Double?

  /// Runs both several times and prints the best of each and their ratio.
  /// - Returns: whether the ratio is acceptable.
  @discardableResult
  func run(rounds: Int, reference: () -> Double, ours: () -> Double) -> Bool {
    var best = (reference: Double.infinity, ours: Double.infinity)
    for _ in 0..<rounds {
      best.reference = min(best.reference, reference())
      best.ours = min(best.ours, ours())
    }
    let ratio = best.ours / best.reference
    let isGood = limit.map { ratio <= $0 } ?? true
    let bound = limit.map { "  (at most \($0))" } ?? ""
    print(
      "\(isGood ? "ok    " : "SLOW  ") \(name): \(rounded(scale(best.ours))) against \(rounded(scale(best.reference))) "
        + "\(unit), ratio \(rounded(ratio))\(bound)")
    return isGood
  }
}

/// Two decimals.
func rounded(_ value: Double) -> String { String((value * 100).rounded() / 100) }
