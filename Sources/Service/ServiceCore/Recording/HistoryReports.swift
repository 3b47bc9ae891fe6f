import Analytics
import History

package struct HistoryReports: ReportStore {
  let writer: HistoryWriter
  let reader: HistoryReader
  let lanes: WorkLanes

  package init(writer: HistoryWriter, reader: HistoryReader, lanes: WorkLanes) {
    (self.writer, self.reader, self.lanes) = (writer, reader, lanes)
  }

  package func store(_ report: StoredReport) async throws -> ReportReceipt {
    try await lanes.keeping.run { try writer.record(report) }
  }

  package func reports(limit: Int) async throws -> [StoredReport] {
    try await lanes.answers.run { try reader.reports(limit: limit) }
  }
}
