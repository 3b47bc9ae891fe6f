import Foundation
import HTTPTypes
import History
import HistoryImport
import Hummingbird
import JSONLines
import Pedometry
import ServiceCore
import Synchronization

/// What other programs recorded: minutes that `pedometer import` adds while the service writes the history, which has one writer,
/// and whole files from the page.
package struct ImportRoutes: RouteGroup {
  private let files: FileImport
  private let limits: ServiceLimits
  private let uploads: ImportUploads

  package init(files: FileImport, limits: ServiceLimits) {
    (self.files, self.limits) = (files, limits)
    uploads = ImportUploads(folder: files.folder.path)
  }

  package func register(in routes: inout RouteTable) {
    routes.add(.post, "/api/import") { request, _ in try await take(request) }
    routes.add(.post, "/api/import/file") { request, _ in try await takePart(request) }
  }

  private func take(_ request: Request) async throws -> Response {
    let parcel = try await request.json(MinuteParcel.self, upTo: limits.samplesSize)
    guard parcel.database == files.folder.databaseNumber else {
      throw ServiceRefusal(409, "this service writes another history; give its folder")
    }
    guard let minutes = parcel.history(now: files.now()) else {
      throw ServiceRefusal(400, "a minute has impossible figures; see /openapi.json")
    }
    return .json(JSONLine(["minutes": try await files.raise(minutes)]).object)
  }

  // MARK: whole files

  /// Takes a part of a file; with a `name`, it is the last one, and the file is imported.
  private func takePart(_ request: Request) async throws -> Response {
    guard request.mediaType == "application/octet-stream" else {
      throw ServiceRefusal(415, "the body must be a part of a file; send Content-Type: application/octet-stream")
    }
    let query = try request.query()
    guard let upload = query["upload"], UUID(uuidString: upload) != nil,
      let offset = query["offset"].flatMap({ Int($0) }),
      offset >= 0
    else {
      throw ServiceRefusal(
        400, "give 'upload', a new UUID for each file, and 'offset', the bytes that were sent before")
    }
    let bytes = Array(try await request.wholeBody(upTo: limits.samplesSize).readableBytesView)
    let received = try await uploads.add(bytes, at: offset, to: upload)
    guard let name = query["name"] else { return .json(JSONLine(["received": received]).object) }
    return try await add(upload, called: Self.fileName(name))
  }

  /// The name without folders, leading dots and control characters.
  private static func fileName(_ name: String) -> String {
    let last = name.split(whereSeparator: { "/\\".contains($0) }).last.map(String.init) ?? ""
    let plain = last.unicodeScalars.filter { $0.properties.generalCategory != .control }
    let text = String(String(String.UnicodeScalarView(plain)).suffix(60)).drop { $0 == "." }
    return text.isEmpty ? "file" : String(text)
  }

  private func add(_ upload: String, called name: String) async throws -> Response {
    let found = try await uploads.take(upload, called: name) { [files] path in
      do { return try files.plan([path]) } catch let failure as ImportFailure {
        throw ServiceRefusal(400, failure.description)
      }
    }
    var sources: [JSONLine] = []
    for result in found.results {
      let added = try await files.add(result)
      let line = JSONLine([
        "source": result.source.identity, "name": result.source.name, "steps": result.steps, "newSteps": result.new,
        "minutes": added,
      ])
      sources.append(line)
    }
    return .json(JSONLine(["sources": sources, "notices": found.notices]).object)
  }
}
