import Testing

@testable import PedometerService
@testable import ServiceHTTP

@Suite("Open files", .timeLimit(.minutes(30)))
struct OpenFilesTests {
  @Test("connections get what is wanted if the limit is high", arguments: [1, 2, 5])
  func enough(addresses: Int) {
    #expect(OpenFiles.connections(4096, addresses: addresses, limit: 65_536) == 4096)
    #expect(OpenFiles.connections(4096, addresses: addresses, limit: .max) == 4096)
  }

  @Test("connections of all addresses together leave 128 files free")
  func scarce() {
    #expect(OpenFiles.connections(4096, addresses: 1, limit: 1024) == 896)
    #expect(OpenFiles.connections(4096, addresses: 2, limit: 1024) == 448)
    #expect(OpenFiles.connections(4096, addresses: 1, limit: 4224) == 4096)
    #expect(OpenFiles.connections(4096, addresses: 1, limit: 4223) == 4095)
  }

  @Test("with a very low limit, connections leave half of the files free")
  func few() {
    #expect(OpenFiles.connections(4096, addresses: 2, limit: 64) == 16)
    #expect(OpenFiles.connections(4096, addresses: 1, limit: 254) == 127)
    #expect(OpenFiles.connections(4096, addresses: 2, limit: 1) == 1)
    #expect(OpenFiles.connections(4096, addresses: 2, limit: 0) == 1)
  }
}
