import Accelerometry
import LinuxSensors
import Platform

/// The buffers of an experiment that hold the acceleration.
struct PhyphoxBuffers: Sendable, Hashable {
  var time: String
  /// x, y and z.
  var axes: [String]
  /// Whether gravity was removed.
  var isLinear: Bool

  var latestTimeQuery: String { Self.escaped(time) }

  /// Asks for what came after a time, in seconds of the experiment.
  func query(after time: Double) -> String {
    let name = Self.escaped(self.time)
    // phyphox writes a number with less precision than it compares with, so the last sample may come again.
    return "\(name)=\(time)" + axes.map { "&\(Self.escaped($0))=\(time)%7C\(name)" }.joined()
  }

  /// A name as part of a query, percent-encoded.
  static func escaped(_ name: String) -> String {
    name.utf8.map { byte in
      let isPlain = (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || "-._~".utf8.contains(byte)
      let digits = String(byte, radix: 16, uppercase: true)
      return isPlain ? String(UnicodeScalar(byte)) : "%" + (digits.utf8.count < 2 ? "0" : "") + digits
    }.joined()
  }
}

/// The answer to `/config`, as far as it matters.
struct PhyphoxConfiguration: Decodable {
  struct Buffer: Decodable { var name: String }
  struct Input: Decodable {
    var source: String
    /// Each names the buffer of one output: `{"x":"accX"}`.
    var outputs: [[String: String]]
  }

  var title: String?
  var buffers: [Buffer]?
  var inputs: [Input]?

  /// Those of the accelerometer, else of the one without gravity; their usual names if the inputs are not stated.
  var buffersOfAccelerometer: PhyphoxBuffers? {
    for source in ["accelerometer", "linear_acceleration"] {
      for input in inputs ?? [] where input.source.lowercased() == source {
        let outputs = input.outputs.reduce(into: [String: String]()) { $0.merge($1) { first, _ in first } }
        guard let time = outputs["t"], let x = outputs["x"], let y = outputs["y"], let z = outputs["z"] else {
          continue
        }
        return PhyphoxBuffers(time: time, axes: [x, y, z], isLinear: source != "accelerometer")
      }
    }
    let usual = PhyphoxBuffers(time: "acc_time", axes: ["accX", "accY", "accZ"], isLinear: false)
    let names = Set((buffers ?? []).map(\.name))
    return inputs == nil && names.isSuperset(of: [usual.time] + usual.axes) ? usual : nil
  }
}

/// The answer to `/get`.
struct PhyphoxAnswer: Decodable {
  struct Column: Decodable {
    /// Numbers; `nil` where there was none.
    var buffer: [Double?]
  }
  struct Status: Decodable {
    var session: String?
    var measuring: Bool?
  }

  var buffer: [String: Column]
  var status: Status?

  /// The latest number of a buffer that was asked for alone; `nil` when it is empty.
  func latest(_ name: String) -> Double? { buffer[name]?.buffer.last ?? nil }

  /// The samples after a time, on the clock of the experiment, and the time of the latest of them.
  /// - Throws: `.unexpected` where a buffer is missing, or where they do not belong together.
  func samples(
    of names: PhyphoxBuffers, after time: Double, unit: AccelerationUnit, name: String
  ) throws(SensorError) -> (samples: [AccelerationSample], latest: Double) {
    let columns = [names.time] + names.axes
    if let missing = columns.first(where: { buffer[$0] == nil }) {
      throw .unexpected(
        path: name, reason: "has no buffer '\(missing)' any more", remedy: "open 'Acceleration (with g)' in phyphox")
    }
    let values = columns.map { buffer[$0]?.buffer ?? [] }
    // An axis may be one sample ahead: they are written one after the other.
    let count = values.map(\.count).min() ?? 0
    var samples: [AccelerationSample] = []
    var latest = time
    var latestTimestamp = Int64(bounded: min(max(time, -1e9), 1e9) * 1e9)
    for row in 0..<count {
      guard let t = values[0][row], let x = values[1][row], let y = values[2][row], let z = values[3][row],
        t > latest, abs(t) < 1e9
      else { continue }
      latest = t
      let timestamp = Int64(bounded: t * 1e9)
      // Times that differ by less than a nanosecond.
      guard timestamp > latestTimestamp else { continue }
      latestTimestamp = timestamp
      // A number may be too large for a sample.
      let acceleration = SIMD3<Double>(x, y, z) * unit.inG
      guard SIMD3<Float>(acceleration).sum().isFinite else { continue }
      samples.append(AccelerationSample(nanoseconds: timestamp, acceleration: SIMD3<Float>(acceleration)))
    }
    return (samples, latest)
  }
}
