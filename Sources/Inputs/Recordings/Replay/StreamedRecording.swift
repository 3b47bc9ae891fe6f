import Accelerometry
import Platform

/// A recording that arrives while it is made, as on standard input: its reader waits for bytes on a separate thread.
///
/// Samples are read only on request, so back-pressure reaches the pipe. Cancelling the task ends the sequence at once.
/// A blocked read then continues alone, and its result is dropped: it cannot be interrupted on a descriptor that other
/// code may be using.
public struct StreamedRecording: AccelerationSource {
  /// The properties known before the first sample.
  public let profile: SensorProfile
  private let gapThreshold: Duration
  private let makeReader: @Sendable () throws -> any SampleReader

  /// Creates a stream without opening it.
  /// - Parameters:
  ///   - profile: the properties known before the first sample.
  ///   - gapThreshold: a longer time than this between two samples is a gap.
  ///   - makeReader: opens the stream; called on the reading thread, once for each sequence.
  public init(
    profile: SensorProfile, gapThreshold: Duration = .seconds(1),
    makeReader: @escaping @Sendable () throws -> any SampleReader
  ) {
    self.profile = profile
    self.gapThreshold = gapThreshold
    self.makeReader = makeReader
  }

  /// Whether a path is a pipe, a terminal or another device, whose reads may block indefinitely. False for missing
  /// files and folders, which cause an error when opened.
  public static func isNeeded(for path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  /// Opens the stream. Its errors are thrown unchanged.
  public func batches() -> Batches { Batches(stream: self) }

  /// The batches of one stream.
  public struct Batches: AsyncSequence {
    fileprivate let stream: StreamedRecording

    /// Starts the reading thread.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }
  }

  /// Requests samples from the reading thread.
  public struct Iterator: AsyncIteratorProtocol {
    private let thread: ReadingThread
    private var cutter: BatchCutter
    private var isOver = false

    fileprivate init(stream: StreamedRecording) {
      thread = ReadingThread(makeReader: stream.makeReader)
      cutter = BatchCutter(gapThreshold: stream.gapThreshold, longestSlice: nil)
    }

    /// The next batch; `nil` at the stream's end and when the task is cancelled.
    public mutating func next(isolation actor: isolated (any Actor)? = #isolation) async throws -> SampleBatch? {
      if isOver || Task.isCancelled { return nil }
      while cutter.isEmpty {
        do {
          guard let samples = try await thread.read() else {
            isOver = true
            let verdict = thread.verdict
            return verdict.isEmpty ? nil : SampleBatch(samples: [], verdict: verdict)
          }
          cutter.samples = samples
        } catch {
          isOver = true
          throw error
        }
      }
      return cutter.next()
    }
  }
}
