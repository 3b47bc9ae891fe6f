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

package enum ProcessMemory {
  /// The bytes that are in memory; 0 without /proc.
  package static func resident() -> Int {
    guard let text = readFile("/proc/self/statm", upTo: 256) else { return 0 }
    let words = String(decoding: text, as: UTF8.self).split(separator: " ")
    return words.count > 1 ? (Int(words[1]) ?? 0) * sysconf(Int32(_SC_PAGESIZE)) : 0
  }
}
