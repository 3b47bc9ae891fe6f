import Analytics
import History

/// Stores reports in the database of the steps.
package struct HistoryReports: ReportStore {
  let writer: HistoryWriter
  let reader: HistoryReader
  let lanes: WorkLanes

  package init(writer: HistoryWriter, reader: HistoryReader, lanes: WorkLanes) {
    (self.writer, self.reader, self.lanes) = (writer, reader, lanes)
  }

  package func store(_ report: StoredReport) async throws -> ReportReceipt {
    try await lanes.keeping.run {
      let (kept, isNew) = try writer.record(ReportRecord(report))
      return ReportReceipt(StoredReport(kept), isNew: isNew)
    }
  }

  package func reports(limit: Int) async throws -> [StoredReport] {
    try await lanes.answers.run { try reader.reports(limit: limit).map(StoredReport.init) }
  }
}

extension ReportRecord {
  fileprivate init(_ report: StoredReport) {
    self.init(
      id: report.id, user: report.user, name: report.name, type: report.type, eventDate: report.eventDate,
      recordedDate: report.recordedDate, duration: report.duration, device: report.device, os: report.os,
      appVersion: report.appVersion)
  }
}

extension StoredReport {
  fileprivate init(_ record: ReportRecord) {
    self.init(
      id: record.id, name: record.name, user: record.user, eventDate: record.eventDate,
      recordedDate: record.recordedDate, type: record.type, duration: record.duration, device: record.device,
      os: record.os, appVersion: record.appVersion)
  }
}
