/// The stretch of a recording that most resembles a walk, as long as nothing in it has proved one.
///
/// Over a day, many movements resemble a walk by chance, so proof takes many seconds. A clip of ten seconds ends before it,
/// and leaves little room for chance. So when a recording ends without a step, its likeliest stretch is counted if its
/// evidence is large for a recording of that length. It is the stretch with the largest sum (Bentley, "Programming pearls:
/// algorithm design techniques", Communications of the ACM 27 (1984) 865-871), which the mild balance already forms.
struct LikelyStretch: Sendable {
  private var evidence: Float = 0
  /// Its first block and its last.
  private(set) var blocks = 0...0

  /// Takes the balance after a block.
  @inline(__always)
  mutating func take(_ balance: EvidenceBalance, block: Int) {
    guard balance.mild.value > evidence else { return }
    evidence = balance.mild.value
    blocks = max(0, block + 1 - balance.mild.rise)...block
  }

  /// Whether it is believed.
  /// - Parameter count: the number of blocks since the movement began.
  func isLikely(among count: Int) -> Bool {
    evidence > max(Tuning.likelyEvidence, Tuning.likelyEvidencePerBlock * Float(count))
  }
}
