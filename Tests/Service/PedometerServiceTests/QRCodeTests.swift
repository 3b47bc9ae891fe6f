import Foundation
import TestSupport
import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("QR codes", .timeLimit(.minutes(30)), .ownThreads)
struct QRCodeTests {
  @Test(
    "the smallest version is used, up to 213 bytes",
    arguments: [(14, 1), (15, 2), (42, 3), (180, 9), (181, 10), (213, 10)])
  func versions(_ count: Int, _ version: Int) throws {
    let symbol = try #require(QRCode(Array(repeating: 0x61, count: count)))
    #expect(symbol.size == 17 + 4 * version)
    #expect(QRCode(Array(repeating: 0x61, count: 214)) == nil)
  }

  /// zbarimg; `nil` if it is not installed.
  private static let decoder = ["/usr/bin/zbarimg", "/usr/local/bin/zbarimg"]
    .first { FileManager.default.isExecutableFile(atPath: $0) }

  /// The decoder's output for a picture.
  private static func decoded(_ symbol: QRCode) throws -> [UInt8] {
    let decoder = try #require(decoder)
    let (scale, edge) = (4, QRCode.quietZone)
    let side = (symbol.size + 2 * edge) * scale
    var picture = Array("P5 \(side) \(side) 255\n".utf8)
    for y in 0..<side {
      for x in 0..<side {
        let (column, row) = (x / scale - edge, y / scale - edge)
        let isInside = 0..<symbol.size ~= column && 0..<symbol.size ~= row
        picture.append(isInside && symbol[column, row] ? 0 : 255)
      }
    }
    let folder = try TemporaryDirectory()
    let path = try folder.write(picture, to: "code.pgm")
    let process = Process()
    let pipe = Pipe()
    process.executableURL = URL(filePath: decoder)
    process.arguments = ["--quiet", "--raw", "-Sbinary", path]
    process.standardOutput = pipe
    process.standardError = FileHandle.nullDevice
    try process.run()
    let output = pipe.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return Array(output)
  }

  @Test("a decoder reads each version", .enabled(if: decoder != nil))
  func decoding() throws {
    for count in [3, 20, 40, 60, 80, 100, 120, 150, 178, 213] {
      let bytes = (0..<count).map { UInt8(0x21 + ($0 * 37 + count) % 90) }
      let symbol = try #require(QRCode(bytes))
      #expect(try Self.decoded(symbol) == bytes, "\(symbol.size) modules")
    }
  }

  @Test("on a terminal and as a picture it has a quiet zone")
  func shown() throws {
    let symbol = try #require(QRCode(Array("Hi".utf8)))
    let lines = symbol.terminalText.split(separator: "\n")
    #expect(lines.count == (21 + 8 + 1) / 2)
    #expect(lines.allSatisfy { $0.contains("    ") })
    let picture = symbol.svg(title: "Walk")
    #expect(picture.contains("viewBox=\"0 0 29 29\"") && picture.contains("<title>Walk</title>"))
    #expect(picture.contains("M4 4h1v1h-1z") && !picture.contains("M3 "))
  }
}
