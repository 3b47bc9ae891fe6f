import Foundation
import Glibc
import TestSupport
import Testing

@Suite(
  "make install", .enabled(if: unsafe access("/usr/bin/make", X_OK) == 0, "make is not installed"),
  .timeLimit(.minutes(30)), .ownThreads)
struct InstallTests {
  private static var project: String { Repository.root }

  @Test("below the home folder it needs no root, works under any umask, says what is missing, and can be undone")
  func home() throws {
    let folder = try TemporaryDirectory()
    let programs = try ["pedometer", "pedometer-full"].map { name in
      let path = try folder.write(Array("#!/bin/sh\necho first\necho second\n".utf8), to: name)
      try #require(unsafe chmod(path, 0o755) == 0)
      return path
    }
    let prefix = folder.path + "/home/.local"
    let run = { (target: String) in
      try Executable(path: "/bin/sh").run(
        [
          "-c",
          "umask 077; exec make -C '\(Self.project)' \(target) RELEASE='\(programs[0])' FULL='\(programs[1])' STRIP=true",
        ], environment: ["HOME": folder.path + "/home", "PREFIX": prefix, "DESTDIR": ""])
    }
    let installed = try run("install")
    #expect(installed.exitCode == 0, "\(installed.errors)")
    #expect(installed.output.contains("Not installed: the system service"), "\(installed.output)")
    #expect(installed.output.contains("add \(prefix)/bin to PATH"))
    #expect(!installed.output.contains("systemd-sysusers \(prefix)"))
    let unit = try TemporaryDirectory.text(of: prefix + "/share/systemd/user/pedometerd.service")
    #expect(unit.contains("\nExecStart=\(prefix)/bin/pedometerd --dbus session\n"))
    #expect(unit.contains("\nMemoryMax=1G\n"))
    let files = FileManager.default.enumerator(atPath: prefix)?.compactMap { $0 as? String } ?? []
    #expect(files.contains("bin/pedometer") && files.contains("share/man/man1/pedometer.1"))
    #expect(!files.contains { $0.contains("udev") || $0.contains("sysusers") || $0.contains("systemd/system") })
    for name in ["bash-completion/completions/pedometerd", "zsh/site-functions/_pedometer"] {
      var status = stat()
      #expect(unsafe stat("\(prefix)/share/\(name)", &status) == 0 && status.st_mode & 0o777 == 0o644, "\(name)")
    }
    #expect(try run("uninstall").exitCode == 0)
    let left = FileManager.default.enumerator(atPath: prefix)?.compactMap { $0 as? String } ?? []
    #expect(!left.contains { $0.contains("pedometer") && !$0.hasSuffix("/pedometer") }, "\(left)")
  }
}
