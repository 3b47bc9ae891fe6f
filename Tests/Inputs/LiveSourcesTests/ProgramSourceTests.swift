import Counting
import LinuxSensors
import Platform
import SourceNames
import TestSupport
import Testing

@testable import LiveSources

@Suite("A program that prints samples", .timeLimit(.minutes(30)))
struct ProgramSourceTests {
  private let folder: TemporaryDirectory
  /// A minute with 107 steps.
  private let walk: String

  init() throws {
    folder = try TemporaryDirectory()
    walk = try folder.write(PrintedWalk().chunks.flatMap(\.bytes), to: "walk.csv")
  }

  /// - Parameter script: for a shell.
  private func source(
    _ script: String, waits: Bool = false, for use: Sources.Use = .live
  ) async throws -> OpenSource {
    let path = try folder.write(Array(script.utf8), to: "walk.sh")
    return try await source(command: "sh '\(path)'", waits: waits, for: use)
  }

  private func source(
    command: String, waits: Bool = false, for use: Sources.Use = .live
  ) async throws -> OpenSource {
    var sources = Sources(waits: waits)
    sources.sleep = { _ in }
    // A busy machine may start the program later than a sensor may be silent.
    sources.options.silenceTimeout = .seconds(600)
    return try #require(try await sources.open(try SourceURI(parsing: "exec:" + command), for: use))
  }

  @Test("is counted, and started again when it ends, which is said with its exit status and last words")
  func restarted() async throws {
    let source = try await source("cat '\(walk)'; echo 'the phone is gone' >&2; exit 3")
    let title = try #require(source.connection?.title)
    #expect(title.hasPrefix("exec:sh "))
    let followed = try await FollowedSamples(source, upTo: 3)
    let lost = "lost: sh ended with exit status 3: 'the phone is gone'; run it by itself to see why: sh '"
    #expect(followed.events[0].hasPrefix(lost) && followed.events[2].hasPrefix(lost), "\(followed)")
    #expect(followed.events[1] == "back: \(title)")
    #expect(followed.samples == 2 * PrintedWalk.walk.count, "\(followed)")
  }

  @Test(
    "that printed a recording and left with 0 is counted once, with all its steps",
    arguments: [Sources.Use.live, .allDay])
  func steps(_ use: Sources.Use) async throws {
    let mark = folder.path + "/mark"
    let source = try await source("echo started >>'\(mark)'; cat '\(walk)'", for: use)
    var (steps, others) = (0, 0)
    for try await event in source.events(CountingOptions(stepLength: .fixed(0.7)).correcting) {
      switch event {
      case .progress(let progress): steps += progress.steps.count
      case .lost, .refused: others += 1
      default: break
      }
    }
    var counting = SampleCounting(CountingOptions().correcting)
    let samples = PrintedWalk.walk
    let expected = counting.count(samples.span).steps.count + counting.finish().steps.count
    #expect(steps == expected && others == 0, "\(steps) of \(expected)")
    #expect(try TemporaryDirectory.text(of: mark) == "started\n")
  }

  @Test("may print a recording of a few rows, which ends before it is recognised")
  func short() async throws {
    let source = try await source("printf 't,x,y,z\\n'; tail -n 12 '\(walk)'")
    var count = 0
    for try await case .element(.samples(let batch)) in source.elements { count += batch.samples.count }
    #expect(count == 12)
  }

  @Test("keeps the times of a recording that it prints faster than it was walked, and this is said")
  func replayed() async throws {
    let source = try await source("cat '\(walk)'")
    var (times, warnings): ([Int64], [String]) = ([], [])
    for try await case .element(.samples(let batch)) in source.elements {
      times += batch.samples.map(\.nanoseconds)
      warnings += batch.warning.map { [$0] } ?? []
    }
    #expect(times.count == PrintedWalk.walk.count)
    #expect(zip(times, times.dropFirst()).allSatisfy { abs($1 - $0 - 20_000_000) < 1_000_000 })
    #expect(warnings.count { $0.contains("arrive faster than their times pass") } == 1, "\(warnings)")
  }

  @Test(
    "that ends without a sample is an error that says why",
    arguments: [
      ("echo 'no such sensor' >&2; exit 1", "sh ended with exit status 1: 'no such sensor'; run it by itself"),
      ("kill -9 $$", "sh was ended by signal 9; run it by itself"),
      ("printf 'one\\033[2J line without an end' >&2", "sh ended with exit status 0: 'one?[2J line without an end'"),
    ])
  func fruitless(_ script: String, _ reason: String) async throws {
    let source = try await source(script)
    do {
      for try await _ in source.elements {}
      Issue.record("no error")
    } catch let error as SensorError {
      #expect("\(error)".hasPrefix(reason) && error.kind == .unavailable, "\(error)")
    }
  }

