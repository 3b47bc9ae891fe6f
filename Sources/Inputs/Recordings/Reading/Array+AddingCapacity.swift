#if compiler(<6.3)
  extension Array {
    /// What Swift 6.3 has, for 6.2, which copies the elements once more.
    mutating func append<E: Error>(
      addingCapacity capacity: Int, initializingWith write: (inout OutputSpan<Element>) throws(E) -> Void
    ) throws(E) {
      var failure: E?
      unsafe append(
        contentsOf: Array(unsafeUninitializedCapacity: capacity) { buffer, count in
          var room = unsafe OutputSpan(buffer: buffer, initializedCount: 0)
          do throws(E) { try write(&room) } catch { failure = error }
          count = unsafe room.finalize(for: buffer)
        })
      if let failure { throw failure }
    }
  }
#endif
