/// What a pixel of the scene is made of. Its colour is an evening at the loch, the same on dark and light terminals.
enum Material: UInt8, CaseIterable {
  case sky0, sky1, sky2, sky3, sky4, sky5, star
  case mountain, hill, castle, window
  case water0, water1, water2, glint, foam
  case sand, pebble, grass
  case nessie, nessieDark, belly, eye, pupil
  case hair, skin, shirt, trousers, shoe
  case shirt1, shirt2, shirt3, shirt4
  case post, flag, ink

  /// The shirts of other walkers.
  static let shirts: [Material] = [.shirt1, .shirt2, .shirt3, .shirt4]
  /// The sky from the top to the horizon.
  static let sky: [Material] = [.sky0, .sky1, .sky2, .sky3, .sky4, .sky5]
  /// The loch from the horizon to the shore.
  static let water: [Material] = [.water0, .water1, .water2]

  /// The colours in the order of the cases.
  static let colours: [Colour] = allCases.map(\.colour)

  private var colour: Colour {
    switch self {
    case .sky0: Colour(0x1B2A4A, ansi: 4)
    case .sky1: Colour(0x27406B, ansi: 4)
    case .sky2: Colour(0x46618F, ansi: 4)
    case .sky3: Colour(0x7C86AA, ansi: 4)
    case .sky4: Colour(0xC79A8C, ansi: 4)
    case .sky5: Colour(0xF0B87A, ansi: 3)
    case .star: Colour(0xF4F1D0, ansi: 15)
    case .mountain: Colour(0x4F5475, ansi: 8)
    case .hill: Colour(0x2C3F3C, ansi: 0)
    case .castle: Colour(0x1B2426, ansi: 0)
    case .window: Colour(0xF7C35F, ansi: 11)
    case .water0: Colour(0x6F8FA8, ansi: 6)
    case .water1: Colour(0x3D6785, ansi: 6)
    case .water2: Colour(0x26496A, ansi: 6)
    case .glint: Colour(0xB5CBD8, ansi: 14)
    case .foam: Colour(0xE6F1F5, ansi: 15)
    case .sand: Colour(0xB89A6A, ansi: 3)
    case .pebble: Colour(0x8C7350, ansi: 8)
    case .grass: Colour(0x5C7F3F, ansi: 2)
    case .nessie: Colour(0x2F8F5B, ansi: 2)
    case .nessieDark: Colour(0x1E6842, ansi: 2)
    case .belly: Colour(0x8CCB8F, ansi: 10)
    case .eye: Colour(0xFFFFFF, ansi: 15)
    case .pupil: Colour(0x14181C, ansi: 0)
    case .hair: Colour(0x4A2C1A, ansi: 0)
    case .skin: Colour(0xF2C39B, ansi: 15)
    case .shirt: Colour(0xD8343C, ansi: 1)
    case .trousers: Colour(0x26305C, ansi: 0)
    case .shoe: Colour(0xF5F5F5, ansi: 15)
    case .shirt1: Colour(0x3B7DD8, ansi: 12)
    case .shirt2: Colour(0xE0A526, ansi: 11)
    case .shirt3: Colour(0x9B59B6, ansi: 13)
    case .shirt4: Colour(0x20A59A, ansi: 14)
    case .post: Colour(0x5A3E28, ansi: 0)
    case .flag: Colour(0xF5F5F5, ansi: 15)
    case .ink: Colour(0xFFF6D8, ansi: 15)
    }
  }

  /// Whether it is drawn as a shape if there are no colours; everything else is texture.
  var isFigure: Bool {
    switch self {
    case .nessie, .nessieDark, .belly, .hair, .skin, .shirt, .trousers, .shoe, .shirt1, .shirt2, .shirt3, .shirt4,
      .post, .flag, .ink, .castle:
      true
    default: false
    }
  }

  /// Its texture without colours.
  func texture(isUnicode: Bool) -> Unicode.Scalar {
    switch self {
    case .star: "."
    case .mountain: isUnicode ? "░" : "."
    case .hill: isUnicode ? "▒" : ":"
    case .glint, .foam: isUnicode ? "≈" : "~"
    case .sand: isUnicode ? "▁" : "_"
    case .pebble: isUnicode ? "•" : "o"
    case .grass: isUnicode ? "\"" : "\""
    case .eye: "o"
    case .window: " "
    case .pupil: isUnicode ? "•" : "*"
    default: " "
    }
  }
}
