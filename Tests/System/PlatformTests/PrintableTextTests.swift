import Platform
import Testing

@Suite("Text from outside", .timeLimit(.minutes(30))) struct PrintableTextTests {
  @Test("what a terminal would act on becomes a question mark, in a line and in lines")
  func escaped() {
    #expect(PrintableText.line("An\u{1B}[2Jn\u{9B}1m\u{202E}\n\u{200B}é走") == "An?[2Jn?1m???é走")
    #expect(PrintableText.lines("a\u{1B}]0;x\u{7}\nb\r\n") == "a?]0;x?\nb?\n")
  }
}
