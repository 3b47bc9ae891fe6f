import Testing

@testable import detector_lab

@Suite("An index of labelled recordings", .timeLimit(.minutes(30))) struct RecordingIndexTests {
  private func read(_ text: String) throws -> [RecordingIndex.Entry] {
    try RecordingIndex(text: text, path: "set/index.csv", folder: "set").entries
  }

  @Test("two columns are enough; the others have defaults")
  func smallest() throws {
    let entries = try read("file,true_steps\na.csv,120\nb.csv,0\n")
    #expect(entries.map(\.path) == ["set/a.csv", "set/b.csv"])
    #expect(entries.map(\.trueSteps) == [120, 0])
    #expect(entries[0].activity != entries[1].activity)
    #expect(entries[0].dataset == "all" && entries[0].group == nil && entries[0].events == nil)
  }

  @Test("columns in any order, quoted fields with commas, quotes and line breaks, CRLF and a byte order mark")
  func quoted() throws {
    let entries = try read(
      "\u{FEFF}true_steps,notes,file,events,group,activity,dataset\r\n"
        + "40,\"said \"\"hi\"\", then\r\nwalked\",/abs/a.csv,e.txt,ann,\"walk, turn\",d\r\n\r\n7,\"\",b.csv,,,,\r\n")
    #expect(entries.count == 2)
    #expect(entries[0].path == "/abs/a.csv" && entries[0].events == "set/e.txt")
    #expect(entries[0].activity == "walk, turn" && entries[0].group == "ann" && entries[0].dataset == "d")
    #expect(entries[1].path == "set/b.csv" && entries[1].group == nil)
  }

  @Test("an uncounted walk has a range instead of steps; people are identified by source and group")
  func uncounted() throws {
    let entries = try read(
      "file,true_steps,lower,upper,group,source,activity\na.csv,,90,120,ann,x,stairs up\nb.csv,7,,,ann,y,gym rows\n")
    #expect(entries[0].trueSteps == nil && entries[0].bounds == 90...120 && entries[0].isWalk)
    #expect(entries[1].trueSteps == 7 && entries[1].bounds == nil)
    #expect(entries[0].person != entries[1].person)
    #expect(entries.map(\.family) == ["stairs", "gym"])
    #expect(throws: RecordingIndexError.notACount(path: "set/index.csv", line: 2, text: "")) {
      try read("file,true_steps,lower,upper\na.csv,,90,\n")
    }
  }

  @Test("people are those of a source, whatever its revision, and of joined sources")
  func origins() throws {
    let text = "file,true_steps,group,source\na,0,ann,x/wisdm@1\nb,0,ann,x/wisdm@2\nc,0,ann,y/WISDM-51@1\nd,0,,z\n"
    let entries = try read(text)
    #expect(entries[0].person == entries[1].person && entries[0].person != entries[2].person)
    #expect(entries.map(\.origin) == ["x/wisdm", "x/wisdm", "y/WISDM-51", "z"])
    let folder = try TemporaryFolder()
    for name in ["a", "b"] { try folder.write(text, to: "\(name)/index.csv") }
    let joined = try RecordingIndex(folders: ["a", "b"].map { "\(folder.path)/\($0)" }, joined: ["wisdm"]).entries
    #expect(joined.count == 8)
    #expect(Set(joined.map(\.origin)) == ["wisdm", "z"])
    #expect(Set(joined.map(\.person)).count == 2)
  }

  @Test(
    "bad input is refused with the line and the remedy",
    arguments: [
      ("", RecordingIndexError.empty(path: "set/index.csv")),
      ("file,true_steps\n", .empty(path: "set/index.csv")),
      ("path,true_steps\na,1\n", .missingColumn(path: "set/index.csv", name: "file", found: ["path", "true_steps"])),
      ("file,steps\na,1\n", .missingColumn(path: "set/index.csv", name: "true_steps", found: ["file", "steps"])),
      ("file,true_steps\na,1\nb,2,3\n", .wrongCount(path: "set/index.csv", line: 3, found: 3, expected: 2)),
      ("file,true_steps\na,many\n", .notACount(path: "set/index.csv", line: 2, text: "many")),
      ("file,true_steps\na,-1\n", .notACount(path: "set/index.csv", line: 2, text: "-1")),
      ("file,true_steps\na,nan\n", .notACount(path: "set/index.csv", line: 2, text: "nan")),
      ("file,true_steps\n ,5\n", .noFile(path: "set/index.csv", line: 2)),
      ("file,true_steps\n\"a,5\nb,6\n", .openQuote(path: "set/index.csv", line: 2)),
    ])
  func bad(text: String, error: RecordingIndexError) {
    #expect(throws: error) { try read(text) }
    #expect("\(error)".hasPrefix("set/index.csv"))
    #expect(error.exitCode == 65)
  }

  @Test("a folder without an index, and a missing one, are reported")
  func missing() {
    #expect(throws: TextFileError.cannotRead(path: "/nonexistent/index.csv", errno: 2)) {
      try RecordingIndex(folder: "/nonexistent")
    }
    #expect(throws: TextFileError.isDirectory(path: "/")) { try TextFile.read("/") }
    #expect(TextFileError.cannotRead(path: "x", errno: 2).exitCode == 66)
  }
}
