import ArgumentParser

struct StudyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study",
    abstract: "Analyse the recordings of a study",
    discussion: """
      Each recording gets a folder in the output folder: summary.json, minutes.csv.gz, bouts.csv, days.csv and a \
      picture of its days, week.svg. Recordings with results from the same file, version and parameters are skipped: \
      to continue after an interruption, run the same command again.

      A manifest is text with one path per line, or a table (with commas, semicolons or tabs) with a column 'path' and any of \
      'id', 'timezone', 'recorder_timezone', 'height', 'walking' (yes: see --walking) and 'profile' (see 'pedometer learn').

      EXAMPLES
        pedometer study manifest.txt -o out/
        pedometer study submit manifest.csv -o out/ --slurm
        pedometer study collate manifest.csv -o out/ --report out/report.html
        pedometer study methods out/
      """,
    subcommands: [RunStudy.self, CollateStudy.self, SubmitStudy.self, DescribeStudy.self],
    defaultSubcommand: RunStudy.self)
}

struct StudyPlace: ParsableArguments {
  @Argument(help: "A manifest (.txt or .csv), recordings, or folders of recordings.", completion: .file())
  var sources: [String]

  @Option(name: [.customShort("o"), .long], help: "The folder of the results.", completion: .directory)
  var output: String
}
