import Accelerometry
import Testing

@Suite("A mount matrix", .timeLimit(.minutes(30)))
struct MountMatrixTests {
  @Test("parses the kernel's format, and rotates a vector")
  func kernelSpelling() throws {
    let matrix = try #require(MountMatrix(parsing: "0, 1, 0; 1, 0, 0; 0, 0, -1"))
    #expect(matrix.apply(to: [1, 2, 3]) == [2, 1, -3])
    #expect(matrix.determinant == 1)
  }

  @Test(
    "accepts blanks, decimals and the NUL byte that some kernels append",
    arguments: ["1,0,0;0,1,0;0,0,1", " 1.0, 0 ,0 ; 0,1,0; 0,0,1\n", "1, 0, 0; 0, 1, 0; 0, 0, 1\0"])
  func forgives(text: String) {
    #expect(MountMatrix(parsing: text) == .identity)
  }

  @Test(
    "is refused unless it has nine finite numbers and is invertible",
    arguments: [
      "", "1,0,0", "1,0;0,1;0,0", "a,0,0;0,1,0;0,0,1", "nan,0,0;0,1,0;0,0,1", "1,0,0;1,0,0;0,0,1", "1,0,0;0,1,0;0,0,1;",
    ])
  func refuses(text: String) {
    #expect(MountMatrix(parsing: text) == nil)
  }

  @Test("parses its own description")
  func roundTrip() throws {
    let matrix = try #require(MountMatrix(parsing: "0, -1, 0; 1, 0, 0; 0, 0, 1"))
    #expect(MountMatrix(parsing: matrix.description) == matrix)
    #expect(Set([matrix, .identity]).count == 2)
  }
}
