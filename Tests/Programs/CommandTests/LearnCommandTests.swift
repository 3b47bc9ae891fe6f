import Foundation
import TestSupport
import Testing

@Suite("Known and learned walks, as commands", .timeLimit(.minutes(30)), .ownThreads)
struct LearnCommandTests {
  private let folder: TemporaryDirectory
  private let day = Repository.path("Fixtures/day-in-five-minutes.csv.gz")

  init() throws {
    folder = try TemporaryDirectory()
    for (name, seconds) in [("walk", "60"), ("short", "12")] {
      let walk = try run("simulate", "--duration", seconds, "-o", folder.path + "/\(name).csv")
      #expect(walk.ending == .exit(0), "\(walk.errors)")
    }
  }

  private func run(_ arguments: String..., program: String = "pedometer") throws -> Transcript {
    try Executable.built(program).run(arguments, environment: ["XDG_CONFIG_HOME": folder.path + "/config"])
  }

  @Test("a learned walk is listed, used and forgotten, and changes no count on its own")
  func learn() throws {
    let walk = folder.path + "/walk.csv"
    let learned = try run("learn", walk, "--name", "anna-wrist", "--steps", "108")
    #expect(learned.ending == .exit(0) && learned.errors.isEmpty, "\(learned.errors)")
    #expect(learned.outputLines.last?.contains("pedometer count --profile anna-wrist day.csv") == true)
    #expect(try run("learn", "--list").output.hasPrefix("anna-wrist  "))
    struct Listed: Decodable { var name: String, steps: Int, walkingDuration: Double, examples: Int, file: String }
    let listed = try JSONDecoder().decode(Listed.self, from: Data(try run("learn", "--list", "--json").output.utf8))
    #expect(listed.name == "anna-wrist" && abs(listed.steps - 108) < 4 && listed.examples == 24)
    #expect(listed.file == folder.path + "/config/pedometer/profiles/anna-wrist.csv")
    let plain = try run("count", "--format", "json", walk)
    for profile in ["anna-wrist", listed.file] {
      #expect(try run("count", "--format", "json", "--profile", profile, walk).ending == .exit(0))
    }
    #expect(try run("count", "--format", "json", walk).output == plain.output)
    #expect(try run("learn", "--forget", "anna-wrist").ending == .exit(0))
    #expect(try run("learn", "--list").output.isEmpty)
    let gone = try run("count", "--profile", "anna-wrist", walk)
    #expect(gone.ending == .exit(66) && gone.output.isEmpty && gone.errors.contains("there is no profile 'anna-wrist'"))
  }

  @Test("another number of steps than the stated one is said")
  func otherSteps() throws {
    let learned = try run("learn", folder.path + "/walk.csv", "--steps", "150")
    #expect(learned.ending == .exit(0) && learned.errors.contains("steps were found instead of 150"))
  }

  @Test("what cannot be learned is refused with the reason")
  func refusals() throws {
    let short = try run("learn", folder.path + "/short.csv")
    #expect(short.ending == .exit(65) && short.errors.contains("s of walking are in it; record a minute"))
    try folder.write(Array("no recording\n".utf8), to: "bad.csv")
    #expect(try run("learn", folder.path + "/bad.csv").ending == .exit(65))
    #expect(try run("learn", folder.path + "/none.csv").ending == .exit(66))
    #expect(try run("learn", "--list").output.isEmpty)
    for words in [
      ["learn"], ["learn", "a.csv", "--list"], ["learn", "a.csv", "--name", "a/b"], ["learn", "synthetic:"],
    ] {
      #expect(try Executable.built("pedometer").run(words).ending == .exit(64), "\(words)")
    }
  }

  @Test("a known walk has a confidence of 1, and a profile has no use there")
  func known() throws {
    struct Total: Decodable { var steps: Int, confidence: Double? }
    let counted = try run("count", "--walking", "--format", "json", folder.path + "/walk.csv")
    let total = try JSONDecoder().decode(Total.self, from: Data(counted.output.utf8))
    #expect(abs(total.steps - 108) < 4 && total.confidence == 1)
    let both = try run("count", "--walking", "--profile", "me", day)
    #expect(both.ending == .exit(64) && both.errors.contains("leave one out"))
  }

  @Test("a study takes both from the manifest or from options, and computes again when they change")
  func study() throws {
    #expect(try run("learn", folder.path + "/walk.csv", "--name", "p").ending == .exit(0))
    let manifest = folder.path + "/m.csv"
    let out = folder.path + "/out"
    func entry(_ columns: String, _ options: String...) throws -> String? {
      try folder.write(Array(columns.utf8), to: "m.csv")
      let run = try Executable.built("pedometer-full").run(
        ["study", manifest, "-o", out] + options, environment: ["XDG_CONFIG_HOME": folder.path + "/config"])
      guard run.ending == .exit(0) else { return "\(run.ending)" }
      struct Record: Decodable {
        struct Provenance: Decodable { var entry: String }
        var provenance: Provenance
      }
      let record = try TemporaryDirectory.bytes(of: out + "/w/summary.json")
      return try JSONDecoder().decode(Record.self, from: Data(record)).provenance.entry
    }
    #expect(try entry("id,path\nw,walk.csv\n") == "")
    #expect(try entry("id,path\nw,walk.csv\n", "--walking") == "walking=yes")
    #expect(try entry("id,path,walking\nw,walk.csv,no\n", "--walking") == "walking=no")
    #expect(try entry("id,path,profile\nw,walk.csv,p\n")?.hasPrefix("profile=") == true)
    #expect(try entry("id,path\nw,walk.csv\n", "--profile", "p")?.utf8.count == 24)
    #expect(try entry("id,path,profile\nw,walk.csv,q\n") == "\(Transcript.Ending.exit(66))")
  }
}
