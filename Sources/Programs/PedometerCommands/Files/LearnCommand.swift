import Accelerometry
import ArgumentParser
import Counting
import JSONLines
import LiveSources
import Pedometers
import Platform
import Presentation
import Recordings
import StepDetection
import Terminals

struct LearnCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "learn",
    abstract: "Learn your own walk from a minute of it",
    usage: """
      pedometer learn <recording> [--name <name>] [--steps <steps>]
      pedometer learn --list
      pedometer learn --forget <name>
      """,
    discussion: """
      For people whose walk is unlike that of others. Record a minute of walking and nothing else, with the sensor where you \
      will wear it, and learn it. With --profile, 'count', 'live' and 'study' then also count what resembles it. A profile is \
      a small table of numbers in $XDG_CONFIG_HOME/pedometer/profiles (or ~/.config), for one walker and one place of the sensor.

      EXAMPLES
        pedometer record -o walk.csv --duration 70
        pedometer learn walk.csv --name anna-wrist --steps 112
        pedometer count --profile anna-wrist day.csv
        pedometer learn --forget anna-wrist
      """)

  @Argument(help: "A recording of a walk, or - for standard input.", completion: .file())
  var source: String?

  @Option(help: "The name of the profile; one that exists is replaced.")
  var name = "me"

  @Option(parsing: .unconditional, help: "The steps that you counted, to compare.")
  var steps: Int?

  @Flag(help: "List the profiles.")
  var list = false

  @Option(help: ArgumentHelp("Delete a profile.", valueName: "name"))
  var forget: String?

  @Option(help: "text or json.")
  var format = TextOrJSON.text

  @OptionGroup(title: "Reading recordings") var reading: ReadingOptions

  func validate() throws {
    guard [source != nil, list, forget != nil].filter({ $0 }).count == 1 else {
      throw ValidationError("give a recording, --list or --forget NAME")
    }
    if let source { _ = try RecordingFile(source) }
    if !ProfileFolder.isName(name) {
      throw ValidationError("--name takes letters, digits, '.', '_' and '-', such as --name anna-wrist")
    }
    if let steps, !(1...100_000).contains(steps) {
      throw ValidationError("--steps takes the steps of the recording, 1 to 100000, such as --steps 112")
    }
  }

  func run() throws {
    guard let folder = ProfileFolder.ofUser else {
      throw ExitStatus.cannotCreate.failure("there is no folder for profiles; set XDG_CONFIG_HOME or HOME")
    }
    try Commands.reporting {
      if let forget {
        do throws(ProfileFolder.Failure) { return try folder.forget(forget) } catch {
          throw SourceFailure(message: "\(error)", status: error.kind.exitStatus)
        }
      }
      if let source { return try learn(source, folder) }
      for name in folder.names {
        do { try tell(name, try ProfileFolder.read(name, from: folder), folder) } catch let error
          as ProfileFolder.Failure
        {
          complain("\(error)")
        }
      }
    }
  }

  private func learn(_ source: String, _ folder: ProfileFolder) throws {
    let file = try RecordingFile(source)
    let (reader, title) = (try file.reader(try reading.recordingOptions()), file.title)
    var learner = WalkLearner()
    var samples: [AccelerationSample] = []
    while try reader.read(into: &samples) { learner.process(samples.span) }
    learner.finish()
    for warning in reader.summary.warnings {
      complain("\(title): \(CommandTerms.translate(warning))")
    }
    let profile: WalkProfile
    do { profile = try learner.profile() } catch {
      let walked = Decimals.text(learner.walked / .seconds(1), 0) ?? "0"
      let found =
        switch error {
        case .irregular: "its movement does not repeat as walking does"
        case .tooShort: learner.steps == 0 ? "there is no walking in it" : "only \(walked) s of walking are in it"
        }
      throw ExitStatus.badData.failure(
        "\(title): \(found); record a minute of walking, at least 15 s, and nothing else")
    }
    if let steps, abs(learner.steps - steps) * 20 > steps {
      complain(
        "\(title): \(learner.steps) steps were found instead of \(steps); check that the recording has the whole"
          + " walk and nothing else, and that the sensor is where you will wear it")
    }
    let text = ProfileText(profile, steps: learner.steps, walked: learner.walked / .seconds(1))
    do { _ = try folder.write(text, as: name) } catch {
      throw (error.kind == .permission ? ExitStatus.permission : .cannotCreate).failure("\(error)")
    }
    try tell(name, text, folder)
    if format == .text {
      try StandardOutput.write("Use it with --profile \(name), such as: pedometer count --profile \(name) day.csv\n")
    }
  }

  private func tell(_ name: String, _ text: ProfileText, _ folder: ProfileFolder) throws {
    switch format {
    case .json:
      let line = JSONLine([
        "name": name, "steps": text.steps, "walkingDuration": text.walked.decimals(1),
        "examples": text.profile.examples.count, "gravityRemoved": text.profile.lacksGravity, "file": folder.file(name),
      ])
      try StandardOutput.write(line.line)
    case .text:
      try StandardOutput.write("\(name)  \(text.steps) steps, \(Decimals.text(text.walked, 0) ?? "0") s of walking\n")
    }
  }
}
