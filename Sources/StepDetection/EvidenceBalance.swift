/// The account of the evidence, which says when walking begins and ends.
///
/// While nobody walks, each block pays in its log-odds less a fee, and the account never falls below zero; when it
/// exceeds ``Tuning/entryEvidence``, somebody walks. It is Page's test: the likeliest beginning is where the account last
/// stood at zero. A mean over a fixed window asks for much in a short time, and lets a walk of middling evidence
/// wait for one good window; here every block brings it nearer.
///
/// While somebody walks, the account is full, and the fee is paid the other way; when it is empty, the walk is over.
struct EvidenceBalance: Sendable {
  /// In log-odds.
  private(set) var value: Float = 0
  /// Blocks since the account last stood at zero.
  private(set) var rise = 0
  /// Blocks since the account was last full.
  private(set) var sinceFull = 0
  /// Blocks since a walk ended, as far as anybody asks.
  private var resting = Tuning.restartBlocks

  /// Whether the latest walk, if there was one, lies before the longer window.
  var isRested: Bool { resting >= Tuning.slowRest }

  /// What proves a walk: this much, or less where one has ended not long ago.
  private var entry: Float { resting < Tuning.restartBlocks ? Tuning.restartEntryEvidence : Tuning.entryEvidence }

  /// Takes a block while nobody walks.
  /// - Parameter entry: the evidence that proves a walk, if not the usual.
  /// - Returns: whether somebody does, after all.
  mutating func expectRest(_ evidence: Float, entry: Float? = nil) -> Bool {
    if value <= 0 { rise = 0 }
    rise += 1
    value = max(0, value + Tuning.evidenceShare * evidence - Tuning.evidenceFee)
    resting = min(resting + 1, Tuning.restartBlocks)
    return value > (entry ?? self.entry)
  }

  /// Takes a block while somebody walks.
  mutating func expectWalking(_ evidence: Float) {
    value = min(Tuning.fullEvidence, value + Tuning.evidenceShare * evidence + Tuning.evidenceFee)
    sinceFull = value >= Tuning.fullEvidence ? 0 : sinceFull + 1
  }

  /// A walk begins.
  mutating func fill() { (value, sinceFull) = (Tuning.fullEvidence, 0) }

  /// A walk is over.
  mutating func clear() { (value, resting) = (0, 0) }
}
