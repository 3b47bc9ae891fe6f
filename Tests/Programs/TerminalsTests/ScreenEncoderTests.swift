import Platform
import TestSupport
import Testing

@testable import Terminals

/// From one picture to the next on a terminal.
@Suite("ScreenEncoder", .timeLimit(.minutes(30)))
struct ScreenEncoderTests {
  private static let colours = [
    Colour.own, Colour(0x1B2A4A, ansi: 4), Colour(0xF0B87A, ansi: 11), Colour(0x2F8F5B, ansi: 2),
    Colour(0x777777, ansi: 8),
  ]
  private static let texts = ["a", "abc", "  ", "▀▄", "日", "x日本y", "🎉", "=====", "      "]

  /// Some texts at random places, also across the edges.
  private func scribble(on grid: inout CellGrid, _ random: inout SplitMix64) {
    for _ in 0..<Int.random(in: 0...6, using: &random) {
      let style = CellStyle(
        ink: Self.colours.randomElement(using: &random)!, paper: Self.colours.randomElement(using: &random)!,
        isBold: random.next() % 4 == 0, isFaint: random.next() % 5 == 0)
      grid.put(
        Self.texts.randomElement(using: &random)!, at: Int.random(in: -2...grid.width, using: &random),
        Int.random(in: -1...grid.height, using: &random), random.next() % 3 == 0 ? .plain : style)
    }
  }

  @Test("the bytes turn any picture into any other, in every number of colours", arguments: ColourDepth.allCases)
  func anyPictures(depth: ColourDepth) {
    let encoder = ScreenEncoder(depth: depth)
    var random = SplitMix64(seed: 17)
    for round in 0..<200 {
      let (width, height) = (1 + round % 23, 1 + round % 7)
      var terminal = ScreenModel(width: width, height: height)
      terminal.write(Array("\u{1B}[?7l".utf8))
      var (grid, shown) = (CellGrid(width: width, height: height), CellGrid?.none)
      for _ in 0..<8 {
        scribble(on: &grid, &random)
        terminal.write(encoder.bytes(from: shown, to: grid))
        shown = grid
        // The same picture on an empty terminal.
        var fresh = ScreenModel(width: width, height: height)
        fresh.write(Array("\u{1B}[?7l".utf8) + encoder.bytes(from: nil, to: grid))
        #expect(terminal.lines == grid.lines)
        #expect(terminal.cells == fresh.cells, "round \(round)")
        #expect(terminal.pen == ScreenModel.Pen() && terminal.unexpectedOutput == [])
      }
    }
  }

