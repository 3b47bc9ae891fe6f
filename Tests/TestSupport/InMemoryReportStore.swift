import Analytics

/// A fake: keeps reports like a database until it is released.
public actor InMemoryReportStore: ReportStore {
  private var kept: [StoredReport] = []
  private var failure: (any Error)?

  public init() {}

  /// Makes it fail with this error from now on; `nil` ends that.
  public func fail(with error: (any Error)?) { failure = error }

  public func store(_ report: StoredReport) throws -> ReportReceipt {
    if let failure { throw failure }
    if let known = kept.first(where: { $0.id == report.id && $0.user == report.user }) {
      return ReportReceipt(known, isNew: false)
    }
    kept.append(report)
    return ReportReceipt(report, isNew: true)
  }

  public func reports(limit: Int) throws -> [StoredReport] {
    if let failure { throw failure }
    return Array(kept.suffix(limit))
  }
}
