import Testing

@testable import Studies

@Suite("Manifests of a study", .timeLimit(.minutes(30)))
struct StudyManifestTests {
  @Test("one path per line: relative paths begin at the manifest's folder, comments and empty lines are skipped")
  func lines() throws {
    let manifest = try StudyManifest(parsing: "# week 1\nsite1/p01.cwa\r\n\n/data/p02.cwa\n", folder: "study/")
    #expect(manifest.entries.map(\.path) == ["study/site1/p01.cwa", "/data/p02.cwa"])
    #expect(manifest.entries.map(\.id) == ["site1/p01.cwa", "/data/p02.cwa"])
    #expect(manifest.entries.map(\.line) == [2, 4])
  }

  @Test("columns of a CSV are found by name, in any order")
  func columns() throws {
    let text = "\u{FEFF}Height,ID,path,timezone\n1.72,p01,\"a,b.cwa\",Europe/London\n,,c.cwa,\n"
    let entries = try StudyManifest(parsing: text, folder: "").entries
    #expect(entries.map(\.path) == ["a,b.cwa", "c.cwa"])
    #expect(entries.map(\.id) == ["p01", "c.cwa"])
    #expect(entries.map(\.height) == [1.72, nil])
    #expect(entries.map { $0.zones?.text } == ["Europe/London", nil])
  }

  @Test("a column says which recordings are known to be walks, another one names learned walks")
  func recognition() throws {
    let text = "path,walking,profile\na,yes,anna\nb,No,\nc,,profiles/b.csv\n"
    let entries = try StudyManifest(parsing: text, folder: "study/").entries
    #expect(entries.map(\.isWalk) == [true, false, nil])
    #expect(entries.map(\.profile) == ["anna", nil, "study/profiles/b.csv"])
    #expect(entries.map { Provenance.words($0) } == [["walking=yes"], ["walking=no"], []])
  }

  @Test(
    "errors are reported with their lines",
    arguments: [
      ("path,height\na.cwa,172\n", 2, "metres"), ("path,timezone\na.cwa,CEST\n", 2, "CEST"),
      ("path,id\n,p01\n", 2, "no path"), ("a.cwa\nb.cwa\na.cwa\n", 3, "first in line 1"),
      ("# nothing\n", 0, "no recordings"), ("path,walking\na.cwa,perhaps\n", 2, "neither yes nor no"),
    ])
  func faults(text: String, line: Int, word: String) {
    let fault = #expect(throws: StudyManifest.Fault.self) { try StudyManifest(parsing: text, folder: "") }
    #expect(fault?.line == line)
    #expect(fault?.reason.contains(word) == true)
  }

  @Test("semicolons and tabs separate columns as well, as spreadsheets write them", arguments: [";", "\t"])
  func otherDelimiters(delimiter: String) throws {
    let rows = [["height", "path", "id", "time zone"], ["1,72", "a.cwa", "p01", "UTC"], ["", "b, c.cwa", "p02", ""]]
    let text = "\u{FEFF}" + rows.map { $0.joined(separator: delimiter) + "\r\n" }.joined()
    #expect(StudyManifest.beginning(of: text)?.namesColumns == true)
    let entries = try StudyManifest(parsing: text, folder: "").entries
    #expect(entries.map(\.path) == ["a.cwa", "b, c.cwa"] && entries.map(\.id) == ["p01", "p02"])
    #expect(entries.map(\.height) == [1.72, nil] && entries.map(\.line) == [2, 3])
    #expect(entries.map { $0.zones?.text } == ["UTC", nil])
  }

  @Test("a list of paths names no columns, and neither do the columns of a recording")
  func noColumns() throws {
    let list = try #require(StudyManifest.beginning(of: "\u{FEFF}# week 1\n\n p1.csv\n"))
    #expect(list.line == "p1.csv" && !list.namesColumns)
    #expect(StudyManifest.beginning(of: "t;x;y;z\n0;0;0;1\n")?.namesColumns == false)
    #expect(StudyManifest.beginning(of: "# nothing\n")?.line == nil)
  }

