import Accelerometry

struct DumpReader: ~Copyable {
  private var bytes: DumpBytes
  private var decoder: any DumpDecoder
  private var sink: DumpSink
  private let source: ByteSource
  private let needsAbsoluteTime: Bool
  private var isFinished = false

  init(_ source: ByteSource, _ dump: (format: RecordingFormat, decoder: any DumpDecoder), options: RecordingOptions) {
    var summary = RecordingSummary()
    summary.format = dump.format
    summary.unit = .g
    summary.timestampsAreAbsolute = true
    summary.isWallClock = true
    // Raw scans may have no time.
    if options.samplingFrequency != nil, dump.format != .iio {
      summary.doubts.append("the given sampling frequency was ignored, because the recording has timestamps")
    }
    if options.unit != nil || options.columns != nil {
      summary.doubts.append("the given unit and columns were ignored, because the device states its own")
    }
    needsAbsoluteTime = options.window?.needsAbsoluteTime ?? false
    self.source = source
    bytes = DumpBytes(source)
    decoder = dump.decoder
    sink = DumpSink(SampleAssembler(summary: summary, window: options.window, period: 0, zone: options.zone))
  }

  /// Replaces the content of `samples` with the next ones.
  /// - Returns: `false` at the end.
  mutating func read(into samples: inout [AccelerationSample]) throws(RecordingError) -> Bool {
    while sink.samples.isEmpty, !isFinished, !sink.assembler.isPastEnd {
      isFinished = try !decoder.decode(&bytes, into: &sink)
      if needsAbsoluteTime, !sink.assembler.summary.timestampsAreAbsolute {
        throw .windowNeedsAbsoluteTime(path: source.name)
      }
      if isFinished { sink.assembler.finish(into: &sink.samples) }
    }
    swap(&samples, &sink.samples)
    sink.samples.removeAll(keepingCapacity: true)
    if samples.isEmpty, summary.samples + summary.samplesOutsideWindow == 0 {
      throw .damagedDump(
        path: source.name, kind: "a recording in the format \(summary.format.rawValue)",
        reason: sink.losses.sentences.first ?? "it contains no samples")
    }
    return !samples.isEmpty
  }

  var summary: RecordingSummary {
    var summary = sink.assembler.summary
    summary.losses = sink.losses.sentences
    summary.damagedParts = sink.losses.parts
    summary.statedRate = sink.nominalRate
    return summary
  }
}
