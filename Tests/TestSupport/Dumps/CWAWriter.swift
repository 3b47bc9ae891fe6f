/// An Axivity recording as written by AX3 and AX6, and any damage to its blocks.
public struct CWAWriter {
  /// The format of samples in a block.
  public enum Layout: Sendable, CaseIterable {
    /// Three 10-bit numbers and an exponent in four bytes.
    case packed
    /// Three 16-bit numbers.
    case unpacked
    /// A gyroscope's three axes before those of acceleration.
    case sixAxes
  }

  /// The size of a block, and of the header before the first.
  public static let (blockSize, headerSize) = (512, 1024)

  private var builder = DumpBuilder()
  private var sequence: UInt32 = 0
  private var session: UInt32 = 7
  private var samples = 0
  /// Seconds since 2020-01-01T00:00 of the first sample, and the real rate; the nominal one is 100 Hz.
  private let start: Double
  private let rate: Double
  private let layout: Layout

  /// Starts a recording.
  /// - Parameters:
  ///   - layout: the format of samples.
  ///   - rate: the real sampling frequency; the header says 100 Hz.
  ///   - start: seconds since 2020-01-01T00:00.
  public init(_ layout: Layout = .unpacked, rate: Double = 100, start: Double = 0) {
    self.layout = layout
    self.rate = rate
    self.start = start
    builder.add("MD")
    builder.add(UInt16(0x03FC))
    builder.add(layout == .sixAxes ? 0x64 : 0x17 as UInt8)
    builder.add(UInt16(4242))
    builder.add(session)
    builder.add(UInt16(1))
    builder.zeros(Self.headerSize - builder.bytes.count)
    builder.bytes[36] = 0x4A
    builder.bytes[41] = 44
    builder.bytes[42] = 0xFF
    builder.bytes[43] = 0xFF
  }

  /// Samples per block.
  public var samplesOfBlock: Int {
    switch layout {
    case .packed: 120
    case .unpacked: 80
    case .sixAxes: 40
    }
  }

  /// The counts of a sample, within the limits of the layout.
  public func counts(_ index: Int) -> SIMD3<Int> {
    let counts = DumpSamples.counts(index)
    return layout == .packed ? SIMD3(counts.x / 4 * 4, counts.y / 4 * 4, counts.z / 4 * 4) : counts
  }

  /// Counts per g.
  public static let scale = 256.0

  /// The time of a sample, in seconds since 2020-01-01T00:00.
  public func time(_ index: Int) -> Double { start + Double(index) / rate }

  /// Adds complete blocks.
  public mutating func add(blocks: Int) {
    for _ in 0..<blocks { addBlock() }
  }

  /// Omits blocks, as if the device had not written them, or restarts the block numbers.
  public mutating func skip(blocks: Int, restartsSequence: Bool = false) {
    samples += blocks * samplesOfBlock
    sequence = restartsSequence ? 0 : sequence + UInt32(blocks)
  }

  private mutating func addBlock() {
    let place = builder.bytes.count
    // The timestamp is that of a sample in the next block, as on devices.
    let stated = samplesOfBlock + 5
    let time = time(samples + stated)
    let second = Int(time)
    let fraction = Int((time - Double(second)) * 65536) & 0xFFFE
    builder.add("AX")
    builder.add(UInt16(508))
    builder.add(UInt16(0x8000 | fraction >> 1))
    builder.add(session)
    builder.add(sequence)
    builder.add(Self.packed(second))
    builder.add(UInt16(100))
    builder.add(UInt16(150))
    builder.zeros(2)
    builder.add(UInt8(0x4A))
    builder.add(layout == .packed ? 0x30 : layout == .unpacked ? 0x32 : 0x62 as UInt8)
    builder.add(Int16(stated - (fraction * 100) >> 16))
    builder.add(UInt16(samplesOfBlock))
    for index in samples..<samples + samplesOfBlock { addSample(counts(index)) }
    builder.zeros(place + 510 - builder.bytes.count)
    builder.add(UInt16(0))
    var sum: UInt16 = 0
    for i in stride(from: place, to: place + Self.blockSize, by: 2) {
      sum &+= UInt16(builder.bytes[i]) | UInt16(builder.bytes[i + 1]) << 8
    }
    builder.put(0 &- sum, at: place + 510)
    samples += samplesOfBlock
    sequence += 1
  }

  private mutating func addSample(_ counts: SIMD3<Int>) {
    switch layout {
    case .packed:
      let bits = [counts.x, counts.y, counts.z].map { UInt32(bitPattern: Int32($0 >> 2)) & 0x3FF }
      builder.add(bits[0] | bits[1] << 10 | bits[2] << 20 | 2 << 30)
    case .sixAxes:
      for value in [11, 22, 33] { builder.add(Int16(value)) }
      fallthrough
    case .unpacked:
      for axis in 0..<3 { builder.add(Int16(counts[axis])) }
    }
  }

  /// Only 1 to 28 January 2020.
  private static func packed(_ second: Int) -> UInt32 {
    let date = UInt32(20) << 26 | 1 << 22 | UInt32(second / 86_400 + 1) << 17
    return date | UInt32(second / 3600 % 24) << 12 | UInt32(second / 60 % 60) << 6 | UInt32(second % 60)
  }

  /// The recording.
  public var bytes: [UInt8] { builder.bytes }
}
