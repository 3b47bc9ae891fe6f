/// The stretch of a recording that most resembles a walk, as long as nothing in it has proved one.
///
/// Over a day, many movements resemble a walk by chance, so proof takes many seconds. A clip of ten seconds ends before it,
/// and leaves little room for chance. So when a recording ends without a step, its likeliest stretch is counted if its
/// evidence, less the cost of its changes of cadence, is large for a recording of that length. It is the stretch with the largest
/// sum (Bentley, "Programming pearls: algorithm design techniques", Communications of the ACM 27 (1984) 865-871).
struct LikelyStretch: Sendable {
  private var evidence: Float = 0
  /// Its first block and its last.
  private(set) var blocks = 0...0
  /// The largest sum that ends with the latest block, and the first block of it.
  private var open: (sum: Float, first: Int) = (0, 0)
  /// Whether the next block can extend it.
  var isOpen: Bool { open.sum > 0 }

  /// - Parameters:
  ///   - share: what the block adds.
  ///   - change: the cost of its change of cadence.
  @inline(__always)
  mutating func take(_ share: Float, change: Float, block: Int) {
    open = isOpen ? (max(0, open.sum + share - change), open.first) : (max(0, share), block)
    guard open.sum > evidence else { return }
    (evidence, blocks) = (open.sum, open.first...block)
  }

  /// Whether it is believed.
  /// - Parameter count: the number of blocks since the movement began.
  func isLikely(among count: Int) -> Bool {
    evidence > max(Tuning.likelyEvidence, Tuning.likelyEvidencePerBlock * Float(count))
  }
}
