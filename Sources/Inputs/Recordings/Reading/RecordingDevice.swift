/// The device that made a recording, as far as the recording states it.
public struct RecordingDevice: Sendable, Hashable {
  /// Its manufacturer.
  public var maker: String
  /// Its model.
  public var model: String?
  /// Its serial number.
  public var serial: String?
  /// The version of its firmware.
  public var firmware: String?
  /// The upper limit of its range, in g.
  public var range: Double?

  init(maker: String, model: String? = nil) { (self.maker, self.model) = (maker, model) }
}
