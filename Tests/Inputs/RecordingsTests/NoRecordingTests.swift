import Accelerometry
import Testing

@testable import Recordings

@Suite("Files that look like recordings and are none", .timeLimit(.minutes(30)))
struct NoRecordingTests {
  private func rows(_ count: Int, from first: Int = 0, _ separator: String = ",") -> String {
    plainRows(count, from: first).replacing(",", with: separator)
  }

  /// Why a text is refused, when it is read or at its end.
  private func refusal(_ text: String, _ options: RecordingOptions = RecordingOptions()) -> RecordingError? {
    let read = ReadRecording(text, options)
    return read.error ?? read.summary.refusal(path: "walk.csv")
  }

  private func rated(_ columns: [String]? = nil) -> RecordingOptions {
    RecordingOptions(samplingFrequency: SamplingFrequency(hertz: 50), columns: columns)
  }

  @Test(
    "a table that was printed without some of its rows is refused with the line that stands for them",
    arguments: [
      // pandas, Polars, Julia and DuckDB put marks in the middle.
      "...  ...  ...  ...\n", "..   ...  ...  ..\n", "\u{2026}  \u{2026}  \u{2026}  \u{2026}\n",
      "\u{22EE}    \u{22EE}    \u{22EE}    \u{22EE}\n", "\u{B7}    \u{B7}    \u{B7}    \u{B7}\n",
    ])
  func abridged(_ mark: String) {
    let error = refusal("t x y z\n" + rows(20, " ") + mark + rows(20, from: 980, " "))
    #expect(error?.code == .abridged && error?.line == 22, "\(error?.message ?? "read")")
    #expect(error?.message.contains("rows that were left out") == true)
  }

  @Test(
    "a sentence about rows that were not printed is a refusal as well",
    arguments: [
      " [ reached getOption(\"max.print\") -- omitted 5750 rows ]\n",
      " [ reached 'max' / getOption(\"max.print\") -- omitted 5750 rows ]\n",
      "                   960 rows omitted\n", "# \u{2139} 5,990 more rows\n", "# \u{2026} with 960 more rows\n",
      "only showing top 20 rows\n", "1000 rows (40 shown)\n",
    ])
  func sentences(_ sentence: String) {
    let error = refusal("t x y z\n" + rows(40, " ") + sentence)
    #expect(error?.code == .abridged && error?.line == 42, "\(error?.message ?? "read")")
  }

  @Test(
    "points and numbers of rows in a log are no marks",
    arguments: ["....\n", "waiting ... ... ...\n", "... \n", "(1000 rows)\n", "wrote 40 rows\n", "# 1000 rows\n"])
  func logs(_ line: String) {
    let read = ReadRecording("t x y z\n" + rows(200, " ") + line + rows(200, from: 200, " "))
    #expect(read.error == nil && read.summary.abridgedLine == nil)
    #expect(read.samples.count == 400)
  }

  @Test(
    "positions are refused with the unit, whatever the sampling frequency",
    arguments: [
      ("Trajectories\n100\n,,Subject:SACR,,\nFrame,Sub Frame,X,Y,Z\n,,mm,mm,mm\n", "the unit mm", 5),
      ("Frame\tTime\tX\tY\tZ\n\ts\tm\tm\tm\n", "the unit m,", 2),
      ("frame,n,x [mm],y [mm],z [mm]\n", "the unit mm", 1), ("frame,n,x (cm),y (cm),z (cm)\n", "the unit cm", 1),
      ("Trajectories\n100\nFrame,Sub Frame,X,Y,Z\n", "'trajectories'", 1),
      ("Format Version,1.23,Length Units,Meters\nFrame,Time,X,Y,Z\n", "'length units'", 1),
    ])
  func positions(_ header: String, _ what: String, _ line: Int) {
    let separator = header.contains("\t") ? "\t" : ","
    let text =
      header
      + (0..<400).map {
        ["\($0)", "0", "40.\($0 % 9)1", "-11.\($0 % 7)4", "962.\($0 % 8)3"].joined(separator: separator) + "\n"
      }
      .joined()
    for options in [RecordingOptions(), rated()] {
      let error = refusal(text, options)
      #expect(error?.code == .positions && error?.line == line, "\(error?.message ?? "read")")
      #expect(error?.message.contains(what) == true, "\(error?.message ?? "")")
    }
    var given = rated()
    given.unit = .milliG
    #expect(ReadRecording(text, given).error == nil)
  }

  @Test(
    "a web page is named, also with rows of numbers in its scripts",
    arguments: ["<!doctype html>", "<HTML>", "<!-- saved -->\n<html>", "\u{FEFF}<!DOCTYPE html>"])
  func webPage(_ start: String) {
    let error = refusal(start + "<script>window.x=[1,2,3,4.5]</script>\n<p>0,1,2,3</p>\n")
    #expect(
      error?.code == .notText && error?.message.contains("a web page (HTML)") == true, "\(error?.message ?? "read")")
  }

  @Test("the recording in a web page, as the micro:bit writes it, is read")
  func pageWithRecording() {
    let read = ReadRecording("<!doctype html><html></html>\n<!--FS_START\nTime (seconds),x,y,z\n" + rows(200))
    #expect(read.error == nil && read.samples.count == 200)
  }

  @Test("what macOS stores beside a file is named")
  func companion() {
    let error = ReadRecording([0x00, 0x05, 0x16, 0x07, 0x00, 0x02, 0x00, 0x00] + Array("Mac OS X        ".utf8)).error
    #expect(
      error?.code == .notText && error?.message.contains("macOS stores beside a file") == true,
      "\(error?.message ?? "read")")
    #expect(RecordingError.companion(path: "data/._walk.csv").message.hasSuffix("give that file: walk.csv"))
  }

  @Test("a name of several columns is refused with numbers that work")
  func ambiguous() throws {
    let text =
      "\"X[s]\",\"ACC.X [g]\",\"X[s]\",\"ACC.Y [g]\",\"X[s]\",\"ACC.Z [g]\"\n"
      + (0..<400).map { row in
        let time = "\(Double(row * 2) / 100)"
        return "\(time),0.\(row % 70),\(time),-0.\(10 + row % 80),\(time),0.98\n"
      }.joined()
    let error = ReadRecording(text, RecordingOptions(columns: ["X[s]", "ACC.X [g]", "ACC.Y [g]", "ACC.Z [g]"])).error
    #expect(error?.code == .ambiguousColumn && error?.kind == .usage)
    #expect(
      error?.message.contains("has 3 columns 'X[s]'; select columns by their numbers") == true,
      "\(error?.message ?? "read")")
    #expect(error?.message.hasSuffix("1,2,4,6") == true)
    #expect(ReadRecording(text, RecordingOptions(columns: ["1", "2", "4", "6"])).samples.count == 400)
  }
}
