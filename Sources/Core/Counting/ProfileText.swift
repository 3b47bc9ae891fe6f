import JSONLines
import StepDetection

/// A profile with what people want to know about it, as it is kept: a table with the names of the features above it.
package struct ProfileText: Sendable, Hashable {
  package var profile: WalkProfile
  /// The steps that were counted in what was learned, and how long it was walked, in seconds.
  package var steps: Int
  package var walked: Double

  package init(_ profile: WalkProfile, steps: Int, walked: Double) {
    (self.profile, self.steps, self.walked) = (profile, steps, walked)
  }

  private static let title = "# pedometer walk profile 1"
  private static let features = BlockFeatures.names + MovementShape.names

  package var text: String {
    let names = Self.features.prefix(profile.examples[0].count)
    let rows = profile.examples.map { $0.map { "\($0)" }.joined(separator: ",") }
    let facts = "# steps \(steps)\n# seconds \(Decimals.text(walked, 1) ?? "0")\n"
    return "\(Self.title)\n\(facts)\(names.joined(separator: ","))\n\(rows.joined(separator: "\n"))\n"
  }

  /// Reads what ``text`` has written; `nil` if it is something else, or of a version with other features.
  package init?(_ text: String) {
    let lines = text.split(whereSeparator: \.isNewline)
    guard lines.first.map(String.init) == Self.title else { return nil }
    func fact(_ name: String) -> Double? {
      lines.lazy.compactMap { $0.hasPrefix("# \(name) ") ? Double($0.dropFirst(name.count + 3)) : nil }.first
    }
    let table = lines.filter { !$0.hasPrefix("#") }
    guard let steps = fact("steps").flatMap({ Int(exactly: $0) }), let walked = fact("seconds"),
      let names = table.first,
      table.count <= 10 * WalkProfile.mostExamples,
      Self.features.starts(with: names.split(separator: ",").map(String.init))
    else { return nil }
    let rows = table.dropFirst().map { $0.split(separator: ",").map { Float($0) ?? .nan } }
    guard let profile = WalkProfile(examples: rows) else { return nil }
    self.init(profile, steps: steps, walked: walked)
  }
}
