// Embedded Swift has no `any Error`, which a sequence that may fail with anything needs. A microcontroller's loop hands its
// samples to the detector itself.
#if !hasFeature(Embedded)
  /// Anything that hands out acceleration: a device node, a recording at its own pace, a made-up walk.
  ///
  /// The sequence is pulled and has one consumer. Unplugging throws, the end of a recording is `nil`, lost samples are
  /// a ``SampleBatch/gap``; cancelling the consuming task ends the sequence and closes what it had opened.
  public protocol AccelerationSource: Sendable {
    /// The batches, in the order of time.
    associatedtype Batches: AsyncSequence<SampleBatch, any Error>

    /// What is known before the first sample.
    var profile: SensorProfile { get }

    /// Opens the source. Each call starts anew.
    func batches() -> Batches
  }
#endif
