package struct ScreenStyle {
  /// Whether it shows more than ASCII.
  package var isUnicode = true
  package var depth = ColourDepth.direct
  /// Whether it has braille patterns: the console of Linux has not.
  package var hasBraille = true
  package var canMove = true

  package init(isUnicode: Bool = true, depth: ColourDepth = .direct) {
    (self.isUnicode, self.depth) = (isUnicode, depth)
  }

  package init(_ environment: ProcessEnvironment) {
    let term = environment["TERM"] ?? ""
    (isUnicode, depth) = (environment.isUTF8, environment.colourDepth)
    hasBraille = isUnicode && term != "linux"
    canMove = !term.isEmpty && term != "dumb"
  }

  /// Whether a cell can show two pixels: half blocks in two colours.
  package var hasPixels: Bool { isUnicode && depth != .none }
}
