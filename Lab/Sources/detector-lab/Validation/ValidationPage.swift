@testable import Accelerometry
@testable import Drawing

/// The page of `detector-lab validate`: tables of accuracy in Markdown.
struct ValidationPage {
  /// The counts of all recordings, once for each seed.
  struct Counts {
    var runs: [[DetectorRun]] = []

    init() {}
    init(_ runs: [DetectorRun]) { self.runs = [runs] }
    init(_ runs: [[DetectorRun]]) { self.runs = runs }
  }

  let recordings: LabelledRecordings
  /// The data sets that make the macro error; `nil` for all with walks.
  let macro: [String]?
  let peers: [PeerCounts]
  /// The class of each recording's sampling frequency, by its path.
  private var rates: [String: String] = [:]
  /// By the shipped gate.
  var shipped = Counts()
  /// The same, after gravity was removed.
  var linear = Counts()
  var made: MadeWalks?
  /// By gates that were fitted without the unit.
  var leftOut: [(fold: Fold, counts: Counts, linear: Counts)] = []
  var slow = SlowedCounts()

  init(recordings: LabelledRecordings, macro: [String]?, peers: [PeerCounts]) {
    (self.recordings, self.macro, self.peers) = (recordings, macro, peers)
    for recording in recordings.recordings { rates[recording.entry.path] = Self.rate(of: recording.samples) }
  }

  /// What the tables are made of: what was left out, if anything was.
  private var judged: Counts { leftOut.first?.counts ?? shipped }
  private var entries: [RecordingIndex.Entry] { recordings.index.entries }

  func text(dated: String?) -> String {
    [
      "# Validation\n", heading(dated), overall, table("data set", by: \.dataset), table("position", by: place),
      table("sampling frequency") { rates[$0.path] }, kinds, activities, shortBouts, slowWalks, others,
    ]
    .filter { !$0.isEmpty }.joined(separator: "\n")
  }

  // MARK: Text

  private func heading(_ dated: String?) -> String {
    let hours = { (isIncluded: (RecordingIndex.Entry) -> Bool) in
      (zip(entries, judged.runs.first ?? []).reduce(0) { $0 + (isIncluded($1.0) ? $1.1.duration : 0) } / 3600).fixed(1)
    }
    let walks = entries.count { $0.isWalk }
    let unit = leftOut.first.map { fold, counts, _ in
      "All tables but the first are those of gates that were fitted without the \(fold.rawValue)"
        + (counts.runs.count > 1 ? " (means of \(counts.runs.count) fits)" : "") + ": what to expect of others.\n"
    }
    return (dated.map { "\($0). " } ?? "")
      + "Made by `detector-lab validate` (`make revalidate`); do not edit.\n\n"
      + "\(entries.count) recordings, each counted from its beginning: \(walks) with walking, \(hours(\.isWalk)) h, and "
      + "\(entries.count - walks) without, \(hours { !$0.isWalk }) h. \"Error\" is the mean of |counted − true| / true over walks "
      + "of at least 10 steps, \"bias\" the error of their sum. Walks without a true count are \"kept\" if the count is "
      + "plausible for their duration. \"Day error\" is what would be false, missed or added in an ordinary day of 8,000 steps; "
      + "a walk of at least 20 steps is \"lost\" if less than half of it is counted. False steps are counted where nobody walks.\n\n"
      + (unit ?? "The gate was fitted to recordings like these, or to these: **the figures are optimistic**.\n")
  }

  private static func header(_ names: [String]) -> String {
    "| \(names.joined(separator: " | ")) |\n|\(String(repeating: " --- |", count: names.count))\n"
  }

  private static func row(_ cells: [String]) -> String { "| \(cells.joined(separator: " | ")) |\n" }

  /// The mean over seeds; nothing without a value.
  private static func mean(_ values: [Double?], _ decimals: Int) -> String {
    let given = values.compactMap(\.self)
    return given.isEmpty ? "" : (given.reduce(0, +) / Double(given.count)).fixed(decimals)
  }

  // MARK: Tables

