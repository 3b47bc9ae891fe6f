/// JSON that is nothing but rows of five numbers or more in one line, as NumPy's `tolist()` gives them:
/// `[[0.0,0.12,0.04,0.98,1.5,0.2,0.1],[0.02,…],…]`. Each row becomes a line.
final class NumberArraysAdapter: TextAdapter {
  private var depth = 0

  private static let fewestNumbers = 5

  init?(_ head: [UInt8]) {
    let line = head.prefix { $0 != 0x0A }.filter { $0 > 0x20 }
    guard line.starts(with: "[[".utf8), let end = line.firstRange(of: "],[".utf8),
      line.allSatisfy({ $0 &- 0x30 <= 9 || "[],.+-eE".utf8.contains($0) })
    else { return nil }
    let numbers = line[2..<end.lowerBound].split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
    guard numbers.count >= Self.fewestNumbers,
      !numbers.contains(where: { Double(String(decoding: $0, as: UTF8.self)) == nil })
    else { return nil }
  }

  func adapt(_ input: ArraySlice<UInt8>, isLast: Bool, into output: inout [UInt8]) {
    for byte in input {
      switch byte {
      case UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "]"):
        if depth == 2 { output.append(0x0A) }
        depth -= 1
      default: if depth == 2, byte > 0x20 { output.append(byte) }
      }
    }
  }
}
