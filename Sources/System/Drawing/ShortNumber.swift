import JSONLines

/// Numbers in pictures and tables.
extension Double {
  /// With a fixed number of decimals; "nan" and "inf" are not changed.
  package func fixed(_ decimals: Int) -> String { Decimals.fixed(self, decimals) ?? "\(self)" }

  /// Without trailing zeros.
  package func short(_ decimals: Int) -> String { Decimals.text(self, decimals) ?? "\(self)" }
}
