import Testing

@testable import LinuxSensors

@Suite("Restoring attributes", .timeLimit(.minutes(30)))
struct AttributeJournalTests {
  @Test("written attributes are restored in reverse order, once")
  func restores() throws {
    let machine = try FakeMachine()
    try machine.write("1\n", to: "a")
    try machine.write("0\n", to: "b")
    let folder = SysfsDirectory(path: machine.root)
    var order: [String] = []
    var journal = AttributeJournal()
    try journal.set("a", of: folder, to: "5")
    journal.onRestore { order.append("undone while b is \(machine.text("b"))") }
    try journal.set("b", of: folder, to: "9")
    try journal.set("b", of: folder, to: "10")
    #expect(machine.text("a") == "5" && machine.text("b") == "10")
    journal.restore()
    #expect(machine.text("a") == "1" && machine.text("b") == "0")
    #expect(order == ["undone while b is 0"])
    try machine.write("7\n", to: "a")
    journal.restore()
    #expect(machine.text("a") == "7")
  }

  @Test("an attribute with the wanted value is not written, so a later change by others stays")
  func unchanged() throws {
    let machine = try FakeMachine()
    try machine.write("1\n", to: "a")
    var journal = AttributeJournal()
    try journal.set("a", of: SysfsDirectory(path: machine.root), to: "1")
    #expect(journal.count == 0)
  }

  @Test("an optional attribute that is missing is skipped quietly")
  func wish() throws {
    let machine = try FakeMachine()
    var journal = AttributeJournal()
    let wasSet = journal.trySet("a", of: SysfsDirectory(path: machine.root), to: "1")
    #expect(!wasSet)
    #expect(journal.count == 0)
  }

  @Test("blanks, line breaks and NUL bytes around an attribute are removed")
  func padding() throws {
    let machine = try FakeMachine()
    try machine.write("  realtime\n\0", to: "a")
    try machine.write("\0\0", to: "b")
    let folder = SysfsDirectory(path: machine.root)
    #expect(try folder.text("a") == "realtime")
    #expect(try folder.text("b") == "")
    #expect(try folder.textIfPresent("c") == nil)
  }
}
