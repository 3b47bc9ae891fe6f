import Accelerometry
import Testing

@testable import Recordings

@Suite("Messages with samples", .timeLimit(.minutes(30)))
struct SampleMessageTests {
  private static func rows(_ text: (Int) -> String) -> String { (0..<10).map(text).joined(separator: ",") }

  private static func content(
    _ text: String, unit: AccelerationUnit? = nil, after former: SampleMessage.Layout? = nil
  ) throws -> SampleMessage.Content {
    try SampleMessage(Array(text.utf8)).content(unit: unit, after: former)
  }

  struct Shape: Sendable, CustomTestStringConvertible {
    var name: String
    var text: String
    var testDescription: String { name }
  }

  static let shapes = [
    Shape(
      name: "lines of pedometer record",
      text: (0..<10).map { "{\"t\":\(Double($0 * 2) / 100),\"x\":0.1,\"y\":0,\"z\":1}\n" }.joined()),
    Shape(
      name: "an array of objects of pedometer record",
      text: "[" + rows { "{\"t\":\(Double($0 * 2) / 100),\"x\":0.1,\"y\":0,\"z\":1}" } + "]"),
    Shape(
      name: "Sensor Logger's push",
      text: "{\"messageId\":7,\"sessionId\":\"s\",\"deviceId\":\"d\",\"payload\":["
        + rows {
          let time = 1_777_882_500_000_000_000 + $0 * 20_000_000
          return "{\"name\":\"gyroscope\",\"time\":\(time),\"values\":{\"x\":5,\"y\":5,\"z\":5}},"
            + "{\"name\":\"accelerometer\",\"time\":\(time),\"values\":{\"x\":0,\"y\":0,\"z\":0}},"
            + "{\"name\":\"totalacceleration\",\"time\":\(time),\"values\":{\"x\":0.980665,\"y\":0,\"z\":9.80665}}"
        } + "]}"),
    Shape(
      name: "SensorServer's objects",
      text: (0..<10).map {
        "{\"accuracy\":2,\"timestamp\":\(3_925_657_519_043_709 + $0 * 20_000_000),\"values\":[0.980665,0,9.80665]}\n"
      }.joined()),
    Shape(
      name: "phyphox's buffers",
      text: "{\"buffer\":{\"acc_time\":{\"buffer\":[" + rows { "\(Double($0 * 2) / 100)" } + "]},\"accX\":{\"buffer\":["
        + rows { _ in "0.980665" } + "]},\"accY\":{\"buffer\":[" + rows { _ in "0" } + "]},\"accZ\":{\"buffer\":["
        + rows { _ in "9.80665" } + "]}},\"status\":{\"measuring\":true}}"),
  ]

  @Test("samples are read with their times, in g, in every layout that phones send", arguments: shapes)
  func layouts(_ shape: Shape) throws {
    let content = try Self.content(shape.text)
    #expect(content.samples.count == 10 && content.skipped == 0 && !content.layout.isLinear)
    for (a, b) in zip(content.samples, content.samples.dropFirst()) {
      #expect(abs(b.nanoseconds - a.nanoseconds - 20_000_000) <= 1)
    }
    for sample in content.samples {
      let far = sample.acceleration - SIMD3(0.1, 0, 1)
      #expect(abs(far.x) + abs(far.y) + abs(far.z) < 1e-5)
    }
  }

  @Test("Sensor Logger's messages contain device, session and message number")
  func identity() {
    let message = SampleMessage(Array(Self.shapes[2].text.utf8))
    #expect(message.device == "d" && message.session == "s" && message.number == 7)
    #expect(SampleMessage(Array(Self.shapes[0].text.utf8)).device == nil)
  }

  @Test("gravity distinguishes iOS values in g from m/s²; a stated unit takes precedence")
  func units() throws {
    let raw = Self.shapes[2].text.replacing("9.80665", with: "1").replacing("0.980665", with: "0.1")
    #expect(try Self.content(raw).layout.unit == .g)
    let stated = try Self.content(Self.shapes[0].text.replacing("\"z\":1}", with: "\"z\":1000}"), unit: .milliG)
    #expect(stated.samples[0].acceleration.z == 1)
  }

  @Test("a message without gravity is detected, and is in m/s²")
  func linear() throws {
    // In this app, the "accelerometer" has no gravity.
    let text = Self.shapes[2].text.replacing("totalacceleration", with: "orientation")
    let content = try Self.content(text)
    #expect(content.layout.isLinear && content.layout.unit == .metresPerSecondSquared)
  }

  @Test("a missing number only loses its sample, and is reported")
  func skipped() throws {
    let content = try Self.content(
      Self.shapes[0].text.replacing("{\"t\":0.04,\"x\":0.1", with: "{\"t\":0.04,\"x\":null"))
    #expect(content.samples.count == 9 && content.skipped == 1)
  }

  @Test("the layout of the first message applies to one with a single sample")
  func single() throws {
    let layout = try Self.content(Self.shapes[3].text).layout
    let line = "{\"accuracy\":2,\"timestamp\":3925657719043709,\"values\":[0,0,9.80665]}"
    let content = try Self.content(line, after: layout)
    #expect(content.samples == [AccelerationSample(nanoseconds: 3_925_657_719_043_709, acceleration: SIMD3(0, 0, 1))])
    #expect(throws: SampleMessageError.self) { try Self.content(line) }
  }

  @Test(
    "implausible messages are refused with the remedy",
    arguments: [
      ("{\"steps\":5}", "no samples found"),
      ("{\"x\":0,\"y\":0,\"z\":1}", "add t"),
      (shapes[0].text.replacing("\"z\":1}", with: "\"z\":9.81}"), "units=g"),
      (shapes[0].text.replacing("\"t\":0.", with: "\"t\":"), "t in seconds"),
      (shapes[0].text.replacing("\"x\":0.1", with: "\"x\":null"), "send numbers"),
      ((0..<5).map { _ in "{\"t\":1,\"x\":0,\"y\":0,\"z\":1}\n" }.joined(), "the same timestamp"),
    ])
  func refused(_ text: String, _ part: String) {
    let error = #expect(throws: SampleMessageError.self) { try Self.content(text) }
    #expect(error?.reason.contains(part) == true, "\(error?.reason ?? "")")
  }

  @Test("a number that is too large for a sample is skipped, not infinite")
  func tooLarge() throws {
    let content = try Self.content(
      Self.rows { "{\"t\":\(Double($0 * 2) / 100),\"x\":\($0 == 5 ? "8e60" : "0.1"),\"y\":0,\"z\":1}" })
    #expect(content.samples.count == 9 && content.skipped == 1)
    #expect(content.samples.allSatisfy { $0.acceleration.x == 0.1 })
  }
}
