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

  /// Takes a block while nobody walks.
  /// - Returns: whether somebody does, after all.
  mutating func expectRest(_ evidence: Float) -> Bool {
    if value <= 0 { rise = 0 }
    rise += 1
    value = max(0, value + evidence - Tuning.evidenceFee)
    return value > Tuning.entryEvidence
  }

  /// Takes a block while somebody walks.
  mutating func expectWalking(_ evidence: Float) {
    value = min(Tuning.fullEvidence, value + evidence + Tuning.evidenceFee)
  }

  /// A walk begins.
  mutating func fill() { value = Tuning.fullEvidence }

  /// A walk is over.
  mutating func clear() { value = 0 }
}
