import Accelerometry
import Glibc
import Testing

@testable import Recordings

@Suite("Rejected input", .timeLimit(.minutes(30)))
struct RecordingErrorTests {
  private static let path = "walk.csv"

  @Test(
    "input that is not a recording is rejected with evidence",
    arguments: [
      ("", RecordingError.empty(path: path)),
      ("t,x,y,z\n", .headerOnly(path: path, line: 1)),
      ("\u{FEFF}made by\n\nt,x,y,z", .headerOnly(path: path, line: 3)),
      ("hello\nworld\n", .tooFewColumns(path: path, line: 2, found: 0)),
      ("1\n2\n", .tooFewColumns(path: path, line: 1, found: 1)),
      ("t,magnitude\n0.1,1.0\n0.2,1.1\n", .tooFewColumns(path: path, line: 2, found: 2)),
      ("t,x,y,z\na,b,c,d\n", .noGoodRow(path: path, reason: .notNumbers, line: 2)),
      ("t,x,y,z\n1,NaN,2,3\n2,NaN,3,4\n", .noGoodRow(path: path, reason: .notFinite, line: 2)),
      ("t,x,y,z\n6/27/12,1,2,3\n", .noGoodRow(path: path, reason: .badTimestamp, line: 2)),
      ("t,gyro_x,gyro_y,gyro_z\n0,1,2,3\n", .noAxes(path: path, line: 1, names: ["t", "gyro_x", "gyro_y", "gyro_z"])),
      ("x,y,z\n0,0,1\n", .noTimestamps(path: path, line: 2)),
      ("t,x,y\n0,0,1\n0.02,0,1\n", .twoAxes(path: path, line: 1)),
      ("0,0,1\n0,0,1\n", .noTimestamps(path: path, line: 1)),
      ("abc\u{1}\u{2}\n", .notText(path: path, byte: 3, value: 1, looksLike: nil)),
      ("\0\0\0\n", .noGoodRow(path: path, reason: .nulByte, line: 1)),
    ])
  func refused(text: String, error: RecordingError) {
    #expect(ReadRecording(text).error == error)
    #expect(ReadRecording(Array(text.utf8) + [], pieces: 1).error == error)
  }

  @Test("UTF-32 is rejected, and the message shows the command that converts it")
  func wide() {
    let error = ReadRecording([0xFF, 0xFE, 0, 0] + "t,x\n".utf8.flatMap { [$0, 0, 0, 0] }).error
    #expect(error == .wideCharacters(path: "walk.csv", encoding: "UTF-32LE"))
    #expect(error?.description.contains("iconv -f UTF-32LE") == true)
  }

  @Test("an endless line is rejected in bounded memory", arguments: [UInt8(ascii: "7"), 1, 0])
  func endless(byte: UInt8) {
    let error = ReadRecording([UInt8](repeating: byte, count: 1_000_000)).error
    #expect(error?.kind == .badData)
    if byte == 1 { #expect(error == .notText(path: "walk.csv", byte: 0, value: 1, looksLike: nil)) }
    if byte != 1 { #expect(error == .noGoodRow(path: "walk.csv", reason: .lineTooLong, line: 1)) }
  }

  @Test("the message about missing columns lists the existing ones")
  func unknownColumn() {
    let read = ReadRecording("t,x,y,z\n" + plainRows(60), RecordingOptions(columns: ["t", "x", "y", "w"]))
    #expect(read.error == .unknownColumn(path: "walk.csv", name: "w", names: ["t", "x", "y", "z"]))
    #expect(read.error?.kind == .usage)
    let two = ReadRecording("t,x,y,z\n" + plainRows(60), RecordingOptions(columns: ["t", "x"]))
    #expect(two.error == .wrongNumberOfColumns(2))
  }

  @Test("a missing file and a directory have different errors")
  func paths() {
    #expect(throws: RecordingError.cannotOpen(path: "/nonexistent/walk.csv", errno: ENOENT)) {
      _ = try RecordingReader(path: "/nonexistent/walk.csv")
    }
    #expect(throws: RecordingError.isDirectory(path: "/")) { _ = try RecordingReader(path: "/") }
    #expect(RecordingError.cannotOpen(path: "a", errno: EACCES).kind == .permission)
    #expect(RecordingError.cannotOpen(path: "a", errno: ENOENT).kind == .noInput)
    #expect(RecordingError.cannotOpen(path: "a", errno: EMFILE).kind == .io)
  }

  @Test("an unreadable descriptor is an I/O error with its errno")
  func closedDescriptor() {
    let error = ReadRecording(RecordingReader(fileDescriptor: -1, name: "-")).error
    #expect(error == .readFailed(path: "-", byte: 0, errno: EBADF))
    #expect(error?.kind == .io)
  }

  @Test(
    "a picture or a program is not to be exported as CSV",
    arguments: [[0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], [0x7F, 0x45, 0x4C, 0x46, 2, 1, 1, 0, 0, 0]])
  func withoutSamples(_ bytes: [UInt8]) {
    let error = ReadRecording(bytes).error
    #expect(error?.code == .notText && error?.message.contains("instead of a recording") == true)
  }

  @Test(
    "every error is one sentence that starts with the file",
    arguments: [
      RecordingError.cannotOpen(path: "f", errno: ENOENT), .cannotOpen(path: "f", errno: EACCES),
      .cannotOpen(path: "f", errno: EIO),
      .isDirectory(path: "f"), .readFailed(path: "f", byte: 3, errno: EIO), .empty(path: "f"),
      .headerOnly(path: "f", line: 1),
      .notText(path: "f", byte: 1, value: 2, looksLike: nil),
      .notText(path: "f", byte: 0, value: 2, looksLike: "a MATLAB file (.mat)"),
      .withoutSamples(path: "f", kind: "a picture"), .unknownEntry(path: "f", name: "a.csv", names: ["b.csv"]),
      .unknownEntry(path: "f", name: "a.csv", names: []),
      .wideCharacters(path: "f", encoding: "UTF-16LE"), .tooFewColumns(path: "f", line: 1, found: 1),
      .twoAxes(path: "f", line: 1),
      .tooFewColumns(path: "f", line: 1, found: 0), .noAxes(path: "f", line: 1, names: ["a"]),
      .noTimestamps(path: "f", line: 1),
      .unknownColumn(path: "f", name: "a", names: []), .windowNeedsAbsoluteTime(path: "f"),
      .noGoodRow(path: "f", reason: .notNumbers, line: 2), .damagedGzip(path: "f", byte: 9),
      .unknownUnit(path: "f", size: 1e30), .implausibleRate(path: "f", line: 2, rate: "1.0"),
      .ambiguousTimes(path: "f", line: 2),
    ])
  func sentences(error: RecordingError) {
    let text = error.description
    #expect(text.hasPrefix("f: "))
    #expect(text.count > 20 && !text.contains("\n") && !text.hasSuffix("."))
  }
}