  @Test(
    "a picture that is redrawn in place leaves the lines above it, at the end of the screen, too", arguments: [1, 7])
  func inPlace(linesAbove: Int) {
    var random = SplitMix64(seed: 23)
    for _ in 0..<100 {
      var terminal = ScreenModel(width: 24, height: 8)
      let above = (0..<linesAbove).map { "line \($0)" }
      terminal.write(Array(above.map { $0 + "\r\n" }.joined().utf8))
      var screen = InPlaceScreen(depth: .palette)
      var grid = CellGrid(width: 23, height: 4)
      for _ in 0..<5 {
        scribble(on: &grid, &random)
        terminal.write(screen.bytes(showing: grid).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
        let first = terminal.lines.lastIndex { $0.hasPrefix("line ") }.map { $0 + 1 } ?? 0
        #expect(Array(terminal.lines[first..<first + 4]) == grid.lines)
        #expect(screen.bytes(showing: grid) == [])
      }
      // A line in its place, and the picture below it.
      terminal.write(screen.erasing())
      terminal.write(Array("line of news\r\n".utf8))
      terminal.write(screen.bytes(showing: grid).flatMap { $0 == 0x0A ? [0x0D, 0x0A] : [$0] })
      #expect(terminal.lines.filter { !$0.isEmpty }.suffix(9).contains("line of news"))
      terminal.write(screen.erasing())
      #expect(terminal.lines.last { !$0.isEmpty } == "line of news")
      #expect(terminal.unexpectedOutput == [] && terminal.clearings == 0 && terminal.pen == ScreenModel.Pen())
    }
  }

  @Test("an unchanged picture takes no bytes, and one changed cell a move and a character")
  func few() {
    var old = CellGrid(width: 80, height: 24)
    old.put("Steps 17", at: 1, 3)
    var new = old
    new.put("8", at: 8, 3)
    let encoder = ScreenEncoder(depth: .direct)
    #expect(encoder.bytes(from: old, to: old) == [])
    #expect(String(decoding: encoder.bytes(from: old, to: new), as: UTF8.self) == "\u{1B}[4;9H8")
    // Another colour is invisible without colours.
    new = old
    new.put("17", at: 7, 3, CellStyle(ink: Colour(0xFF0000, ansi: 1)))
    #expect(ScreenEncoder(depth: .none).bytes(from: old, to: new) == [])
  }

  @Test(
    "a colour is as exact as the terminal allows",
    arguments: [
      (ColourDepth.direct, "\u{1B}[38;2;240;184;122m"), (.palette, "\u{1B}[38;5;216m"), (.sixteen, "\u{1B}[93m"),
      (.none, ""),
    ])
  func colours(_ depth: ColourDepth, _ pen: String) {
    var new = CellGrid(width: 4, height: 1)
    new.put("x", at: 0, 0, CellStyle(ink: Colour(0xF0B87A, ansi: 11)))
    let bytes = ScreenEncoder(depth: depth).bytes(from: CellGrid(width: 4, height: 1), to: new)
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[1;1H\(pen)x" + (pen.isEmpty ? "" : "\u{1B}[0m"))
  }

  @Test("a picture that is redrawn in place is one frame: a terminal shows it whole")
  func frames() {
    var screen = InPlaceScreen(depth: .none)
    var grid = CellGrid(width: 9, height: 2)
    var terminal = ScreenModel(width: 10, height: 4)
    for text in ["one", "two"] {
      grid.put(text, at: 0, 0)
      let bytes = screen.bytes(showing: grid)
      for byte in bytes.dropLast() {
        let wasDrawing = terminal.isDrawing
        terminal.write(CollectionOfOne(byte))
        #expect(terminal.isDrawing || !wasDrawing)
      }
      terminal.write(bytes.suffix(1))
      #expect(!terminal.isDrawing && terminal.lines.contains(text) && terminal.unexpectedOutput == [])
    }
  }

  @Test("another size is drawn on a cleared screen")
  func size() {
    let bytes = ScreenEncoder(depth: .none).bytes(
      from: CellGrid(width: 4, height: 1), to: CellGrid(width: 5, height: 1))
    #expect(String(decoding: bytes, as: UTF8.self) == "\u{1B}[0m\u{1B}[2J")
  }
}

@Suite("CellGrid", .timeLimit(.minutes(30)))
struct CellGridTests {
  @Test("text outside of the screen is clipped; half of a wide character is never left")
  func clipping() {
    var grid = CellGrid(width: 5, height: 2)
    grid.put("abcdefg", at: -2, 0)
    grid.put("日本語", at: 0, 1)
    #expect(grid.lines == ["cdefg", "日本"])
    grid.put("x", at: 1, 1)
    #expect(grid.lines[1] == " x本")
    grid.put("y", at: 2, 1)
    #expect(grid.lines[1] == " xy")
  }

  @Test("the nearest colour of xterm's palette: of the cube, or a grey")
  func xterm() {
    #expect(Colour(0x000000, ansi: 0).xterm == 16)
    #expect(Colour(0xFFFFFF, ansi: 15).xterm == 231)
    #expect(Colour(0xFF0000, ansi: 9).xterm == 196)
    #expect(Colour(0x777777, ansi: 8).xterm == 243)
  }
}

@Suite("Sparkline", .timeLimit(.minutes(30)))
struct SparklineTests {
  @Test("a bar for each value: the top fills all rows, and zero is seen")
  func shapes() {
    #expect(Sparkline.rows([0, 4, 8], height: 1, top: 8, isUnicode: true) == ["▁▄█"])
    #expect(Sparkline.rows([8], height: 1, top: 8, isUnicode: false) == ["@"])
    #expect(Sparkline.rows([0, 8, 16], height: 2, top: 16, isUnicode: true) == ["  █", "▁██"])
    #expect(Sparkline.rows([], height: 0, top: 8, isUnicode: true) == [])
  }
}
