import JSONLines

/// Numbers as pictures and tables have them.
extension Double {
  /// With so many decimals, always all of them; "nan" and "inf" as they are.
  package func fixed(_ decimals: Int) -> String {
    Decimals.fixed(self, decimals) ?? "\(self)"
  }

  /// Without the zeros that end a decimal fraction.
  package func short(_ decimals: Int) -> String {
    Decimals.text(self, decimals) ?? "\(self)"
  }
}
