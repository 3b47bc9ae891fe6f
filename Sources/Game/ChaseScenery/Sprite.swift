/// A small picture of pixels; transparent where there is none.
package struct Sprite: Sendable {
  package let width: Int
  package let height: Int
  package let pixels: [Material?]

  /// Rows of letters, the same length each; `.` is transparent.
  init(_ rows: [String]) {
    (width, height) = (rows.first?.count ?? 0, rows.count)
    pixels = rows.flatMap { $0.map { Self.materials[$0] } }
  }

  /// The letters of the pictures.
  static let materials: [Character: Material] = [
    "g": .nessie, "d": .nessieDark, "l": .belly, "w": .eye, "k": .pupil, "h": .hair, "s": .skin, "r": .shirt,
    "b": .trousers, "o": .shoe, "p": .post, "f": .flag, "c": .castle, "y": .window,
    "e": .shirt2,
  ]

  /// The same picture with other shirts.
  package func wearing(_ shirt: Material) -> Sprite { Sprite(self) { $0 == .shirt ? shirt : $0 } }

  var rows: [String] {
    let letters = Dictionary(uniqueKeysWithValues: Self.materials.map { ($1, $0) })
    return (0..<height).map { row in
      String(pixels[row * width..<(row + 1) * width].map { $0.flatMap { letters[$0] } ?? "." })
    }
  }

  private init(_ other: Sprite, _ change: (Material) -> Material) {
    (width, height) = (other.width, other.height)
    pixels = other.pixels.map { $0.map(change) }
  }

  /// A walker, two pictures a step.
  package static let walking = [
    [
      "..hhh..", "..hss..", "...ss..", ".srrrr.", "srrrrrs", "..rrr.s", "..bbb..", "..bbbb.", ".bb..b.", "bb...bb",
      "oo....o",
    ],
    [
      "..hhh..", "..hss..", "...ss..", "..rrr..", "..rrrr.", "..rrrs.", "..bbb..", "..bbb..", "..bbb..", ".obb...",
      "..oo...",
    ],
    [
      "..hhh..", "..hss..", "...ss..", "..rrrr.", ".rrrrrs", ".srrr..", "..bbb..", ".bbbb..", ".b..bb.", "bb...b.",
      "o....oo",
    ],
    [
      "..hhh..", "..hss..", "...ss..", "..rrr..", ".rrrr..", ".srrr..", "..bbb..", "..bbb..", "..bbb..", "..bbo..",
      "..oo...",
    ],
  ].map(Sprite.init)

  package static let standing = Sprite([
    "..hhh..", "..hss..", "...ss..", "..rrr..", ".rrrrr.", ".srrrs.", "..bbb..", "..bbb..", "..b.b..", "..b.b..",
    "..o.oo.",
  ])

  package static let cheering = Sprite([
    "s.hhh.s", "r.hss.r", "r..ss.r", ".rrrrr.", "..rrr..", "..rrr..", "..bbb..", "..bbb..", ".bb.bb.", ".b...b.",
    ".o...o.",
  ])

  package static let smallWalking = [
    [".s.", ".rr", "rr.", "b.b"], [".s.", ".r.", ".rr", ".b."], [".s.", "rr.", ".rr", "b.b"],
    [".s.", ".r.", "rr.", ".b."],
  ].map(Sprite.init)

  package static let smallStanding = Sprite([".s.", ".r.", ".r.", ".b."])
  package static let smallCheering = Sprite(["s.s", "rsr", ".r.", "b.b"])

  /// Nessie's head and neck, to the right.
  package static let head = Sprite([
    ".....gggg..", "....gggwkg.", "....ggggggg", "....gggglll", "....ggg....", "...ggg.....", "...ggl.....",
    "...ggl.....", "..gggl.....", "..gggl.....", "..gggl.....", ".ggggl.....", ".ggggl.....",
  ])

  /// With a walker in her mouth, held up by the waist, who waves for help.
  package static let fedHead = Sprite([
    "........s.hhh.s", "........r.hss.r", "........r..ss.r", ".....ggggrrrrr.", "....gggwkgrrr..",
    "....gggggggrr..", "....ggggggbbb..", "....gggglllbb..", "...ggg...bb.bb.", "...ggl...b...b.",
    "...ggl...o...o.", "..gggl.........", "..gggl.........", "..gggl.........", ".ggggl.........",
    ".ggggl.........",
  ])

  package static let smallHead = Sprite([".gg.", "ggwg", ".g..", "gg.."])
  package static let smallFedHead = Sprite([".gg..", "ggwrb", ".g...", "gg..."])

  /// Asleep: she rests her chin on the water.
  package static let sleepingHead = Sprite(["..gggg...", ".gggkkgg.", "gggggggll"])
  package static let smallSleepingHead = Sprite([".gg.", "gggg"])

  /// A ruin on the hills, as at Urquhart.
  package static let castle = Sprite([
    "c.c.c......", "ccccc......", "ccycc....c.", "ccccc.c..cc", "ccccccc.ccc", "ccyccccccyc", "ccccccccccc",
  ])

  package static let finish = Sprite([
    "pffbbff", "pffbbff", "pbbffbb", "pbbffbb", "p......", "p......", "p......", "p......", "p......", "p......",
    "p......", "p......",
  ])
  package static let smallFinish = Sprite(["pff", "pbb", "p..", "p.."])

  /// A mark at each quarter of the way.
  package static let milestone = Sprite([
    "pee..", "peeee", "peeee", "pee..", "p....", "p....", "p....", "p....", "p....",
  ])
  package static let smallMilestone = Sprite(["pe", "p."])
}
