import History

extension ImportPlan {
  package struct Result: Hashable {
    /// The number of the file.
    package var file = 0
    package var source: HistorySource
    /// The minutes to add, or to raise to these totals.
    package var minutes: [HistoryMinute] = []
    package var steps = 0
    /// The steps by which the history grows.
    package var new = 0
    /// Entries that repeat or overlap others of the source.
    package var repeated = 0
    /// The steps of these entries that do not count again.
    package var repeatedSteps = 0
    /// The steps that were left out, because a minute would have more than people walk.
    package var crowded = 0
    /// The steps that were left out, because an earlier import has them spread evenly over its minutes.
    package var spread = 0
    /// The names of the other sources of that import.
    package var spreadSources: Set<String> = []

    /// Why steps of the source are not all in the history, one sentence each.
    package var notices: [String] {
      var notices: [String] = []
      if repeated > 0 {
        notices.append(
          "\(repeated) \(repeated == 1 ? "entry repeats or overlaps" : "entries repeat or overlap") others of "
            + "\(source.name); \(repeatedSteps) steps are not counted again")
      }
      if crowded > 0 {
        notices.append("\(crowded) steps of \(source.name) were left out, because a minute has no more than 300")
      }
      if spread > 0 {
        let names = spreadSources.sorted().joined(separator: ", ")
        let absorber = names.isEmpty ? "its totals of longer periods" : "those of '\(names)'"
        notices.append(
          "\(spread) steps of \(source.name) are taken to be among \(absorber), which an earlier import "
            + "spread evenly; for their exact minutes, import all files at once into a new folder (--state)")
      }
      return notices
    }
  }
}
