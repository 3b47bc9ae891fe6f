/// The running balance of the evidence, which decides when walking begins and ends.
///
/// While there is no walk, each block adds its share of its log-odds less a fee, and the balance never falls below zero; when it
/// exceeds ``Tuning/entryEvidence``, a walk has begun. This is Page's test: the most likely beginning is where the balance was
/// last zero. A mean over a fixed window needs much evidence in a short time, so a walk of medium evidence has to wait for one
/// good window; here every block contributes. A cadence that changes from block to block counts against a walk. A second balance has
/// no fee, but limits what a block can add or take: mild evidence for half a minute proves a walk, too.
///
/// During a walk the balance starts full, and the fee is in its favour; when it reaches zero, the walk is over.
struct EvidenceBalance: Sendable {
  /// In log-odds.
  private(set) var value: Float = 0
  /// Blocks since the balance was last zero.
  private(set) var rise = 0
  /// The balance of a longer proof, without a fee, to which a block adds little.
  private var mild: Float = 0
  /// Blocks since the balance was last full.
  private(set) var sinceFull = 0
  /// Blocks since a walk ended, limited to the largest value that matters.
  private var resting = Tuning.restartBlocks

  /// Whether the latest walk, if any, ended before the longer window.
  var isRested: Bool { resting >= Tuning.slowRest }

  /// Whether a walk has ended recently: people usually walk on.
  private var isRecent: Bool { resting < Tuning.restartBlocks }

  /// Takes a block while there is no walk.
  /// - Parameters:
  ///   - change: the cost of its change of cadence.
  ///   - fee: what the block's share has to exceed; soon after a walk, no more than in it.
  ///   - entry: the evidence that proves a walk, and the same if one has ended recently.
  ///   - mildEntry: the evidence that proves one without a fee.
  /// - Returns: whether a walk has begun.
  mutating func expectRest(
    _ evidence: Float, change: Float = 0, fee: Float = Tuning.beginningFee,
    entry: (usual: Float, recent: Float) = (Tuning.entryEvidence, Tuning.restartEntryEvidence),
    mildEntry: Float = Tuning.mildEvidence
  ) -> Bool {
    mild = max(0, mild + Self.mildShare(of: evidence))
    if value <= 0 { rise = 0 }
    let share = Tuning.evidenceShare * evidence - (rise > 0 ? change : 0)
    rise += 1
    value = max(0, value + share - (isRecent ? min(fee, Tuning.evidenceFee) : fee))
    resting = min(resting + 1, Tuning.restartBlocks)
    if mild > mildEntry {
      // At least so many blocks have proved it.
      rise = max(rise, Tuning.blocksGivenBack + 1)
      return true
    }
    return value > (isRecent ? entry.recent : entry.usual)
  }

  /// What a block adds where it can neither prove nor disprove much alone.
  @inline(__always)
  static func mildShare(of evidence: Float) -> Float {
    Tuning.evidenceShare * min(max(evidence, -Tuning.mildLimit), Tuning.mildLimit)
  }

  /// Takes a block during a walk.
  mutating func expectWalking(_ evidence: Float) {
    value = min(Tuning.fullEvidence, value + Tuning.evidenceShare * evidence + Tuning.evidenceFee)
    sinceFull = value >= Tuning.fullEvidence ? 0 : sinceFull + 1
  }

  /// A walk begins.
  mutating func fill() { (value, sinceFull) = (Tuning.fullEvidence, 0) }

  /// A walk is over.
  mutating func clear() { (value, resting, mild) = (0, 0, 0) }
}
