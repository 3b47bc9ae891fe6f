import Accelerometry
import Czlib
import Glibc
import Platform
import TestSupport
import Testing

@testable import Recordings

/// The result of reading a recording that was written in a test.
struct ReadRecording {
  var samples: [AccelerationSample] = []
  var batches: [Int] = []
  var error: RecordingError?
  var summary: RecordingSummary
  var profile: SensorProfile

  var warnings: [String] { summary.warnings }
  var nanoseconds: [Int64] { samples.map(\.nanoseconds) }

  /// Reads bytes from a file, from its beginning or from an offset.
  init(_ bytes: [UInt8], from offset: Int = 0, _ options: RecordingOptions = RecordingOptions()) {
    guard let temporary = unsafe tmpfile() else { preconditionFailure("cannot create a temporary file") }
    let file = unsafe dup(fileno(temporary))
    unsafe fclose(temporary)
    _ = writeWhole(bytes, to: file)
    lseek(file, offset, SEEK_SET)
    self.init(RecordingReader(fileDescriptor: file, name: "walk.csv", handingOver: true, options: options))
  }

  /// Reads text from a file.
  init(_ text: String, _ options: RecordingOptions = RecordingOptions()) { self.init(Array(text.utf8), options) }

  /// Reads bytes that arrive in pieces, each returned by one `read(2)`.
  init(_ bytes: [UInt8], pieces: Int, _ options: RecordingOptions = RecordingOptions()) {
    let packets = PacketWriter(bytes, pieces: pieces)
    self.init(RecordingReader(fileDescriptor: packets.output, name: "walk.csv", handingOver: true, options: options))
    packets.join()
  }

  init(_ reader: RecordingReader) {
    var batch: [AccelerationSample] = []
    do throws(RecordingError) {
      while try reader.read(into: &batch) {
        samples += batch
        batches.append(batch.count)
      }
    } catch { self.error = error }
    summary = reader.summary
    profile = reader.profile
  }
}

/// `rows` rows of `t,x,y,z` at 50 Hz, in g; the values follow from the row's number.
func plainRows(_ rows: Int, from first: Int = 0) -> String {
  (first..<first + rows).map { "\(Double($0 * 2) / 100),\(Double($0 % 7) / 100),-0.\(10 + $0 % 80),0.98\n" }.joined()
}

/// The bytes as gzip.
func gzip(_ bytes: [UInt8]) -> [UInt8] {
  var stream = unsafe z_stream()
  _ = unsafe deflateInit2_(
    &stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size))
  var input = bytes
  var output = [UInt8](repeating: 0, count: bytes.count + 1024)
  let count = unsafe input.withUnsafeMutableBufferPointer { input in
    unsafe output.withUnsafeMutableBufferPointer { output in
      unsafe stream.next_in = input.baseAddress
      unsafe stream.avail_in = UInt32(input.count)
      unsafe stream.next_out = output.baseAddress
      unsafe stream.avail_out = UInt32(output.count)
      _ = unsafe deflate(&stream, Z_FINISH)
      return Int(unsafe stream.total_out)
    }
  }
  _ = unsafe deflateEnd(&stream)
  return Array(output[..<count])
}
