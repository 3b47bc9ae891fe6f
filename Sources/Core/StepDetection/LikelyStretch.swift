/// The stretch of a recording that most resembles a walk, as long as nothing in it has proved one.
///
/// Proof takes as long as chance needs it to. A clip of ten seconds ends before, and is rarely a movement that resembles
/// a walk by chance. So when a recording without a step ends, its likeliest stretch is believed if its evidence is large
/// for a recording of that length. The stretch is that of the largest sum (Bentley, "Programming pearls: algorithm design
/// techniques", Communications of the ACM 27 (1984) 865-871), which the mild balance already forms.
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
