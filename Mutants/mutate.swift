// Writes a module's sources with all mutants in them, each behind `isMutant(NUMBER)`, so that they are compiled once.
//
// usage: mutate OUTPUT LIST [-s NUMBER,NUMBER…] FILE…
//
// OUTPUT is the folder for the sources, LIST the file for the mutants: number, file, line and change, separated by tabs. -s
// leaves out mutants that do not compile. The numbers do not depend on those that are left out.
import Foundation
import SwiftOperators
import SwiftParser
import SwiftSyntax

final class Mutator: SyntaxRewriter {
  private(set) var list: [String] = []
  private var number: Int
  private let skipped: Set<Int>
  private let file: String
  private let lines: SourceLocationConverter

  /// Operands beyond this many characters are not repeated.
  private static let longest = 300
  private static let changes = [
    "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+": "-", "-": "+",
    "*": "+", "/": "*",
  ]

  init(_ tree: SourceFileSyntax, file: String, after number: Int, skipping skipped: Set<Int>) {
    (self.number, self.skipped, self.file) = (number, skipped, file)
    lines = SourceLocationConverter(fileName: file, tree: tree)
    super.init()
  }

  var latest: Int { number }

  /// The number of a new mutant; `nil` if it is left out.
  private func claim(_ node: some SyntaxProtocol, _ change: String) -> Int? {
    number += 1
    if skipped.contains(number) { return nil }
    let line = lines.location(for: node.positionAfterSkippingLeadingTrivia).line
    list.append("\(number)\t\(file)\t\(line)\t\(change.replacingOccurrences(of: "\n", with: " "))")
    return number
  }

  private func parsed(_ text: String, like node: some SyntaxProtocol) -> ExprSyntax {
    var parser = Parser(text)
    return ExprSyntax.parse(from: &parser)
      .with(\.leadingTrivia, node.leadingTrivia).with(\.trailingTrivia, node.trailingTrivia)
  }

  private func hasEffects(_ node: some SyntaxProtocol) -> Bool {
    node.tokens(viewMode: .sourceAccurate).contains { ["try", "await"].contains($0.text) }
  }

  // MARK: Comparisons and arithmetic

  override func visit(_ node: InfixOperatorExprSyntax) -> ExprSyntax {
    let rewritten = super.visit(node)
    guard let name = node.operator.as(BinaryOperatorExprSyntax.self)?.operator.text, let other = Self.changes[name],
      let infix = rewritten.as(InfixOperatorExprSyntax.self), !hasEffects(node)
    else { return rewritten }
    let (left, right) = (infix.leftOperand.trimmedDescription, infix.rightOperand.trimmedDescription)
    guard left.count + right.count < Self.longest, let number = claim(node, "\(node.trimmedDescription)  →  \(other)")
    else { return rewritten }
    return parsed("(isMutant(\(number)) ? (\(left) \(other) \(right)) : (\(left) \(name) \(right)))", like: node)
  }

  // MARK: Constants

  override func visit(_ node: IntegerLiteralExprSyntax) -> ExprSyntax {
    guard let value = Int(node.literal.text), let number = claim(node, "\(value)  →  \(value + 1)") else {
      return ExprSyntax(node)
    }
    return parsed("(isMutant(\(number)) ? \(value + 1) : \(value))", like: node)
  }

  override func visit(_ node: FloatLiteralExprSyntax) -> ExprSyntax {
    let text = node.literal.text
    guard let value = Double(text), let number = claim(node, "\(text)  →  \(value * 1.5 + 0.5)") else {
      return ExprSyntax(node)
    }
    return parsed("(isMutant(\(number)) ? \(value * 1.5 + 0.5) : \(text))", like: node)
  }

  override func visit(_ node: BooleanLiteralExprSyntax) -> ExprSyntax {
    guard let number = claim(node, "\(node.literal.text)  →  its opposite") else { return ExprSyntax(node) }
    return parsed("(isMutant(\(number)) != \(node.literal.text))", like: node)
  }

  // MARK: Conditions