  @Test("is awaited from the start if that is wished")
  func awaited() async throws {
    let mark = folder.path + "/mark"
    let source = try await source("[ -e '\(mark)' ] || { touch '\(mark)'; exit 1; }; cat '\(walk)'", waits: true)
    let followed = try await FollowedSamples(source, upTo: 3)
    #expect(
      followed.events.count == 2 && followed.events[0].hasPrefix("lost: sh ended with exit status 1"), "\(followed)")
    #expect(followed.samples == PrintedWalk.walk.count)
  }

  @Test("that cannot be started is refused with a remedy")
  func refused() async throws {
    let notes = try folder.write(Array("notes".utf8), to: "notes.txt")
    let nothing = folder.path + "/nothing"
    #expect(unsafe chmod(notes, 0o755) == 0)
    for (command, kind, words) in [
      (
        "no-such-program-42 -x", SensorError.Kind.unavailable,
        "cannot find the program 'no-such-program-42'; install it"
      ),
      (
        nothing, .unavailable,
        "cannot find the program '\(nothing)'; install it, or give its path, as in exec:./nothing"
      ),
      (folder.path, .permission, "make it executable (chmod +x)"),
      // No shell takes it for a script.
      (notes, .unavailable, "it is not an executable program; name its interpreter before it"),
    ] {
      let source = try await source(command: command)
      do {
        for try await _ in source.elements {}
        Issue.record("\(command) was started")
      } catch let error as SensorError { #expect(error.kind == kind && "\(error)".contains(words), "\(error)") }
    }
  }

  @Test("says on its standard error what is shown line by line, and at most twenty of them")
  func remarks() async throws {
    let source = try await source("seq 1 60 | sed 's/^/line /' >&2; cat '\(walk)'; exec sleep 600")
    var warnings: [String] = []
    for try await case .element(.samples(let batch)) in source.elements {
      warnings += batch.warning.map { [$0] } ?? []
      if warnings.count >= 21 { break }
    }
    #expect(warnings.prefix(20) == (1...20).map { "sh: line \($0)" }[...])
    #expect(warnings.last == "sh prints more to its standard error, which is not shown")
  }

  @Test(
    "ends with its whole group when it is no longer read, also if it hangs, ignores signals, and has started others")
  func ended() async throws {
    // All that was started has the pipe open.
    let pipe = folder.path + "/alive"
    #expect(unsafe mkfifo(pipe, 0o600) == 0)
    let reading = unsafe open(pipe, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    defer { close(reading) }
    let source = try await source(
      "exec 9>'\(pipe)'; trap '' TERM; (trap '' TERM; sleep 6000) & cat '\(walk)'; while :; do sleep 6000; done")
    for try await event in source.elements {
      if case .element(.samples(let batch)) = event, !batch.samples.isEmpty { break }
    }
    var set = pollfd(fd: reading, events: 0, revents: 0)
    #expect(unsafe poll(&set, 1, Hang.milliseconds) == 1 && set.revents & Int16(POLLHUP) != 0)
  }

  @Test("inherits no descriptor, no ignored signal and an empty standard input")
  func inherited() async throws {
    // As of a library that does not know O_CLOEXEC. A high number, which no shell uses.
    let open = fcntl(2, F_DUPFD, 200)
    defer { close(open) }
    let source = try await source(
      "[ -e /proc/$$/fd/\(open) ]; echo $? >&2; grep SigIgn /proc/$$/status >&2; wc -c >&2; exit 1")
    var warnings: [String] = []
    await #expect(throws: SensorError.self) {
      for try await case .element(.samples(let batch)) in source.elements {
        warnings += batch.warning.map { [$0] } ?? []
      }
    }
    try #require(warnings.count == 3, "\(warnings)")
    #expect(open >= 200 && warnings[0] == "sh: 1" && warnings[2] == "sh: 0", "\(warnings)")
    // The C library keeps signals above 31 for itself.
    let ignored = UInt64(warnings[1].suffix(16), radix: 16)
    #expect(ignored.map { $0 & 0x7FFF_FFFF } == 0, "\(warnings)")
  }
}
