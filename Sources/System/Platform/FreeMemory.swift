/// Memory that this process has freed, and that its C library keeps for later.
package enum FreeMemory {
  /// Gives it back to the system, where the C library can; after a peak, since it takes some milliseconds.
  package static func giveBack() {
    #if canImport(Glibc)
      // Swift's module of the C library does not declare malloc_trim(3).
      guard let trim = unsafe dlsym(nil, "malloc_trim") else { return }
      _ = unsafe unsafeBitCast(trim, to: (@convention(c) (Int) -> Int32).self)(0)
    #endif
  }
}
