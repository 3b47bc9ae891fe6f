import Glibc

/// Why a regression has no solution.
enum LogisticRegressionError: LabError, Hashable {
  case noRows
  /// All rows belong to one class.
  case oneClass(isPositive: Bool)
  case notFinite(row: Int)
  /// Newton's method came to no end; the number is the last step's size.
  case noConvergence(step: Double)

  var exitCode: Int32 { 65 }

  var description: String {
    switch self {
    case .noRows:
      "there is no block to learn from; give longer recordings, and more than one group or data set to leave out"
    case .oneClass(isPositive: true): "every block is walking; add recordings with true_steps 0"
    case .oneClass(isPositive: false): "no block is walking; add recordings of walks"
    case .notFinite(let row): "feature row \(row) is not finite; leave that recording out"
    case .noConvergence(let step):
      "the regression does not converge (its last step was \(step)); use a smaller --inverse-penalty"
    }
  }
}

/// Weighted logistic regression with an L2 penalty, by Newton's method (iteratively reweighted least squares; Hastie,
/// Tibshirani and Friedman, The Elements of Statistical Learning, 2nd ed., section 4.4.1).
///
/// Minimises ½‖w‖² + C Σ sᵢ ln(1 + exp(−yᵢ zᵢ)) with zᵢ = w·xᵢ + b and yᵢ = ±1. The intercept b is not penalised. The
/// function is convex, so the damped iteration finds its only minimum.
struct LogisticRegression {
  var weights: [Double]
  var intercept: Double

  private static let iterations = 100
  private static let tolerance = 1e-9

  /// - Parameters:
  ///   - rows: one row of equally many features for each observation.
  ///   - isPositive: each observation's class.
  ///   - sampleWeights: how much each observation counts, not negative.
  ///   - inversePenalty: C; larger trusts the data more.
  init(
    rows: [[Double]], isPositive: [Bool], sampleWeights: [Double], inversePenalty: Double
  ) throws(LogisticRegressionError) {
    guard let first = isPositive.first else { throw .noRows }
    guard isPositive.contains(!first) else { throw .oneClass(isPositive: first) }
    if let bad = rows.firstIndex(where: { row in !row.allSatisfy(\.isFinite) }) { throw .notFinite(row: bad) }
    let problem = Problem(
      rows: rows.map { $0 + [1] }, isPositive: isPositive, weights: sampleWeights.map { $0 * inversePenalty })
    var solution = [Double](repeating: 0, count: problem.width)
    var loss = problem.loss(solution)
    var size = Double.infinity
    for _ in 0..<Self.iterations {
      let direction = problem.newtonStep(solution)
      var length = 1.0
      var next = solution
      var nextLoss = Double.infinity
      // half the way until it goes down; at the minimum itself rounding decides, so a hair more is allowed
      while length > 1e-10 {
        next = zip(solution, direction).map { $0 - length * $1 }
        nextLoss = problem.loss(next)
        if nextLoss <= loss + 1e-12 * abs(loss) { break }
        length /= 2
      }
      size = length * (direction.map(abs).max() ?? 0)
      (solution, loss) = (next, nextLoss)
      if size < Self.tolerance {
        weights = Array(solution.dropLast())
        intercept = solution[problem.width - 1]
        return
      }
    }
    throw .noConvergence(step: size)
  }

  /// The rows with a one at their end, and what is asked of them.
  private struct Problem {
    let rows: [[Double]]
    let isPositive: [Bool]
    let weights: [Double]
    var width: Int { rows[0].count }

    func loss(_ w: [Double]) -> Double {
      var sum = 0.5 * w.dropLast().reduce(0) { $0 + $1 * $1 }
      for (i, row) in rows.enumerated() {
        let z = dot(row, w)
        let margin = isPositive[i] ? z : -z
        // ln(1 + e^-m) without overflow
        sum += weights[i] * (max(0, -margin) + log1p(exp(-abs(margin))))
      }
      return sum
    }

    /// The inverse Hessian times the gradient.
    func newtonStep(_ w: [Double]) -> [Double] {
      let n = width
      var gradient = w
      gradient[n - 1] = 0
      var hessian = [[Double]](repeating: [Double](repeating: 0, count: n), count: n)
      for i in 0..<(n - 1) { hessian[i][i] = 1 }
      for (i, row) in rows.enumerated() {
        let p = 1 / (1 + exp(-dot(row, w)))
        let error = weights[i] * (p - (isPositive[i] ? 1 : 0))
        let curvature = weights[i] * max(p * (1 - p), 1e-12)
        for a in 0..<n {
          gradient[a] += error * row[a]
          let scaled = curvature * row[a]
          for b in 0...a { hessian[a][b] += scaled * row[b] }
        }
      }
      return Self.solve(hessian, gradient)
    }

    private func dot(_ a: [Double], _ b: [Double]) -> Double {
      var sum = 0.0
      for i in a.indices { sum += a[i] * b[i] }
      return sum
    }

    /// Solves a symmetric positive definite system, given by its lower half, by Cholesky's method.
    private static func solve(_ matrix: [[Double]], _ right: [Double]) -> [Double] {
      let n = right.count
      var lower = matrix
      for i in 0..<n {
        for j in 0...i {
          var sum = matrix[i][j]
          for k in 0..<j { sum -= lower[i][k] * lower[j][k] }
          lower[i][j] = i == j ? max(sum, 1e-12).squareRoot() : sum / lower[j][j]
        }
      }
      var x = right
      for i in 0..<n {
        for k in 0..<i { x[i] -= lower[i][k] * x[k] }
        x[i] /= lower[i][i]
      }
      for i in stride(from: n - 1, through: 0, by: -1) {
        for k in (i + 1)..<n { x[i] -= lower[k][i] * x[k] }
        x[i] /= lower[i][i]
      }
      return x
    }
  }
}
