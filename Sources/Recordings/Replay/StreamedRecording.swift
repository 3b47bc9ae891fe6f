import Accelerometry
import Platform

/// A recording that arrives while it is made, as on standard input: its reader waits for bytes, on a thread of its own.
///
/// Samples are read when they are asked for and not before, so back-pressure reaches the pipe. Cancelling the task ends the
/// sequence at once. A read that waits for bytes then goes on waiting alone, and what it gets is dropped: it cannot be
/// called back from a descriptor that somebody else may be using.
public struct StreamedRecording: AccelerationSource {
  /// What is known before the first sample.
  public let profile: SensorProfile
  private let gapThreshold: Duration
  private let makeReader: @Sendable () throws -> any SampleReader

  /// Describes a stream; nothing is opened yet.
  /// - Parameters:
  ///   - profile: what is known before the first sample.
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

  /// Whether a path is a pipe, a terminal or another device, which says when its bytes come, and may say nothing for ever.
  /// What is missing or a folder is none: opening it says so.
  public static func isNeeded(for path: String) -> Bool {
    var status = stat()
    guard unsafe stat(path, &status) == 0 else { return false }
    return status.st_mode & S_IFMT != S_IFREG && status.st_mode & S_IFMT != S_IFDIR
  }

  /// Opens the stream. Its errors are thrown as they are.
  public func batches() -> Batches { Batches(stream: self) }

  /// The batches of one stream.
  public struct Batches: AsyncSequence {
    fileprivate let stream: StreamedRecording

    /// Starts the reading thread.
    public func makeAsyncIterator() -> Iterator { Iterator(stream: stream) }
  }

  /// Asks the reading thread for more.
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
            return nil
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