  override func visit(_ node: ConditionElementSyntax) -> ConditionElementSyntax {
    let rewritten = super.visit(node)
    guard case .expression(let former) = node.condition, case .expression(let inner) = rewritten.condition,
      !former.is(InfixOperatorExprSyntax.self), !former.is(BooleanLiteralExprSyntax.self), !hasEffects(node),
      let number = claim(node, "\(former.trimmedDescription)  →  its opposite")
    else { return rewritten }
    return rewritten.with(
      \.condition, .expression(parsed("(isMutant(\(number)) != (\(inner.trimmedDescription)))", like: former)))
  }

  // MARK: Statements

  override func visit(_ node: CodeBlockItemListSyntax) -> CodeBlockItemListSyntax {
    let rewritten = super.visit(node)
    guard node.count > 1, node.parent?.is(SourceFileSyntax.self) == false else { return rewritten }
    let isInitializer = node.parent?.parent?.is(InitializerDeclSyntax.self) == true
    var items: [CodeBlockItemSyntax] = []
    for (former, item) in zip(node, rewritten) {
      guard case .expr(let expression) = former.item, isDroppable(expression, isInitializer),
        let number = claim(former, "\(former.item.trimmedDescription.prefix(60))  →  nothing")
      else {
        items.append(item)
        continue
      }
      let tree = Parser.parse(source: "if !isMutant(\(number)) { \(item.item.trimmedDescription) }")
      guard let first = tree.statements.first else { continue }
      items.append(
        first.with(\.leadingTrivia, item.leadingTrivia).with(\.trailingTrivia, item.trailingTrivia))
    }
    return CodeBlockItemListSyntax(items)
  }

  private func isDroppable(_ expression: ExprSyntax, _ isInitializer: Bool) -> Bool {
    var inner = expression
    while true {
      if let each = inner.as(TryExprSyntax.self) {
        inner = each.expression
      } else if let each = inner.as(
        AwaitExprSyntax.self)
      {
        inner = each.expression
      } else {
        break
      }
    }
    if let call = inner.as(FunctionCallExprSyntax.self) {
      let name = call.calledExpression.trimmedDescription
      return !["super.init", "self.init", "precondition", "preconditionFailure", "fatalError"].contains(name)
    }
    return !isInitializer && inner.is(InfixOperatorExprSyntax.self)
  }

  // MARK: Where constants are not expressions

  override func visit(_ node: AttributeSyntax) -> AttributeSyntax { node }
  // The values of an SQL statement may have any type, so the compiler would give a changed expression another one.
  override func visit(_ node: LabeledExprSyntax) -> LabeledExprSyntax {
    node.label?.text == "arguments" ? node : super.visit(node)
  }
  override func visit(_ node: EnumCaseElementSyntax) -> EnumCaseElementSyntax { node }
  override func visit(_ node: ExpressionPatternSyntax) -> PatternSyntax { PatternSyntax(node) }
  override func visit(_ node: MacroExpansionExprSyntax) -> ExprSyntax { ExprSyntax(node) }
  override func visit(_ node: IfConfigDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
  override func visit(_ node: ImportDeclSyntax) -> DeclSyntax { DeclSyntax(node) }
}

@main
struct Mutate {
  static func main() throws {
    var arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count > 2 else {
      print("usage: mutate OUTPUT LIST [-s NUMBER,NUMBER…] FILE…")
      exit(64)
    }
    let (output, list) = (arguments[0], arguments[1])
    arguments.removeFirst(2)
    var skipped: Set<Int> = []
    if arguments.first == "-s" {
      skipped = Set(arguments[1].split(separator: ",").compactMap { Int($0) })
      arguments.removeFirst(2)
    }
    var (all, number): ([String], Int) = ([], 0)
    for path in arguments {
      let source = try String(contentsOfFile: path, encoding: .utf8)
      let folded = OperatorTable.standardOperators.foldAll(Parser.parse(source: source)) { _ in }
      guard let tree = folded.as(SourceFileSyntax.self) else { continue }
      let name = URL(fileURLWithPath: path).lastPathComponent
      let mutator = Mutator(tree, file: name, after: number, skipping: skipped)
      let text = mutator.visit(tree).description
      try text.write(toFile: output + "/" + name, atomically: true, encoding: .utf8)
      number = mutator.latest
      all += mutator.list
    }
    try (all.joined(separator: "\n") + "\n").write(toFile: list, atomically: true, encoding: .utf8)
  }
}
