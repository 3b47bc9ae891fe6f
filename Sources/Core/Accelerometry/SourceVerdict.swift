/// What a source says about itself at its end: the problems of its samples, and whether their steps may be given at all.
///
/// A reader knows what it left out; whether zero steps can be trusted then is known only to the counter.
public struct SourceVerdict: Sendable, Hashable {
  /// What the user calls the source, for sentences about its samples; `nil` if it needs no name there.
  public var source: String?
  /// What to doubt, one sentence each.
  public var warnings: [String]
  /// Why no number of steps may be given, in one sentence; usually `nil`.
  public var refusal: String?
  /// The same if no step was found; usually `nil`.
  public var refusalWithoutSteps: String?

  /// Creates a verdict.
  public init(
    source: String? = nil, warnings: [String] = [], refusal: String? = nil, refusalWithoutSteps: String? = nil
  ) {
    (self.source, self.warnings, self.refusal) = (source, warnings, refusal)
    self.refusalWithoutSteps = refusalWithoutSteps
  }

  /// Whether there is nothing to say.
  public var isEmpty: Bool { self == SourceVerdict() }
}
