import CSensorShim
import Platform
import SourceNames

/// A running program, for reading what it prints. It is ended with its process group when this is released, and when this process
/// is killed: with SIGTERM and, if it ignores that for a second, with SIGKILL.
package final class ProgramOutput {
  private let command: ProgramCommand
  private var program = sensor_program()
  private var hasEnded = false
  private var hasPrinted = false
  private var hasClosedErrors = false
  private var ending: SensorError?
  /// Whether it has left with status 0, as a program does whose work is done.
  package private(set) var isComplete = false
  /// The lines of its standard error that were not taken yet.
  private var remarks: [String] = []
  private var remarkCount = 0
  private var splitter = LineSplitter(longest: 300, .cut)
  private var lastLine: [UInt8] = []
  private var scratch = [UInt8](repeating: 0, count: 4096)

  /// A listener keeps every remark.
  private static let mostRemarks = 20
  /// The bytes of its standard error that are read at once. A program may print more without end.
  private static let mostErrors = 65_536

  /// Starts the program.
  /// - Throws: `.notFound`, `.permissionDenied`, `.system`.
  package init(_ command: ProgramCommand) throws(SensorError) {
    self.command = command
    let words = unsafe command.words.map { unsafe strdup($0) }
    defer { for index in unsafe words.indices { unsafe free(words[index]) } }
    let pointers = unsafe words.map { unsafe UnsafePointer($0) } + [nil]
    let code = unsafe -sensor_program_start(pointers, &program)
    switch code {
    case 0: break
    case ENOENT:
      throw .notFound(
        name: "the program '\(command.words[0])'", remedy: "install it, or give its path, as in exec:./\(command.name)")
    case EACCES:
      throw .permissionDenied(
        path: command.words[0], errno: code, remedy: "make it executable (chmod +x), or name its interpreter before it")
    case ENOEXEC:
      throw .unusable(
        path: command.words[0], reason: "it is not an executable program",
        remedy: "name its interpreter before it, as in exec:python3 \(command.words[0])")
    default: throw .system(operation: "start", path: command.words[0], errno: code)
    }
  }

  deinit {
    guard program.ready > 0 else { return }
    _ = end(within: 0)
    close(program.output)
    close(program.errors)
    close(program.ready)
  }

  /// Waits for output, on either stream.
  package func wait(until stop: StopSignal, atMost timeout: Duration) -> StopSignal.Outcome {
    stop.wait(for: program.ready, atMost: timeout)
  }

  /// Reads the available output without waiting. It begins with an end of a line: of a board the first line may be a part of one,
  /// that of a program is whole.
  /// - Returns: the number of bytes; 0 if none are available.
  /// - Throws: `.disconnected` when the program has ended, with its exit status and its last words.
  package func read(into target: UnsafeMutableRawBufferPointer) throws(SensorError) -> Int {
    readErrors()
    let front = hasPrinted ? 0 : 1
    let (count, end) = unsafe readAvailable(
      program.output, into: UnsafeMutableRawBufferPointer(rebasing: target[front...]))
    if count > 0 {
      if !hasPrinted { unsafe target[0] = 0x0A }
      hasPrinted = true
      return front + count
    }
    // Output from before the end counts; the next read finds the end again.
    if end == nil { return 0 }
    let error = ending ?? makeEnding()
    ending = error
    // Without any output they are all that can be known.
    if !hasPrinted, !remarks.isEmpty { return 0 }
    throw error
  }

  /// The next line of its standard error.
  package func takeRemark() -> String? { remarks.isEmpty ? nil : remarks.removeFirst() }

  private func makeEnding() -> SensorError {
    // It has closed its output, so it is about to end.
    let status = end(within: 1000)
    isComplete = status == 0
    readErrors()
    take(splitter.finish() ?? [])
    let what =
      if status & 0x7F != 0 { "was ended by signal \(status & 0x7F)" } else {
        "ended with exit status \(status >> 8 & 0xFF)"
      }
    return .ended(
      name: command.name, reason: what + (lastLine.isEmpty ? "" : ": '\(lastWords)'"),
      remedy: "run it by itself to see why: \(command)")
  }

  /// - Parameter timeout: milliseconds in which it may end by itself.
  /// - Returns: the status of `waitpid(2)`; 0 if that was returned before.
  private func end(within timeout: Int32) -> Int32 {
    if hasEnded { return 0 }
    hasEnded = true
    return unsafe sensor_program_end(&program, timeout, 1000)
  }

  private func readErrors() {
    var rest = Self.mostErrors
    while !hasClosedErrors, rest > 0 {
      let count = unsafe Glibc.read(program.errors, &scratch, scratch.count)
      if count < 0, errno == EINTR { continue }
      if count == 0 {
        hasClosedErrors = true
        unsafe sensor_program_ignore_errors(&program)
      }
      guard count > 0 else { return }
      rest -= count
      for line in splitter.append(scratch[..<count]) { take(line) }
    }
  }

  private func take(_ line: [UInt8]) {
    if line.isEmpty { return }
    lastLine = line
    if remarkCount > Self.mostRemarks { return }
    remarkCount += 1
    remarks.append(
      remarkCount > Self.mostRemarks
        ? "\(command.name) prints more to its standard error, which is not shown" : "\(command.name): \(lastWords)")
  }

  private var lastWords: String { PrintableText.line(String(decoding: lastLine, as: UTF8.self), longest: 300) }
}
