import Testing

@testable import detector_lab

@Suite("The regression", .timeLimit(.minutes(10))) struct LogisticRegressionTests {
  @Test("without a penalty worth mentioning, one yes-or-no feature gives the log-odds of its two cells")
  func logOdds() throws {
    // feature 0: 1 of 4 positive; feature 1: 6 of 8 positive
    let rows = Array(repeating: [0.0], count: 4) + Array(repeating: [1.0], count: 8)
    let isPositive = [true, false, false, false] + [true, true, true, true, true, true, false, false]
    let fit = try LogisticRegression(
      rows: rows, isPositive: isPositive, sampleWeights: Array(repeating: 1, count: 12), inversePenalty: 1e9)
    #expect(abs(fit.intercept - -1.0986122887) < 1e-6)
    #expect(abs(fit.weights[0] - 2.1972245773) < 1e-6)
  }

  @Test("the penalty holds the weight, not the intercept, and the result is where the gradient is zero")
  func penalised() throws {
    // symmetric: intercept 0; w solves w = 2 C / (1 + e^w), for C = 1: 0.8141…
    let fit = try LogisticRegression(
      rows: [[-1], [1]], isPositive: [false, true], sampleWeights: [1, 1], inversePenalty: 1)
    let gradient = fit.weights[0] - 2 / (1 + exponential(fit.weights[0]))
    #expect(abs(gradient) < 1e-8)
    #expect(abs(fit.intercept) < 1e-8)
    #expect(fit.weights[0] > 0.5 && fit.weights[0] < 1)
  }

  @Test("a weight of two is the same as the row twice")
  func weights() throws {
    let rows = [[0.2, 1], [1.4, -1], [0.9, 0.5], [-0.3, 0.1]]
    let isPositive = [true, false, true, false]
    let weighted = try LogisticRegression(
      rows: rows, isPositive: isPositive, sampleWeights: [2, 1, 1, 1], inversePenalty: 0.7)
    let repeated = try LogisticRegression(
      rows: rows + [rows[0]], isPositive: isPositive + [true], sampleWeights: [1, 1, 1, 1, 1], inversePenalty: 0.7)
    for (a, b) in zip(weighted.weights + [weighted.intercept], repeated.weights + [repeated.intercept]) {
      #expect(abs(a - b) < 1e-8)
    }
  }

  @Test("separable classes and huge features stay finite under the penalty")
  func separable() throws {
    let fit = try LogisticRegression(
      rows: [[-1000], [-900], [900], [1000]], isPositive: [false, false, true, true],
      sampleWeights: [1, 1, 1, 1], inversePenalty: 0.3)
    #expect(fit.weights[0] > 0 && fit.weights[0].isFinite)
  }

  @Test("one class, or a feature that is no number, is refused with the remedy")
  func refused() {
    #expect(throws: LogisticRegressionError.oneClass(isPositive: true)) {
      try LogisticRegression(rows: [[1], [2]], isPositive: [true, true], sampleWeights: [1, 1], inversePenalty: 1)
    }
    #expect(throws: LogisticRegressionError.noRows) {
      try LogisticRegression(rows: [], isPositive: [], sampleWeights: [], inversePenalty: 1)
    }
    #expect(throws: LogisticRegressionError.oneClass(isPositive: false)) {
      try LogisticRegression(rows: [[1]], isPositive: [false], sampleWeights: [1], inversePenalty: 1)
    }
    #expect(throws: LogisticRegressionError.notFinite(row: 1)) {
      try LogisticRegression(
        rows: [[1], [.nan]], isPositive: [true, false], sampleWeights: [1, 1], inversePenalty: 1)
    }
    #expect("\(LogisticRegressionError.oneClass(isPositive: true))".contains("true_steps 0"))
  }

  /// e to a small power, by its series.
  private func exponential(_ x: Double) -> Double {
    var (term, sum) = (1.0, 1.0)
    for n in 1..<40 {
      term *= x / Double(n)
      sum += term
    }
    return sum
  }
}
