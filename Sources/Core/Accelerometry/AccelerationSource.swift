// Embedded Swift has no `any Error`, which a sequence that can throw any error needs. On a microcontroller, the main
// loop passes samples to the detector itself.
#if !hasFeature(Embedded)
  /// A source of acceleration: a device node, a recording in real time, a synthetic walk.
  ///
  /// The sequence is pulled and has one consumer. Unplugging throws, the end of a recording is `nil`, lost samples are
  /// a ``SampleBatch/gap``; cancelling the consuming task ends the sequence and closes the source.
  public protocol AccelerationSource: Sendable {
    /// The batches, in order of time.
    associatedtype Batches: AsyncSequence<SampleBatch, any Error>

    /// The properties known before the first sample.
    var profile: SensorProfile { get }

    /// Opens the source. Each call starts from the beginning.
    func batches() -> Batches
  }
#endif
