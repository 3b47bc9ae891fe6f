import Analytics
import Foundation
import ServiceTransport
import TestSupport

/// The sender of the tests' reports.
let lab = ReportEnvironment(device: "Lab Bench", os: "Debian GNU/Linux 12, Linux 6.1.0", appVersion: "0.2.0")

/// An address that is never resolved.
func access(_ token: String = "walker's-token") throws -> AnalyticsAccess {
  AnalyticsAccess(address: try AnalyticsAddress("http://127.0.0.1:8080"), token: token)
}

/// A report that is identified by its number.
func numbered(_ number: Int) -> Report {
  Report(
    name: "event\(number)", recordedDate: Date(timeIntervalSince1970: 1_790_000_000 + Double(number)),
    type: "lifecycle", device: lab.device, os: lab.os, appVersion: lab.appVersion)
}

/// The numbers of reports.
func numbers(_ names: some Sequence<String>) -> [Int] { names.compactMap { Int($0.dropFirst("event".count)) } }

/// Deletes a folder with its files when it is released.
final class SpoolFolder {
  private let directory: TemporaryDirectory
  let path: String

  init() throws {
    directory = try TemporaryDirectory()
    path = directory.path + "/analytics"
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
