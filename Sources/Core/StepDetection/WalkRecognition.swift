/// How walking is distinguished from other movement.
public enum WalkRecognition: Sendable, Hashable {
  /// By the detector's gate, which was fitted to many walks and other movements.
  case gate
  /// By the gate, which also takes for walking what resembles a walker's own walk.
  case learned(WalkProfile)
  /// The recording is a walk, as in a clinic, on a treadmill or behind a pram: whatever moves with the rhythm and the strength of
  /// its steps is counted, and only rest, standing and single movements are not. Other activities would be counted, too.
  case known
}
