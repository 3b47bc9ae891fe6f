import Accelerometry
import Testing

@testable import Recordings

@Suite("Fast parsing of JSON Lines", .timeLimit(.minutes(30)))
struct FramedRowsTests {
  enum Form: CaseIterable {
    case written, otherOrder, quoted, nested, longText, array, dates

    func line(_ row: Int) -> String {
      let t = "\(Double(row) / 50)"
      let x =
        switch row % 50 {
        case 7: "-1.25e-1"
        case 8: "-0"
        case 9: "0.12345678901234567"
        default: "0.\(row % 90)"
        }
      let y = "-0.\(10 + row % 80)"
      switch self {
      case .written: return #"{"t":\#(t),"x":\#(x),"y":\#(y),"z":0.98}"#
      case .otherOrder: return #"{"x":\#(x),"z":0.98,"y":\#(y),"t":\#(t)}"#
      case .quoted: return #"{"t":"\#(t)","x":"\#(x)","y":"\#(y)","z":"0.98"}"#
      case .nested:
        return
          #"{"seq":\#(row),"time_ms":\#(row * 20),"acceleration":{"x":\#(x),"y":\#(y),"z":0.98},"flags":[true,"\#(row)"]}"#
      case .longText: return #"{"name":"","t":\#(t),"x":\#(x),"y":\#(y),"z":0.98,"comment":"longer than eight bytes"}"#
      case .array: return "[\(t),\(x),\(y),0.98]"
      case .dates:
        let second = row / 50
        let fraction = "\(1000 + row % 50 * 20)".dropFirst()
        return #"{"t":"2026-05-06T10:11:1\#(second).\#(fraction)+02:00","x":\#(x),"y":\#(y),"z":0.98}"#
      }
    }
  }

  @Test("lines that share their form are read as lines that differ in their blanks", arguments: Form.allCases)
  func sameResult(form: Form) {
    let lines = (0..<300).map { form.line($0) }
    // No line equals the one before it.
    let different = lines.enumerated().map { $0.offset % 2 == 0 ? $0.element : " " + $0.element }
    let options = RecordingOptions(unit: .g)
    let fast = ReadRecording(lines.joined(separator: "\n") + "\n", options)
    let slow = ReadRecording(different.joined(separator: "\n") + "\n", options)
    #expect(fast.error == nil && slow.error == nil)
    #expect(fast.samples.count == 300)
    #expect(fast.samples == slow.samples)
    #expect(fast.warnings == slow.warnings)
    let windows = ReadRecording(lines.joined(separator: "\r\n") + "\r\n", options)
    #expect(windows.samples == slow.samples)
  }

  @Test("a line without its last value is skipped, not read as zero")
  func missingValue() {
    let lines = (0..<200).map { row in
      "[\(Double(row) / 50),0.1,0.2" + ((100..<140).contains(row) ? "]" : ",0.9\(row % 10)]")
    }
    let read = ReadRecording(lines.joined(separator: "\n") + "\n", RecordingOptions(unit: .g))
    #expect(read.samples.count == 160)
    #expect(read.samples.allSatisfy { $0.acceleration.z >= 0.9 })
  }

  @Test("a quote in a text that is not needed does not end it")
  func escapedQuote() {
    let lines = (0..<200).map { row in
      let name = row < 100 ? "a" : #"a\","x":7,"y":7,"z":7,"b":""#
      return #"{"t":\#(Double(row) / 50),"name":"\#(name)","x":0.1,"y":0.2,"z":0.9}"#
    }
    let read = ReadRecording(lines.joined(separator: "\n") + "\n", RecordingOptions(unit: .g))
    #expect(read.samples.count >= 100)
    #expect(read.samples.allSatisfy { $0.acceleration.x < 1 })
  }
}
