import Foundation
import Platform

/// A history for reading, even if its file is damaged.
public struct ReadableHistory: Sendable {
  /// Reads the history, or a temporary copy of what is readable.
  public let reader: HistoryReader
  /// The periods whose data are lost, within the requested one.
  public let losses: [HistoryLoss]
  /// Why the file itself could not be read; `nil` if it is intact.
  public let damage: HistoryError?
  private let copy: String?

  /// Opens and checks a period of a history. A damaged file is not changed: what is readable is copied to a temporary
  /// one, which takes some seconds for a million minutes; remove it with ``close()``.
  public init(folder: HistoryFolder, from: Date, to: Date) throws(HistoryError) {
    let concerns = { (loss: HistoryLoss) in loss.kind != .bouts && loss.start < to && from < loss.end }
    do {
      let reader = try HistoryReader(folder: folder)
      try reader.check(from: from, to: to)
      losses = try reader.losses().filter(concerns)
      (self.reader, damage, copy) = (reader, nil, nil)
    } catch {
      guard error.code == .damaged else { throw error }
      let copy = FileManager.default.temporaryDirectory.appendingPathComponent("pedometer-\(UUID().uuidString)").path
      let temporary = HistoryFolder(path: copy)
      do throws(HistoryError) {
        try HistoryStore.makeFolder(temporary)
        let outcome = try Salvage.salvage(
          folder.database, to: temporary.database, former: WriterLock.mark(of: folder), now: Date())
        losses = outcome.losses.filter(concerns)
        reader = try HistoryReader(folder: temporary)
      } catch {
        try? FileManager.default.removeItem(atPath: copy)
        throw error
      }
      (damage, self.copy) = (error, copy)
    }
  }

  /// Removes the temporary copy.
  public func close() { if let copy { try? FileManager.default.removeItem(atPath: copy) } }
}
