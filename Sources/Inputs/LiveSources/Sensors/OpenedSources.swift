import Synchronization

/// The sources that were opened, for those that remember what continues after a loss.
final class OpenedSources<Address: Hashable & Sendable, Source: Sendable>: Sendable {
  private let known = Mutex<[Address: Source]>([:])

  /// The source at an address, made when it is first asked for.
  func source(_ address: Address, _ make: () -> Source) -> Source {
    known.withLock { known in
      let source = known[address] ?? make()
      known[address] = source
      return source
    }
  }
}
