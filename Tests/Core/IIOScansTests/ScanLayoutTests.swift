import IIOScans
import Testing

@Suite("Scan layouts", .timeLimit(.minutes(30)))
struct ScanLayoutTests {
  private func element(_ name: String, _ index: Int, _ type: String, isEnabled: Bool = true) throws -> ScanElement {
    ScanElement(name: name, index: index, format: try #require(ScanElementFormat(parsing: type)), isEnabled: isEnabled)
  }

  @Test("channels are ordered by index, not by discovery")
  func order() throws {
    let layout = ScanLayout([
      try element("in_accel_z", 2, "le:s16/16>>0"), try element("in_accel_x", 0, "le:s16/16>>0"),
      try element("in_accel_y", 1, "le:s16/16>>0"),
    ])
    #expect(layout.fields.map(\.name) == ["in_accel_x", "in_accel_y", "in_accel_z"])
    #expect(layout.fields.map(\.offset) == [0, 2, 4])
    #expect(layout.size == 6)
  }

  @Test("a timestamp after three words is aligned to eight bytes")
  func timestamp() throws {
    let layout = ScanLayout([
      try element("in_accel_x", 0, "le:s16/32>>0"), try element("in_accel_y", 1, "le:s16/32>>0"),
      try element("in_accel_z", 2, "le:s16/32>>0"), try element("in_timestamp", 3, "le:s64/64>>0"),
    ])
    #expect(layout["in_timestamp"]?.offset == 16)
    #expect(layout.size == 24)
  }

  @Test("an enabled channel shifts later ones; a disabled one does not")
  func extraChannels() throws {
    let temperature = try element("in_temp", 1, "le:s8/8>>0")
    let axes = [try element("in_accel_x", 0, "be:s12/16>>4"), try element("in_accel_y", 2, "be:s12/16>>4")]
    #expect(ScanLayout(axes + [temperature])["in_accel_y"]?.offset == 4)
    #expect(ScanLayout(axes + [temperature]).size == 6)
    var off = temperature
    off.isEnabled = false
    #expect(ScanLayout(axes + [off])["in_accel_y"]?.offset == 2)
  }

  @Test("a vector is aligned to its whole size")
  func vector() throws {
    let layout = ScanLayout([
      try element("in_accel_x", 0, "le:s16/16>>0"), try element("in_rot_quaternion", 1, "le:s32/32X4>>0"),
    ])
    #expect(layout["in_rot_quaternion"]?.offset == 16)
    #expect(layout.size == 32)
  }

  @Test("without enabled channels, the size is 0")
  func empty() throws {
    #expect(ScanLayout([]).size == 0)
    #expect(ScanLayout([try element("in_accel_x", 0, "le:s16/16>>0", isEnabled: false)]).fields.isEmpty)
  }
}
