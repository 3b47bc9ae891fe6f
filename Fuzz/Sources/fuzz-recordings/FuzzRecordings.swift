import Accelerometry
import Glibc
import IIOScans

@testable import Recordings

/// libFuzzer's loop (llvm.org/docs/LibFuzzer.html, "Using libFuzzer as a library"): a package's executables have a main
/// function of their own.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
  _ count: UnsafeMutablePointer<Int32>,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
  _ callback: @convention(c) (UnsafePointer<UInt8>, Int) -> Int32
) -> Int32

@main
struct FuzzRecordings {
  static func main() {
    var count = CommandLine.argc
    var arguments = CommandLine.unsafeArgv
    exit(runDriver(&count, &arguments) { fuzz($0, $1) })
  }
}

/// Reads what libFuzzer made up. The first byte says which way: by what the others hold, or as the log or the
/// activity of an ActiGraph, whose archives no random change leaves whole. What must hold for any bytes: nothing traps, no
/// more than a few times as many samples come out as bytes went in, times only rise, accelerations are numbers, and a pipe
/// tells the same as a file where the unit is stated.
private func fuzz(_ bytes: UnsafePointer<UInt8>, _ count: Int) -> Int32 {
  guard count > 0 else { return 0 }
  let body = UnsafeBufferPointer(start: bytes + 1, count: count - 1)
  if bytes[0] & 7 == 4 {
    check(dump: ScanDumpDecoder(scans, path: "fuzz", rate: nil), .iio, body)
    return 0
  }
  switch bytes[0] & 3 {
  case 1: check(dump: GT3XLogDecoder(GT3XInfo()), .gt3x, body)
  case 2: check(dump: GT3XActivityDecoder(GT3XInfo()), .gt3x, body)
  case 3:
    let ofFile = read(file(body), RecordingOptions(unit: .g))
    // What a pipe takes at once.
    guard let ofFile, body.count <= 1 << 16, !isContainer(body) else { return 0 }
    let ofPipe = read(pipe(body), RecordingOptions(unit: .g))
    precondition(ofPipe == ofFile, "a pipe tells something else than a file")
  default: _ = read(file(body), RecordingOptions())
  }
  return 0
}

/// A zip from a pipe holds the same, but of several recordings the first is read.
private func isContainer(_ body: UnsafeBufferPointer<UInt8>) -> Bool {
  ArchiveContents.recognise(Array(body.prefix(1024))) != nil
}

/// What raw scans may hold: those of a sensor hub, aligned, packed, and without a time.
private var scans: [ScanDescription] {
  let names = ["in_accel_x", "in_accel_y", "in_accel_z", "in_timestamp"]
  let elements = names.enumerated().compactMap { index, name in
    ScanElementFormat(parsing: index < 3 ? "le:s16/16>>0" : "le:s64/64>>0").map {
      ScanElement(name: name, index: index, format: $0, isEnabled: false)
    }
  }
  let axes = names.map { IIOChannel(name: $0, scale: 0.00981) }
  return ScanDescription(
    name: "fuzz", elements: elements, channels: IIOAccelerometerChannels(x: axes[0], y: axes[1], z: axes[2]),
    samplingFrequency: SamplingFrequency(hertz: 50)
  ).candidates
}

private func check(
  dump decoder: any DumpDecoder, _ format: RecordingFormat, _ body: UnsafeBufferPointer<UInt8>
) {
  let source = ByteSource(fileDescriptor: file(body), name: "fuzz", closes: true)
  var reader = DumpReader(source, (format, decoder), options: RecordingOptions())
  var (last, total) = (Int64.min, 0)
  var samples: [AccelerationSample] = []
  while (try? reader.read(into: &samples)) == true { check(samples, &last, &total, body.count) }
  _ = reader.summary.warnings
}

/// Everything a descriptor gives; nothing where it is refused.
private func read(_ descriptor: Int32, _ options: RecordingOptions) -> [AccelerationSample]? {
  let reader = RecordingReader(fileDescriptor: descriptor, name: "fuzz", handingOver: true, options: options)
  var (last, total) = (Int64.min, 0)
  var (all, samples): ([AccelerationSample], [AccelerationSample]) = ([], [])
  do {
    while try reader.read(into: &samples) {
      // Compressed data may hold a thousand times as much.
      check(samples, &last, &total, reader.summary.isCompressed ? 1 << 40 : 1 << 24)
      if total > 1 << 20 { break }
      all += samples
    }
  } catch {
    _ = "\(error)"
    return nil
  }
  _ = reader.summary.warnings
  _ = reader.summary.refusal(path: "fuzz")
  return all
}

private func check(_ samples: [AccelerationSample], _ last: inout Int64, _ total: inout Int, _ limit: Int) {
  for sample in samples {
    precondition(sample.nanoseconds > last, "time does not rise")
    precondition(sample.acceleration.x.isFinite && sample.acceleration.y.isFinite && sample.acceleration.z.isFinite)
    last = sample.nanoseconds
  }
  total += samples.count
  precondition(total <= limit, "more samples than bytes")
}

private func file(_ body: UnsafeBufferPointer<UInt8>) -> Int32 {
  let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
  var name = Array("\(folder)/fuzz.XXXXXX".utf8CString)
  let descriptor = mkstemp(&name)
  unlink(name)
  precondition(write(descriptor, body.baseAddress, body.count) == body.count)
  lseek(descriptor, 0, SEEK_SET)
  return descriptor
}

private func pipe(_ body: UnsafeBufferPointer<UInt8>) -> Int32 {
  var ends: [Int32] = [0, 0]
  precondition(Glibc.pipe(&ends) == 0)
  precondition(body.count == 0 || write(ends[1], body.baseAddress, body.count) == body.count)
  close(ends[1])
  return ends[0]
}
