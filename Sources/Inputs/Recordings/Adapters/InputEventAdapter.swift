/// Output of evtest, `evemu-record` and `libinput record` for an input device with an accelerometer.
///
/// An event contains one axis that changed; a report ends a group of events and is one sample. The header states the
/// counts per g (`Resolution` for `ABS_X`, `ABS_Y` and `ABS_Z`); otherwise the unit is detected.
final class InputEventAdapter: LineAdapter {
  /// The program that wrote it.
  private enum Program { case evtest, evemu, libinput }

  private let program: Program
  var lines = TextLines()
  private var values: [Int?] = [nil, nil, nil]
  private var resolution = 0
  private var code: Int?
  private var hasChanged = false
  private var hasHeader = false

  init?(_ head: [UInt8]) {
    let text = head.span.extracting(first: 4096)
    func holds(_ part: String) -> Bool { text.firstPlace(of: part) != nil }
    func begins(with part: String) -> Bool { head.starts(with: part.utf8) }
    if holds("Input driver version is") || holds("-------------- SYN_REPORT") {
      program = .evtest
    } else if begins(with: "# EVEMU") || holds("\nE: 0") {
      program = .evemu
    } else if holds("\nlibinput:") || begins(with: "# libinput record") {
      program = .libinput
    } else {
      return nil
    }
  }

  func convert(_ line: [UInt8], into output: inout [UInt8]) {
    let line = String(decoding: line, as: UTF8.self)
    switch program {
    case .evtest: takeEvtest(line, &output)
    case .evemu: takeEvemu(line, &output)
    case .libinput: takeLibinput(line, &output)
    }
  }

  /// `Event: time 1.234567, type 3 (EV_ABS), code 0 (ABS_X), value 12`; above the events `Event code 0 (ABS_X)`, `Value`,
  /// `Resolution`.
  private func takeEvtest(_ line: String, _ output: inout [UInt8]) {
    let words = line.split { " ,()\t".contains($0) }
    if words.first == "Event:", words.count > 3, words[1] == "time" {
      if line.holds("SYN_REPORT") { return report(String(words[2]), &output) }
      let number = { (name: Substring) in
        words.firstIndex(of: name).flatMap { $0 + 1 < words.count ? Int(words[$0 + 1]) : nil }
      }
      guard number("type") == 3 else { return }
      set(number("code"), number("value"))
    } else if words.count > 2, words[0] == "Event", words[1] == "code" {
      code = line.holds("ABS_") ? Int(words[2]) : nil
    } else if words.count == 2, let code, let value = Int(words[1]) {
      if words[0] == "Value", (0..<3).contains(code) { values[code] = value }
      if words[0] == "Resolution", (0..<3).contains(code) { resolution = max(resolution, value) }
    }
  }

  /// `E: 0.000001 0003 0000 0012`, type and code in hexadecimal; `A: 00 -32768 32767 16 0 8192` above, resolution last.
  private func takeEvemu(_ line: String, _ output: inout [UInt8]) {
    let words = line.split { $0 == " " || $0 == "\t" }.prefix { !$0.hasPrefix("#") }
    guard words.count >= 5 else { return }
    if words[0] == "A:", let code = Int(words[1], radix: 16), (0..<3).contains(code), words.count >= 7 {
      resolution = max(resolution, Int(words[6]) ?? 0)
    } else if words[0] == "E:", let type = Int(words[2], radix: 16), let code = Int(words[3], radix: 16) {
      if type == 0, code == 0 { return report(String(words[1]), &output) }
      if type == 3 { set(code, Int(words[4])) }
    }
  }

  /// `- [  0, 443750,   3,   0,    12] # EV_ABS / ABS_X`; above `0: [-32768, 32767, 16, 0, 8192]`, resolution last.
  private func takeLibinput(_ line: String, _ output: inout [UInt8]) {
    guard let open = line.firstIndex(of: "["), let close = line.firstIndex(of: "]"), open < close else { return }
    let numbers = line[line.index(after: open)..<close].split { ", ".contains($0) }.compactMap { Int($0) }
    guard numbers.count == 5 else { return }
    let key = line[..<open].filter { $0 != " " }
    if key == "-" {
      if numbers[2] == 0, numbers[3] == 0 {
        let fraction = String(1_000_000 + numbers[1]).dropFirst()
        return report("\(numbers[0]).\(fraction)", &output)
      }
      if numbers[2] == 3 { set(numbers[3], numbers[4]) }
    } else if let code = Int(key.dropLast()), key.last == ":", (0..<3).contains(code) {
      resolution = max(resolution, numbers[4])
    }
  }

  private func set(_ code: Int?, _ value: Int?) {
    guard let code, let value, (0..<3).contains(code) else { return }
    values[code] = value
    hasChanged = true
  }

  /// A report completes a sample once all axes are known.
  private func report(_ time: String, _ output: inout [UInt8]) {
    guard hasChanged, let x = values[0], let y = values[1], let z = values[2] else { return }
    hasChanged = false
    if !hasHeader {
      hasHeader = true
      let unit = resolution > 1 ? " (g)" : ""
      output += Array("time (s),x\(unit),y\(unit),z\(unit)\n".utf8)
    }
    let axes = [x, y, z].map { resolution > 1 ? "\(Double($0) / Double(resolution))" : "\($0)" }
    output += Array((time + "," + axes.joined(separator: ",") + "\n").utf8)
  }
}
