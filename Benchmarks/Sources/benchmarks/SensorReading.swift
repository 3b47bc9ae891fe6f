import Accelerometry
import CReference
import CSensorShim

// For declarations that are internal to the package.
@testable import IIOScans
@testable import LinuxSensors

/// The cost of converting the kernel's data to samples.
enum SensorReading {
  /// The size of one read of a buffer, as in use.
  private static let scansAtOnce = 400
  private static let rounds = 250

  /// Scans of three axes and a time, per sample.
  static func runScans(_ type: String, limit: Double) -> Bool {
    let names = ["in_accel_x", "in_accel_y", "in_accel_z", "in_timestamp"]
    let types = [type, type, type, "le:s64/64>>0"]
    let elements = zip(names, types).enumerated().map { index, named in
      ScanElement(name: named.0, index: index, format: ScanElementFormat(parsing: named.1)!, isEnabled: true)
    }
    let layout = ScanLayout(elements)
    let channels = names.map { IIOChannel(name: $0, scale: 0.00980665) }
    let decoder = ScanDecoder(
      layout: layout, channels: IIOAccelerometerChannels(x: channels[0], y: channels[1], z: channels[2]),
      mountMatrix: MountMatrix(parsing: "0, 1, 0; 1, 0, 0; 0, 0, -1")!)!
    let fields = names.map { name in
      let field = layout[name]!
      return reference_field(
        offset: Int32(field.offset), bytes: Int32(field.format.storageBits / 8), bits: Int32(field.format.bits),
        shift: Int32(field.format.shift), big_endian: field.format.isBigEndian ? 1 : 0,
        is_signed: field.format.isSigned ? 1 : 0)
    }
    let bytes = (0..<scansAtOnce * layout.size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 8) }
    let scale = [Float](repeating: 0.001, count: 3)
    let matrix: [Float] = [0, 1, 0, 1, 0, 0, 0, 0, -1]
    var theirs = [reference_sample](repeating: reference_sample(), count: scansAtOnce)
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(scansAtOnce)
    let comparison = Comparison(
      name: "decoding an IIO scan of \(type)", unit: "ns (C loop)",
      scale: { $0 / Double(scansAtOnce * rounds) * 1e9 }, limit: limit)
    let isGood = comparison.run(rounds: 25) {
      let start = threadTime()
      for _ in 0..<rounds {
        reference_decode_scans(bytes, scansAtOnce, layout.size, fields, scale, matrix, &theirs)
      }
      return threadTime() - start
    } ours: {
      let start = threadTime()
      for _ in 0..<rounds {
        samples.removeAll(keepingCapacity: true)
        decoder.decode(bytes.span.bytes, into: &samples)
      }
      return threadTime() - start
    }
    return agree(samples, theirs) && isGood
  }

  /// Frames of a game pad with six axes and its own time, per frame.
  static func runFrames(limit: Double) -> Bool {
    var events: [sensor_input_event] = []
    for frame in 0..<scansAtOnce {
      let time = Int64(frame) * 4_000_000
      for axis in 0..<6 {
        let value = Int32(truncatingIfNeeded: (frame * 6 + axis) &* 2_654_435_761) >> 16
        events.append(sensor_input_event(nanoseconds: time, value: value, type: 3, code: UInt16(axis)))
      }
      events.append(sensor_input_event(nanoseconds: time, value: Int32(frame * 4000), type: 4, code: 5))
      events.append(sensor_input_event(nanoseconds: time, value: 0, type: 0, code: 0))
    }
    let scale = Float(1) / 8192
    let copies = events.map {
      reference_event(nanoseconds: $0.nanoseconds, value: $0.value, type: $0.type, code: $0.code)
    }
    var theirs = [reference_sample](repeating: reference_sample(), count: scansAtOnce)
    var samples: [AccelerationSample] = []
    samples.reserveCapacity(scansAtOnce)
    let comparison = Comparison(
      name: "assembling an evdev frame of 8 events", unit: "ns (C loop)",
      scale: { $0 / Double(scansAtOnce * rounds) * 1e9 }, limit: limit)
    let isGood = comparison.run(rounds: 25) {
      let start = threadTime()
      for _ in 0..<rounds {
        let count = reference_assemble_frames(copies, copies.count, scale, &theirs)
        precondition(count == scansAtOnce)
      }
      return threadTime() - start
    } ours: {
      let start = threadTime()
      for _ in 0..<rounds {
        samples.removeAll(keepingCapacity: true)
        var assembler = EvdevFrameAssembler(axes: [0, 1, 2], counts: .zero)
        for event in events {
          guard let frame = assembler.take(event) else { continue }
          let counts = SIMD3<Float>(Float(frame.counts.x), Float(frame.counts.y), Float(frame.counts.z))
          samples.append(AccelerationSample(nanoseconds: frame.nanoseconds, acceleration: counts * scale))
        }
      }
      return threadTime() - start
    }
    return agree(samples, theirs) && isGood
  }

  /// Whether both have the same results.
  private static func agree(_ ours: [AccelerationSample], _ theirs: [reference_sample]) -> Bool {
    let isSame =
      ours.count == theirs.count
      && zip(ours, theirs).allSatisfy { our, their in
        let (x, y, z, _) = their.acceleration
        let difference = our.acceleration - SIMD3(x, y, z)
        return our.nanoseconds == their.nanoseconds && (difference * difference).sum() < 1e-6
      }
    if !isSame { print("WRONG  the samples differ from the reference's") }
    return isSame
  }
}
