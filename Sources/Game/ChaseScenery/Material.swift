/// What a pixel of the scene is made of. Its colour is an evening at the loch, the same on dark and light terminals.
package enum Material: UInt8, CaseIterable, Sendable {
  case sky0, sky1, sky2, sky3, sky4, sky5, star
  case mountain, hill, castle, window
  case water0, water1, water2, glint, foam
  case sand, pebble, grass
  case nessie, nessieDark, belly, eye, pupil
  case hair, skin, shirt, trousers, shoe
  case shirt1, shirt2, shirt3, shirt4
  case post, flag, ink

  /// The shirts of other walkers.
  package static let shirts: [Material] = [.shirt1, .shirt2, .shirt3, .shirt4]
  /// The sky from the top to the horizon.
  package static let sky: [Material] = [.sky0, .sky1, .sky2, .sky3, .sky4, .sky5]
  /// The loch from the horizon to the shore.
  package static let water: [Material] = [.water0, .water1, .water2]

  /// Its colour as `0xRRGGBB`, and its number among the sixteen colours of a terminal.
  package var colour: (rgb: UInt32, ansi: UInt32) {
    switch self {
    case .sky0: (0x1B2A4A, 4)
    case .sky1: (0x27406B, 4)
    case .sky2: (0x46618F, 4)
    case .sky3: (0x7C86AA, 4)
    case .sky4: (0xC79A8C, 4)
    case .sky5: (0xF0B87A, 3)
    case .star: (0xF4F1D0, 15)
    case .mountain: (0x4F5475, 8)
    case .hill: (0x2C3F3C, 0)
    case .castle: (0x1B2426, 0)
    case .window: (0xF7C35F, 11)
    case .water0: (0x6F8FA8, 6)
    case .water1: (0x3D6785, 6)
    case .water2: (0x26496A, 6)
    case .glint: (0xB5CBD8, 14)
    case .foam: (0xE6F1F5, 15)
    case .sand: (0xB89A6A, 3)
    case .pebble: (0x8C7350, 8)
    case .grass: (0x5C7F3F, 2)
    case .nessie: (0x2F8F5B, 2)
    case .nessieDark: (0x1E6842, 2)
    case .belly: (0x8CCB8F, 10)
    case .eye: (0xFFFFFF, 15)
    case .pupil: (0x14181C, 0)
    case .hair: (0x4A2C1A, 0)
    case .skin: (0xF2C39B, 15)
    case .shirt: (0xD8343C, 1)
    case .trousers: (0x26305C, 0)
    case .shoe: (0xF5F5F5, 15)
    case .shirt1: (0x3B7DD8, 12)
    case .shirt2: (0xE0A526, 11)
    case .shirt3: (0x9B59B6, 13)
    case .shirt4: (0x20A59A, 14)
    case .post: (0x5A3E28, 0)
    case .flag: (0xF5F5F5, 15)
    case .ink: (0xFFF6D8, 15)
    }
  }

  /// Whether it is drawn as a shape if there are no colours; everything else is texture.
  package var isFigure: Bool {
    switch self {
    case .nessie, .nessieDark, .belly, .hair, .skin, .shirt, .trousers, .shoe, .shirt1, .shirt2, .shirt3, .shirt4,
      .post, .flag, .ink, .castle:
      true
    default: false
    }
  }

  /// Its texture without colours.
  package func texture(isUnicode: Bool) -> Unicode.Scalar {
    switch self {
    case .star: "."
    case .mountain: isUnicode ? "░" : "."
    case .hill: isUnicode ? "▒" : ":"
    case .glint, .foam: isUnicode ? "≈" : "~"
    case .sand: isUnicode ? "▁" : "_"
    case .pebble: isUnicode ? "•" : "o"
    case .grass: "\""
    case .eye: "o"
    case .pupil: isUnicode ? "•" : "*"
    default: " "
    }
  }
}
