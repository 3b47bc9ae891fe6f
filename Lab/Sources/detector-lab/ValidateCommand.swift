import ArgumentParser

@testable import StepDetection

/// `detector-lab validate`: measures the detector on labelled recordings, as a page of tables.
struct ValidateCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "validate",
    abstract: "Measure the detector on folders of labelled recordings",
    discussion: """
      Prints a page in Markdown: the accuracy by data set, position, sampling frequency and kind of movement, of short \
      bouts and of slow walks. FOLDER/index.csv lists the recordings as for fit.

      With --leave-out, all tables are those of recordings that were excluded from the fit, by the first kind of unit \
      that is given: what to expect of recordings that nobody has seen. Without it they are optimistic, and the page \
      says so. Fits take half a minute for each unit and seed.

      --peer adds another step counter: a file with the columns file (as in index.csv, after the name of its folder) \
      and steps.

      EXAMPLES
        detector-lab validate recordings
        detector-lab validate recordings more --leave-out person --leave-out source --seeds 3 --peer Other=counts.csv
      """)

  @OptionGroup var options: FitOptions

  @Option(help: "The counts of another program, as NAME=FILE. May be repeated.")
  var peer: [String] = []

  @Option(help: "What the page says of its date and of the version.")
  var dated: String?

  func validate() throws {
    for text in peer where text.split(separator: "=", maxSplits: 1).count < 2 {
      throw ValidationError("--peer is '\(text)'; give a name and a file, as in --peer Other=counts.csv")
    }
  }

  func run() throws {
    let peers = try peer.map { text in
      let parts = text.split(separator: "=", maxSplits: 1).map(String.init)
      return PeerCounts(name: parts[0], steps: try PeerCounts.read(parts[1]))
    }
    let recordings = try options.recordings()
    var page = ValidationPage(recordings: recordings, macro: options.macroSets, peers: peers)
    page.shipped = ValidationPage.Counts(recordings.runs(of: .shipped))
    page.linear = ValidationPage.Counts(recordings.recordings.map { DetectorRun($0.withoutGravity) })
    page.made = MadeWalks(1000, models: .shipped)
    if options.leaveOut.isEmpty {
      page.slow = recordings.recordings.map { SlowedCounts(of: $0, models: .shipped) }.reduce(SlowedCounts(), +)
    } else {
      let rows = try options.blocks(of: recordings).rows()
      var settings = options.settings
      for fold in options.leaveOut {
        var linear: [[DetectorRun]] = []
        let runs = try (1...UInt64(options.seeds)).map { seed in
          settings.seed = seed
          var without: [String: DetectorRun] = [:]
          let runs = try recordings.runs(leavingOut: fold, of: rows, settings: settings) { recording, models in
            without[recording.entry.path] = DetectorRun(recording.withoutGravity, models: models)
            if fold == options.leaveOut[0] { page.slow = page.slow + SlowedCounts(of: recording, models: models) }
          }
          linear.append(recordings.recordings.compactMap { without[$0.entry.path] })
          return runs
        }
        page.leftOut.append((fold, ValidationPage.Counts(runs), ValidationPage.Counts(linear)))
      }
    }
    try Output.write(page.text(dated: dated))
  }
}
