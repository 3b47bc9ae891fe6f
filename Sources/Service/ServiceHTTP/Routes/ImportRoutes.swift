import Foundation
import HTTPTypes
import History
import Hummingbird
import JSONLines
import ServiceCore

/// Minutes that `pedometer import` adds while the service writes the history, which has one writer.
package struct ImportRoutes: RouteGroup {
  let folder: HistoryFolder
  let limits: ServiceLimits
  let now: @Sendable () -> Date
  /// Adds minutes, and raises those that have fewer steps; returns the number of both.
  let raise: @Sendable ([HistoryMinute]) async throws -> Int

  package init(
    folder: HistoryFolder, limits: ServiceLimits, now: @escaping @Sendable () -> Date,
    raise: @escaping @Sendable ([HistoryMinute]) async throws -> Int
  ) {
    (self.folder, self.limits, self.now, self.raise) = (folder, limits, now, raise)
  }

  package func register(in routes: inout RouteTable) {
    routes.add(.post, "/api/import") { request, _ in try await take(request) }
  }

  private func take(_ request: Request) async throws -> Response {
    let parcel = try await request.json(MinuteParcel.self, upTo: limits.samplesSize)
    guard parcel.database == folder.databaseNumber else {
      throw ServiceRefusal(status: 409, reason: "this service writes another history; give its folder")
    }
    guard let minutes = parcel.history(now: now()) else {
      throw ServiceRefusal(status: 400, reason: "a minute has impossible figures; see /openapi.json")
    }
    var line = JSONLine()
    line.add("minutes", try await raise(minutes))
    return .json(line.object)
  }
}