  @Test("columns of one's own are allowed and named, in the order of the manifest")
  func ownColumns() throws {
    let text = "Age,path,id,weight,notes,pid,start,\n40,a.cwa,p01,61,,7,2026-05-06,\n"
    let manifest = try StudyManifest(parsing: text, folder: "")
    #expect(manifest.entries.map(\.id) == ["p01"])
    #expect(manifest.unusedColumns == ["Age", "weight", "notes", "pid", "start"])
    #expect(try StudyManifest(parsing: "path,id,height\na.cwa,p01,1.7\n", folder: "").unusedColumns == [])
  }

  @Test(
    "a column that seems to be meant for another name is refused",
    arguments: [
      ("path,id,heigth", "did you mean 'height'?"), ("path,Height (cm)", "state heights in metres"),
      ("path,timezones", "did you mean 'timezone'?"), ("path,walkin", "did you mean 'walking'?"),
      ("path,participants", "did you mean 'participant'?"),
      ("path,path", "two columns 'path'"), ("id,path,ID", "two columns 'ID'"),
    ])
  func meantColumns(header: String, words: String) {
    let fault = #expect(throws: StudyManifest.Fault.self) {
      try StudyManifest(parsing: "# people\n\(header)\na.cwa,1.5,2\n", folder: "")
    }
    #expect(fault?.line == 2 && fault?.reason.contains(words) == true, "\(fault?.reason ?? "")")
  }

  @Test("different entries never share a folder, and no name leaves the study's folder")
  func outputNames() {
    let ids = [
      "a/b.cwa", "a+b.cwa", "a%2fb.cwa", "a b.cwa", "../b.cwa", ".hidden", "Ärzte.csv", "",
      String(repeating: "x", count: 300) + "1", String(repeating: "x", count: 300) + "2",
    ]
    let names = ids.map(OutputName.of)
    #expect(Set(names).count == ids.count)
    for name in names {
      #expect(!name.contains("/") && !name.hasPrefix(".") && !name.isEmpty && name.utf8.count <= 200)
    }
    #expect(OutputName.of("site1/p07.cwa") == "site1+p07.cwa")
  }

  @Test("shards contain each entry once", arguments: [1, 3, 20])
  func shards(count: Int) throws {
    let manifest = try StudyManifest((0..<17).map { StudyEntry(id: "\($0)", path: "\($0)") })
    let parts = (1...count).map { manifest.shard($0, of: count) }
    #expect(parts.joined().map(\.id).sorted() == manifest.entries.map(\.id).sorted())
    #expect(parts.map(\.count).max() == (17 + count - 1) / count)
  }

  @Test("each zone of a plan applies from its time on")
  func zonePlan() throws {
    let plan = try #require(ZonePlan("Europe/London;2026-05-06T12:00:00Z=America/New_York"))
    // 2026-05-06T11:59:59Z and a second later.
    #expect(plan.offset(at: 1_778_068_799) == 3600)
    #expect(plan.offset(at: 1_778_068_800) == -4 * 3600)
    #expect(ZonePlan("EST") == nil)
    #expect(ZonePlan("Europe/London;tomorrow=UTC") == nil)
  }

  @Test("local time is converted to UTC on both sides of a clock change")
  func wall() throws {
    let berlin = try #require(ZonePlan("Europe/Berlin"))
    // 2026-10-25, 01:30 and 03:30 local time: before and after the repeated hour.
    #expect(berlin.offset(whenShowing: 1_792_891_800) == 7200)
    #expect(berlin.offset(whenShowing: 1_792_899_000) == 3600)
    // In it, the first time, also in the west.
    #expect(berlin.offset(whenShowing: 1_792_895_400) == 7200)
    let york = try #require(ZonePlan("America/New_York"))
    // 2026-11-01, 01:30 local time.
    #expect(york.offset(whenShowing: 1_793_496_600) == -4 * 3600)
  }
}
