import ArgumentParser
import ChaseEngine
import Platform
import Terminals

/// The sounds of a chase: the terminal's bell at each alert, or sentences by Speech Dispatcher.
final class ChaseVoice {
  enum Kind: String, ExpressibleByArgument, CaseIterable {
    case bell, speech
  }

  private var script = ChaseScript()
  private var reporter: ChaseReporter?
  private let speaker: String?
  /// Those that may still speak.
  private var processes: [pid_t] = []

  /// Makes the sounds of a chase from now on, until it is released.
  /// - Parameter ring: rings a bell.
  init(_ kind: Kind, of model: AppModel, ring: @escaping () -> Void) {
    speaker = kind == .speech ? Self.speaker() : nil
    reporter = ChaseReporter(model: model) { [weak self] event in
      switch (kind, event) {
      case (.bell, .alert): ring()
      case (.speech, .alert(_, let alert)): self?.say(alert.text)
      case (.speech, .chase(let frame)): if let sentence = self?.script.sentence(at: frame) { self?.say(sentence) }
      default: break
      }
    }
  }

  /// The path of `spd-say`; `nil` if it is not installed.
  /// - Parameter path: folders, separated by colons.
  static func speaker(in path: String = ProcessEnvironment.current["PATH"] ?? "/usr/bin") -> String? {
    path.split(separator: ":").lazy.map { "\($0)/spd-say" }.first { unsafe access($0, X_OK) == 0 }
  }

  /// Speaks without waiting for the end of the sentence: `spd-say` hands it to a service and ends.
  private func say(_ sentence: String) {
    guard let speaker else { return }
    processes.removeAll { waitpid($0, nil, WNOHANG) != 0 }
    var actions = unsafe posix_spawn_file_actions_t()
    unsafe posix_spawn_file_actions_init(&actions)
    defer { unsafe posix_spawn_file_actions_destroy(&actions) }
    for (descriptor, flags) in [(Int32(0), O_RDONLY), (1, O_WRONLY), (2, O_WRONLY)] {
      unsafe posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", flags, 0)
    }
    var process: pid_t = 0
    let words = [speaker, "--", sentence]
    var arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
    defer { for index in unsafe arguments.indices { unsafe free(arguments[index]) } }
    if unsafe posix_spawn(&process, speaker, &actions, nil, &arguments, environ) == 0 { processes.append(process) }
  }
}

/// What is said between the alerts: the lead over Nessie, now and then.
struct ChaseScript {
  private var lastSaid = Duration.zero

  /// The time between two sentences, in the time of the chase.
  static let interval = Duration.seconds(30)

  /// The sentence that is due, if any.
  mutating func sentence(at frame: ChaseFrame) -> String? {
    if frame.elapsed < lastSaid { lastSaid = .zero }
    guard frame.state == .inProgress, frame.elapsed - lastSaid >= Self.interval else { return nil }
    lastSaid = frame.elapsed
    let metres = Int(max(0, frame.gap).rounded())
    return "Nessie is \(metres) \(metres == 1 ? "metre" : "metres") behind you."
  }
}
