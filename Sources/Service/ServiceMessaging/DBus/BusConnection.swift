import CSystemBus
import Foundation
import Platform
import Synchronization

/// A connection to a bus on which this process has the name ``BusObject/name``. One thread serves it until it ends.
@safe final class BusConnection: Sendable {
  @safe private struct Handle: @unchecked Sendable { let pointer: OpaquePointer }

  private struct State {
    /// `nil` before the connection, and after its end.
    var handle: Handle?
    /// The newest properties that are not published yet.
    var waiting: [BusObject.Property]?
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Begins to connect.
  /// - Parameters:
  ///   - ready: the name is taken.
  ///   - ended: gets the reason, also of a failed attempt. Both are called on the connection's thread.
  init(_ place: BusPlace, ready: @escaping @Sendable () -> Void, ended: @escaping @Sendable (String) -> Void) {
    // The thread keeps this object until it ends.
    Thread.detachNewThread { ended(self.serve(place, ready)) }
  }

  /// Replaces the properties, and announces those that have changed.
  func publish(_ properties: [BusObject.Property]) {
    state.withLock { state in
      state.waiting = properties
      if let handle = state.handle { unsafe bus_service_wake(handle.pointer) }
    }
  }

  func close() {
    state.withLock { state in
      state.isClosed = true
      if let handle = state.handle { unsafe bus_service_wake(handle.pointer) }
    }
  }

  private func serve(_ place: BusPlace, _ ready: () -> Void) -> String {
    var opened: OpaquePointer?
    let address: String? = if case .address(let text) = place { text } else { nil }
    let (name, path, document) = (BusObject.name, BusObject.path, BusObject.introspection)
    let status =
      if let address {
        unsafe bus_service_open(address, true, name, path, document, &opened)
      } else {
        unsafe bus_service_open(nil, place == .session, name, path, document, &opened)
      }
    guard status >= 0, let pointer = unsafe opened else { return Self.reason(status) }
    let handle = unsafe Handle(pointer: pointer)
    state.withLock { $0.handle = handle }
    ready()
    var end: Int32 = 0
    while end >= 0 {
      let (waiting, isClosed) = state.withLock { state in
        defer { state.waiting = nil }
        return (state.waiting, state.isClosed)
      }
      if isClosed { break }
      if let waiting { end = Self.set(waiting, handle) }
      if end >= 0 { end = unsafe bus_service_run(handle.pointer) }
    }
    state.withLock { $0.handle = nil }
    unsafe bus_service_close(handle.pointer)
    return Self.reason(end)
  }

  private static func reason(_ status: Int32) -> String {
    switch -status {
    case ENOSYS: "it needs the library libsystemd; install the package libsystemd0"
    case EEXIST: "another program has the name \(BusObject.name); stop it"
    case EACCES, EPERM: "its policy does not permit the name \(BusObject.name); install the policy, see pedometerd(8)"
    default: systemText(-status)
    }
  }

  private static func set(_ properties: [BusObject.Property], _ handle: Handle) -> Int32 {
    // The library copies everything.
    var copies: [UnsafeMutablePointer<CChar>?] = unsafe []
    defer { for index in unsafe copies.indices { unsafe free(copies[index]) } }
    func copy(_ text: String) -> UnsafePointer<CChar> {
      // A null inside would end the text, and is not permitted on the bus.
      let made = unsafe strdup(text.replacing("\0", with: ""))!
      unsafe copies.append(made)
      return unsafe UnsafePointer(made)
    }
    var arrays: [UnsafeMutablePointer<UnsafePointer<CChar>?>] = unsafe []
    defer { for index in unsafe arrays.indices { unsafe arrays[index].deallocate() } }
    let values = unsafe properties.map { property in
      var (number, real, isUnknown) = (UInt64(0), 0.0, false)
      var text: UnsafePointer<CChar>?
      var pairs: UnsafePointer<UnsafePointer<CChar>?>?
      var count = 0
      switch property.value {
      case .number(let value): (number, isUnknown) = (UInt64(max(0, value ?? 0)), value == nil)
      case .real(let value): (real, isUnknown) = (value ?? 0, value == nil)
      case .flag(let value): (number, isUnknown) = (value == true ? 1 : 0, value == nil)
      case .text(let value): unsafe text = copy(value)
      case .pairs(let value):
        let texts = value.flatMap { [$0[0], $0[1]] }
        let array = UnsafeMutablePointer<UnsafePointer<CChar>?>.allocate(capacity: max(1, texts.count))
        for (index, text) in texts.enumerated() { unsafe array[index] = copy(text) }
        unsafe arrays.append(array)
        unsafe pairs = UnsafePointer(array)
        count = value.count
      }
      return unsafe bus_value(
        name: copy(property.name), type: CChar(bitPattern: property.value.type.utf8.first ?? 0), is_unknown: isUnknown,
        number: number, real: real, text: text, pairs: pairs, count: count)
    }
    return unsafe bus_service_set(handle.pointer, values, values.count)
  }
}