  private var overall: String {
    var text =
      "## Overall\n\n"
      + Self.header(
        [
          "left out of the fit", "recordings", "day error, %", "walks lost, %", "people lost",
          "error, mean of data sets, %", "kept, %", "false steps/h", "by activity",
        ])
    let folders = folders
    var rows: [(String, Counts)] = []
    for part in leftOut {
      rows.append(("the \(part.fold.rawValue)", part.counts))
      rows.append(("the \(part.fold.rawValue), gravity removed", part.linear))
    }
    rows += [("nothing", shipped), ("nothing, gravity removed", linear)]
    for (name, counts) in rows where !counts.runs.isEmpty {
      for (number, folder) in folders.enumerated() {
        let scores = counts.runs.map { runs in scored(runs) { $0.folder == folder ? $0.dataset : nil } }
        text += Self.row([
          name, folders.count > 1 ? Self.collection(number) : "all",
          LeaveOutTable.figure(scores.map { $0.day.error }, 2),
          LeaveOutTable.figure(scores.map { $0.day.lostShare }, 2),
          LeaveOutTable.figure(scores.map { Double($0.day.peopleLost) }, 0)
            + " of \(scores.first?.day.peopleCount ?? 0)",
          LeaveOutTable.figure(scores.map { $0.macroError(over: macro) }, 2),
          LeaveOutTable.figure(scores.map(\.walksKept), 1), LeaveOutTable.figure(scores.map(\.falseStepsPerHour), 1),
          LeaveOutTable.figure(scores.map(\.falseStepsPerHourByActivity), 1),
        ])
      }
    }
    return text + (made.map { "\nBy the shipped gate, \($0.summary).\n" } ?? "")
  }

  /// The folders of the recordings, in the order in which they were given.
  private var folders: [String] {
    entries.reduce(into: []) { folders, entry in
      if !folders.contains(entry.folder) { folders.append(entry.folder) }
    }
  }

  /// The name of a folder: that on the disk says nothing to readers.
  private static func collection(_ number: Int) -> String {
    let ordinals = ["first", "second", "third", "fourth", "fifth"]
    return number < ordinals.count ? "\(ordinals[number]) collection" : "collection \(number + 1)"
  }

  /// A table of the accuracy with a line for each group.
  private func table(_ title: String, by name: (RecordingIndex.Entry) -> String?) -> String {
    let scores = judged.runs.map { runs in scored(runs, by: name) }
    let names = (scores.first?.datasets ?? []).sorted()
    var rows: [[String]] = []
    for name in names {
      let figures = scores.map { $0.figures(of: name) }
      guard let first = figures.first, first.walks > 0 || first.uncounted > 0 || first.hours > 0 else { continue }
      rows.append([
        name, first.walks > 0 ? "\(first.walks)" : "", Self.mean(figures.map(\.error), 1),
        Self.mean(figures.map(\.bias), 1), first.uncounted > 0 ? "\(first.uncounted)" : "",
        Self.mean(figures.map(\.kept), 0), first.hours > 0 ? first.hours.fixed(2) : "",
        Self.mean(figures.map(\.falseSteps), 0),
      ])
    }
    let header = [
      title, "walks", "error, %", "bias, %", "uncounted walks", "kept, %", "hours without walking", "false steps/h",
    ]
    let filled = header.indices.filter { column in rows.contains { !$0[column].isEmpty } }
    return "## By \(title)\n\n" + Self.header(filled.map { header[$0] })
      + rows.map { row in Self.row(filled.map { row[$0] }) }.joined()
  }

  private var kinds: String { table("kind of movement") { $0.isWalk ? nil : $0.kind.rawValue } }

  /// The activities with the most false steps, and how many have none.
  private var activities: String {
    let scores = judged.runs.map { runs in scored(runs) { $0.isWalk ? nil : $0.stratum } }
    let names = scores.first?.datasets ?? []
    var loud: [(name: String, rate: Double, hours: Double)] = []
    for name in names {
      let figures = scores.map { $0.figures(of: name) }
      let rate = figures.reduce(0) { $0 + ($1.falseSteps ?? 0) } / Double(figures.count)
      if rate > 0 { loud.append((name, rate, figures[0].hours)) }
    }
    loud.sort { ($0.rate, $0.name) > ($1.rate, $1.name) }
    return "## False steps an hour by activity\n\n"
      + "\(names.count - loud.count) of \(names.count) activities have none. The others:\n\n"
      + Self.header(["data set", "activity", "hours", "false steps/h"])
      + loud.map { activity in
        let parts = activity.name.split(separator: "|", maxSplits: 1).map(String.init)
        return Self.row([parts[0], parts.last ?? "", activity.hours.fixed(2), activity.rate.fixed(0)])
      }.joined()
  }

  private var shortBouts: String {
    var bouts = ShortBouts()
    for runs in judged.runs {
      for (recording, run) in zip(recordings.recordings, runs) {
        bouts.add(strikes: recording.strikes ?? [], steps: run.steps)
      }
    }
    guard bouts.found.contains(where: { !$0.isEmpty }) else { return "" }
    let seeds = max(1, judged.runs.count)
    return "## Short bouts\n\nBouts between rests of two seconds, in recordings with labelled foot strikes.\n\n"
      + Self.header(["steps", "bouts", "lost, %", "steps found, %"])
      + zip(ShortBouts.sizes, bouts.found).filter { !$1.isEmpty }.map { size, found in
        let share = { (part: Int, all: Int) in (100 * Double(part) / Double(all)).fixed(0) }
        return Self.row([
          "\(size.lowerBound) to \(size.upperBound)", "\(found.count / seeds)",
          share(found.count { $0.steps == 0 }, found.count),
          share(found.reduce(0) { $0 + $1.steps }, found.reduce(0) { $0 + $1.strikes }),
        ])
      }.joined()
  }

