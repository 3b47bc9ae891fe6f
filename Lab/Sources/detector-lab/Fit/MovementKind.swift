/// Kinds of movement, which are left out as a whole: a gate that was fitted to curls knows something about presses.
///
/// Recordings name activities freely, so a kind is recognised by words of the name. The first kind that matches applies.
enum MovementKind: String, CaseIterable, Sendable {
  case gait, ball, claps, brushing, breathing, gestures, eating, desk, cycling, rowing, gym, physiotherapy, transitions
  case head, driving, postures, unnamed

  init(activity: String) {
    let name = activity.lowercased()
    self = Self.words.first { $0.words.contains { name.contains($0) } }?.kind ?? .unnamed
  }

  /// The kinds that are counted for steps most easily: each stroke is a blow with the rhythm of a step, or repeats as
  /// evenly.
  var isHard: Bool {
    switch self {
    case .ball, .claps, .brushing, .breathing, .gestures, .cycling, .rowing, .physiotherapy: true
    default: false
    }
  }

  private static let words: [(kind: MovementKind, words: [String])] = [
    (.postures, ["yoga"]),
    (.gym, ["gym", "barbell", "dumbbell"]),
    (.ball, ["dribbl", "catch"]),
    (.claps, ["clap", "raising hands", "boxing"]),
    (.brushing, ["brush", "comb"]),
    (.breathing, ["cough", "hyperventilat", "laugh", "sing", "talking"]),
    (.gestures, ["pour", "telephone", "making a call", "folding"]),
    (.eating, ["eat", "drink"]),
    (.desk, ["typing", "writing", "desk", "exam", "work"]),
    (.cycling, ["bike", "cycling", "bicycle"]),
    (.rowing, ["rowing machine"]),
    (.physiotherapy, ["physio", "physical therapy"]),
    (.head, ["head", "parcel"]),
    (.driving, ["driv"]),
    (.transitions, ["sit down", "sit low", "sit, lie", "bend", "jump", "fall", "turn over"]),
    (.postures, ["sitting", "standing", "lying", "still"]),
  ]
}
