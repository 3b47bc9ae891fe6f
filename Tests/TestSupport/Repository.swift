import Foundation

/// This repository, whose files some tests read: the folder above this file that contains the package's manifest.
package enum Repository {
  /// Without a slash at the end.
  package static let root: String = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while folder.path.count > 1, !FileManager.default.fileExists(atPath: folder.path + "/Package.swift") {
      folder.deleteLastPathComponent()
    }
    return folder.path
  }()

  /// - Parameter name: the path below the root.
  package static func path(_ name: String) -> String { root + "/" + name }
}