  private var slowWalks: String {
    guard !slow.tallies.isEmpty else { return "" }
    let seeds = leftOut.first.map { max(1, $0.counts.runs.count) } ?? 1
    return "## Slow walks\n\nReal walks slowed down: the share that is counted within a tenth, in percent.\n\n"
      + Self.header(["data set", "walks"] + SlowedCounts.cadences.map { "\($0.fixed(0)) steps/min" })
      + slow.tallies.sorted { $0.key < $1.key }.filter { $0.value.contains { $0.all > 0 } }.map { name, tallies in
        Self.row(
          [name, "\((tallies.map(\.all).max() ?? 0) / seeds)"]
            + tallies.map { $0.all > 0 ? (100 * Double($0.good) / Double($0.all)).fixed(0) : "" })
      }.joined()
  }

  /// Other counters, on those recordings that they have counted.
  private var others: String {
    var text = ""
    for peer in peers {
      let counted = { (entry: RecordingIndex.Entry) in peer[entry] != nil ? entry.dataset : nil }
      var theirs = CountScores()
      for (entry, run) in zip(entries, judged.runs.first ?? []) {
        if let steps = peer[entry] { theirs.add(entry, counted: steps, duration: run.duration) }
      }
      let ours = judged.runs.map { runs in scored(runs, by: counted) }
      for (name, scores) in [(peer.name, [theirs]), ("this one", ours)] {
        text += Self.row([
          name, "\(entries.count { peer[$0] != nil })", Self.mean(scores.map { $0.macroError(over: macro) }, 1),
          Self.mean(scores.map(\.walksKept), 0), Self.mean(scores.map(\.falseStepsPerHour), 0),
          Self.mean(scores.map(\.falseStepsPerHourByActivity), 0),
        ])
      }
    }
    if text.isEmpty { return "" }
    return "## Other step counters\n\n"
      + Self.header(["counter", "recordings", "error, %", "kept, %", "false steps/h", "by activity"]) + text
  }

  // MARK: Groups

  /// The scores by group; recordings whose group is `nil` are left out.
  private func scored(
    _ runs: [DetectorRun], by name: (RecordingIndex.Entry) -> String?
  ) -> CountScores {
    var scores = CountScores()
    for (entry, run) in zip(entries, runs) {
      guard let name = name(entry) else { continue }
      var entry = entry
      // Activities stay apart in data sets with other names.
      if name != entry.dataset { (entry.dataset, entry.activity) = (name, entry.stratum) }
      scores.add(entry, counted: run.steps.count, duration: run.duration)
    }
    return scores
  }

  /// The place on the body, without its side.
  private func place(_ entry: RecordingIndex.Entry) -> String? {
    guard let position = entry.position?.lowercased(), !position.isEmpty else { return "unknown" }
    return Self.places.first { $0.words.contains { position.contains($0) } }?.name ?? "other"
  }

  private static let places: [(name: String, words: [String])] = [
    ("unknown", ["unstated"]), ("not worn", ["bicycle", "frame", "car", "windscreen", "parcel", "machine"]),
    ("wrist", ["wrist", "watch", "forearm"]), ("pocket", ["pocket"]), ("hand", ["hand"]), ("bag", ["bag"]),
    ("upper arm", ["arm"]), ("head", ["head"]), ("foot and ankle", ["foot", "ankle", "shoe"]),
    ("shank and knee", ["shank", "knee", "lower leg"]), ("thigh", ["thigh", "leg"]),
    ("waist and lower back", ["back", "waist", "hip", "belt"]), ("chest", ["chest", "torso", "neck"]),
  ]

  /// The class of a sampling frequency.
  private static func rate(of samples: [AccelerationSample]) -> String? {
    guard samples.count > 1 else { return nil }
    let seconds = Double(samples[samples.count - 1].nanoseconds - samples[0].nanoseconds) * 1e-9
    let rate = Double(samples.count - 1) / max(seconds, 1e-9)
    return rates.first { rate < $0.below }?.name
  }

  private static let rates: [(below: Double, name: String)] = [
    (15, "below 15 Hz"), (35, "15 to 35 Hz"), (70, "35 to 70 Hz"), (120, "70 to 120 Hz"), (.infinity, "from 120 Hz"),
  ]
}
