/// A damaged database that a writer replaced.
public struct HistoryDamage: Sendable, Hashable {
  /// The damaged file, which is kept.
  public let path: String
  /// The number of minutes of sources that were saved.
  public let minutes: Int
  /// What was lost, also by earlier damage, by rising time; empty if everything was saved.
  public let losses: [HistoryLoss]

  /// One sentence for people.
  public var text: String {
    let kept = "the history was damaged; \(minutes) \(minutes == 1 ? "minute was" : "minutes were") saved"
    let lost = losses.isEmpty ? "nothing was lost" : "lost: \(losses.summary)"
    let remedy = losses.isEmpty ? "" : " ('pedometer history restore' lists the backups)"
    return "\(kept), \(lost); the damaged file is \(path)\(remedy)"
  }
}
