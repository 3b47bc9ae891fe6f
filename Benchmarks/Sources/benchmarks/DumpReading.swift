import Accelerometry
import CReference
import Glibc
import Recordings

/// The cost of reading a dump, compared with a C loop that only unpacks its samples.
struct DumpReading {
  /// The measured formats.
  enum Kind: CaseIterable {
    case cwa, packedCWA, gt3x, geneactiv

    var name: String {
      switch self {
      case .cwa: "CWA of 16 bits"
      case .packedCWA: "packed CWA"
      case .gt3x: "GT3X in an uncompressed zip"
      case .geneactiv: "GENEActiv .bin"
      }
    }

    /// The number of bytes before the first block, record or page of the C loop.
    fileprivate var header: Int {
      switch self {
      case .cwa, .packedCWA: 1024
      case .gt3x, .geneactiv: 0
      }
    }
  }

  let kind: Kind
  let path: String
  private let samples: Int
  private let size: Double

  /// Writes the dump: a week of CWA, a day of the others.
  init?(_ kind: Kind, in folder: String) {
    self.kind = kind
    path = folder + "/pedometer-benchmark-dump.bin"
    samples =
      switch kind {
      case .cwa: reference_write_cwa(path, 7 * 86_400, 0)
      case .packedCWA: reference_write_cwa(path, 7 * 86_400, 1)
      case .gt3x: reference_write_gt3x(path, 86_400, 0)
      case .geneactiv: reference_write_geneactiv(path, 28_800)
      }
    if samples < 0 { return nil }
    var information = stat()
    stat(path, &information)
    size = Double(information.st_size)
  }

  /// Measures the reader, which also verifies checksums, interpolates times and records gaps.
  func runReader() -> Bool {
    let comparison = Comparison(
      name: "reading \(kind.name)", unit: "GB/s (C loop that unpacks)", scale: { size / $0 * 1e-9 }, limit: 1.67)
    return comparison.run(rounds: 5, reference: unpack) {
      let start = threadTime()
      var batch: [AccelerationSample] = []
      var count = 0
      do {
        let reader = try RecordingReader(path: path)
        while try reader.read(into: &batch) { count += batch.count }
      } catch {
        print(error)
      }
      precondition(count == samples, "read \(count) of \(samples) samples")
      return threadTime() - start
    }
  }

  /// Measures the command with the same file, in wall-clock time.
  func runCommand(_ executable: String, seconds limit: Double) -> Bool {
    var best = Double.infinity
    for _ in 0..<5 {
      let start = wallTime()
      precondition(spawn([executable, "count", path]) == 0)
      best = min(best, wallTime() - start)
    }
    let isGood = best <= limit
    print(
      "\(isGood ? "ok    " : "SLOW  ") pedometer count on \(kind.name), \(rounded(size * 1e-6)) MB: "
        + "\(rounded(best)) s  (at most \(limit))")
    return reportMemory(of: [executable, "count", path], "pedometer count on \(kind.name)") && isGood
  }

  /// Processes the file with the C loop, in chunks of 256 KiB.
  private func unpack() -> Double {
    let start = threadTime()
    let descriptor = open(path, O_RDONLY)
    precondition(descriptor >= 0)
    defer { close(descriptor) }
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    var samples = [reference_sample](repeating: reference_sample(), count: 512)
    var (held, unpacked) = (0, 0)
    lseek(descriptor, kind.header, SEEK_SET)
    while true {
      let count = chunk.withUnsafeMutableBytes { read(descriptor, $0.baseAddress! + held, $0.count - held) }
      if count <= 0 { break }
      let end = held + count
      var place = 0
      chunk.withUnsafeBytes { bytes in
        let base = bytes.bindMemory(to: UInt8.self).baseAddress!
        while let next = next(base, &place, end) {
          unpacked += unpack(next, &samples)
        }
      }
      held = end - place
      chunk.withUnsafeMutableBytes { _ = memmove($0.baseAddress!, $0.baseAddress! + place, held) }
    }
    precondition(unpacked == self.samples && samples[0].acceleration.0.isFinite)
    return threadTime() - start
  }

  private func unpack(_ part: UnsafePointer<UInt8>, _ samples: inout [reference_sample]) -> Int {
    switch kind {
    case .cwa, .packedCWA: reference_unpack_cwa(part, &samples)
    case .gt3x: reference_unpack_gt3x(part, &samples)
    case .geneactiv: part.withMemoryRebound(to: CChar.self, capacity: 3600) { reference_unpack_geneactiv($0, &samples) }
    }
  }

  /// The next complete block, record, or line of digits.
  private func next(_ base: UnsafePointer<UInt8>, _ place: inout Int, _ end: Int) -> UnsafePointer<UInt8>? {
    switch kind {
    case .cwa, .packedCWA:
      guard place + 512 <= end else { return nil }
      place += 512
      return base + place - 512
    case .gt3x:
      // The records of `log.bin` all have the same length and beginning.
      guard place + 459 <= end else { return nil }
      while base[place] != 0x1E || base[place + 1] != 0 || base[place + 6] != 0xC2 || base[place + 7] != 1 {
        place += 1
        guard place + 459 <= end else { return nil }
      }
      place += 459
      return base + place - 459
    case .geneactiv:
      while true {
        guard let feed = memchr(base + place, 0x0A, end - place) else { return nil }
        let start = place
        place = UnsafeRawPointer(feed) - UnsafeRawPointer(base) + 1
        if place - start >= 3600 { return base + start }
      }
    }
  }
}
