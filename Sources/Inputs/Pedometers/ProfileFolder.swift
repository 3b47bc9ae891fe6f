import Counting
import Platform
import Recordings
import StepDetection

/// The learned walks of a user: one file each, `NAME.csv`.
package struct ProfileFolder: Sendable {
  package let path: String

  package init(path: String) { self.path = path }

  /// `$XDG_CONFIG_HOME/pedometer/profiles`, otherwise `~/.config/pedometer/profiles`; `nil` for a process without a home.
  package init?(environment value: (String) -> String?) {
    let folder =
      value("XDG_CONFIG_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
      ?? value("HOME").flatMap { $0.hasPrefix("/") ? $0 + "/.config" : nil }
    guard let folder else { return nil }
    path = folder + "/pedometer/profiles"
  }

  package static var ofUser: ProfileFolder? {
    ProfileFolder { name in unsafe getenv(name).map { unsafe String(cString: $0) } }
  }

  package struct Failure: Error, Hashable, CustomStringConvertible {
    package var kind: RecordingError.Kind
    package var description: String

    init(_ kind: RecordingError.Kind, _ description: String) { (self.kind, self.description) = (kind, description) }

    init(errno number: Int32, _ path: String) {
      kind =
        switch number {
        case ENOENT, ENOTDIR: .noInput
        case EACCES, EPERM, EROFS: .permission
        default: .io
        }
      description = "\(path): \(systemText(number))"
    }
  }

  package static func isName(_ name: String) -> Bool {
    (1...64).contains(name.utf8.count) && !name.hasPrefix(".") && !name.hasPrefix("-")
      && name.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) || "-._".contains($0) }
  }

  package func file(_ name: String) -> String { "\(path)/\(name).csv" }

  package var names: [String] {
    (Platform.names(inFolder: path) ?? []).compactMap { name in name.hasSuffix(".csv") ? String(name.dropLast(4)) : nil
    }.filter(Self.isName).sorted()
  }

  /// Reads a profile by its name, or from a file.
  package static func read(_ name: String, from folder: ProfileFolder? = .ofUser) throws(Failure) -> ProfileText {
    let isFile = unsafe name.contains("/") || access(name, F_OK) == 0
    guard !isFile, isName(name), let folder else { return try read(file: name) }
    do { return try read(file: folder.file(name)) } catch {
      throw error.kind == .noInput ? folder.absence(of: name) : error
    }
  }

  private func absence(of name: String) -> Failure {
    let known = names.joined(separator: ", ")
    return Failure(
      .noInput,
      "there is no profile '\(name)'; \(known.isEmpty ? "'pedometer learn' makes one" : "there are: \(known)")")
  }

  private static func read(file: String) throws(Failure) -> ProfileText {
    guard let bytes = readFile(file, upTo: 1 << 20, flags: O_NONBLOCK) else { throw Failure(errno: errno, file) }
    guard let text = ProfileText(String(decoding: bytes, as: UTF8.self)) else {
      throw Failure(.badData, "\(file) is no profile of this version; learn it again: pedometer learn walk.csv")
    }
    return text
  }

  /// Keeps a profile.
  /// - Returns: its file.
  package func write(_ profile: ProfileText, as name: String) throws(Failure) -> String {
    var made = ""
    for part in path.split(separator: "/") {
      made += "/\(part)"
      if unsafe mkdir(made, 0o700) != 0, errno != EEXIST { throw Failure(errno: errno, made) }
    }
    do throws(RecordingWriterError) {
      let output = try OutputFile(path: file(name))
      try output.write(Array(profile.text.utf8))
      try output.finish()
    } catch {
      throw error.errno.map { Failure(errno: $0, file(name)) } ?? Failure(.io, "\(file(name)): \(error)")
    }
    return file(name)
  }

  package func forget(_ name: String) throws(Failure) {
    guard Self.isName(name) else { throw Failure(.usage, "'\(name)' is not the name of a profile") }
    if unsafe unlink(file(name)) != 0 { throw errno == ENOENT ? absence(of: name) : Failure(errno: errno, file(name)) }
  }
}
