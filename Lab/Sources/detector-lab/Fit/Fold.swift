/// The units that must not be split in cross-validation.
enum Fold: String, CaseIterable {
  /// Nothing of the same person, source, data set, first word of the activity, or kind of movement is in the fit.
  case person, source, dataset, family, kind

  /// The number of groups in which people are left out; other units are left out one by one.
  static let people: UInt64 = 10

  /// Whether walks stay in the fit: without any, nothing can be fitted.
  var keepsWalks: Bool { self == .family || self == .kind }

  /// Whether a block stays in the fit without a unit.
  /// - Parameter units: those of the recordings.
  func keeps(_ block: LabelledBlock, without unit: String, of units: [String]) -> Bool {
    guard let recording = block.recording, units[recording] == unit else { return true }
    return keepsWalks && block.isWalking
  }

  /// The name of the unit that a recording belongs to. Unnamed people of a source are left out together.
  func unit(of entry: RecordingIndex.Entry) -> String {
    switch self {
    case .source: return entry.origin
    case .dataset: return entry.dataset
    case .family: return entry.family
    case .kind: return entry.kind.rawValue
    case .person:
      // The same group in every run: FNV-1a (Fowler, Noll and Vo).
      let hash = entry.person.utf8.reduce(UInt64(0xcbf2_9ce4_8422_2325)) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      return "\(hash % Self.people)"
    }
  }
}
