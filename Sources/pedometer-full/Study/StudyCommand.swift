import ArgumentParser

/// `pedometer study`: hundreds or thousands of recordings.
struct StudyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "study",
    abstract: "Analyse the recordings of a study",
    discussion: """
      Each recording gets a folder below the output folder: summary.json, minutes.csv.gz, bouts.csv, days.csv and a \
      picture of its days, week.svg. Recordings that have results already, made from the same file by the same version \
      and parameters, are left as they are: start the same command again to go on after an interruption.

      A manifest is text with one path a line, or CSV with a column 'path' and any of 'id', 'timezone', \
      'recorder_timezone' and 'height'.

      EXAMPLES
        pedometer study manifest.txt -o out/
        pedometer study recordings/ -o out/ --time-zone Europe/London
        pedometer study manifest.csv -o out/ --shard 3/20
        pedometer study submit manifest.csv -o out/
        pedometer study collate manifest.csv -o out/ --report out/report.html
        pedometer study methods manifest.csv -o out/
        seq 20 | parallel pedometer study manifest.csv -o out/ --shard {}/20
      """,
    subcommands: [RunStudy.self, CollateStudy.self, SubmitStudy.self, DescribeStudy.self],
    defaultSubcommand: RunStudy.self)
}

/// Which recordings, and where their results are.
struct StudyPlace: ParsableArguments {
  @Argument(help: "A manifest (.txt or .csv), recordings, or folders of recordings.")
  var sources: [String]

  @Option(name: [.customShort("o"), .long], help: "The folder of the results.")
  var output: String
}
