/**
 * Finds accesses to objects by a name that somebody else chose. Every object inherits `constructor`, `toString`, `__proto__` and
 * others: reading these gives a function where a table was meant to say "unknown", and writing `__proto__` replaces what is inherited.
 *
 * The rule: a key is a number, a symbol, or of a type that consists of texts which our code lists (`'ask' | 'allow'`). Such a type is a
 * proof, since the compiler lets a value into it only after a comparison or a schema. A text of any other type goes to a Map, or to
 * `lookup` (src/text/lookup.ts), which sees what the object has itself. So that the proof holds, no cast may turn any text into a listed
 * one, and neither may `in`, which finds inherited names, too. The type of the object does not matter: with such a key, what it is asked
 * for is never inherited.
 *
 * `Object.assign` is an assignment for each key of its sources, so these must be listed, too. A spread and `{ [name]: value }` are none:
 * they define members of the new object, whatever their names are.
 */
import path from 'node:path'
import { SyntaxKind, type Expression, type Node, type SourceFile } from 'typescript/unstable/ast'
import * as is from 'typescript/unstable/ast/is'
import { API, TypeFlags, type Checker, type Type } from 'typescript/unstable/sync'

/** The one function that looks. */
const LOOKUP = 'src/text/lookup.ts'

const inherited = new Set(Object.getOwnPropertyNames(Object.prototype))
const reflecting = /^Reflect\.(?:get|set|has|deleteProperty|defineProperty|getOwnPropertyDescriptor)$/

/** The places of a project that break the rule, as `file:line: code`, in the files of these folders. */
export function foreignKeys(root: string, folders: readonly string[]): string[] {
  const api = new API({ cwd: root })
  try {
    const [project] = api.updateSnapshot({ openProjects: [path.join(root, 'tsconfig.json')] }).getProjects()
    if (!project) throw new Error(`there is no tsconfig.json in ${root}`)
    const { program, checker } = project
    return program.getSourceFileNames().flatMap(name => {
      const file = path.relative(root, name)
      const source = folders.some(folder => file.startsWith(folder + path.sep)) && program.getSourceFile(name)
      return source && file !== LOOKUP ? findings(source, checker).map(found => `${file}:${found}`) : []
    })
  } finally {
    api.close()
  }
}

function findings(source: SourceFile, checker: Checker): string[] {
  const found: string[] = []
  const visit = (node: Node): void => {
    if (isForeign(node, checker)) {
      const line = source.text.slice(0, node.getStart()).split('\n').length
      found.push(`${line}: ${node.getText().replaceAll(/\s+/g, ' ').slice(0, 80)}`)
    }
    node.forEachChild(visit)
  }
  source.forEachChild(visit)
  return found
}

function isForeign(node: Node, checker: Checker): boolean {
  const isOpen = (key: Expression): boolean => !isListed(checker.getTypeAtLocation(key), checker)
  if (is.isElementAccessExpression(node)) return isOpen(node.argumentExpression)
  if (is.isComputedPropertyName(node)) return isTakenApart(node) && isOpen(node.expression)
  if (is.isBinaryExpression(node)) {
    return node.operatorToken.kind === SyntaxKind.InKeyword && !is.isPrivateIdentifier(node.left) && isOpen(node.left)
  }
  if (is.isAsExpression(node) || is.isTypeAssertion(node)) {
    const [from, to] = [checker.getTypeAtLocation(node.expression), checker.getTypeFromTypeNode(node.type)]
    return isListOfTexts(each(to, checker), checker) && !isListed(each(from, checker), checker)
  }
  if (!is.isCallExpression(node)) return false
  const called = node.expression.getText()
  const [, second, ...others] = node.arguments
  if (called === 'Object.assign') return [second, ...others].some(from => from && hasAnyKey(from, checker))
  return reflecting.test(called) && second !== undefined && isOpen(second) && !isInProxy(node)
}

/** Whether every value of the type is a number, a symbol or one of the texts that it lists, none of which is inherited. */
function isListed(type: Type | undefined, checker: Checker): boolean {
  if (!type) return false
  if (type.isStringLiteralType()) return !inherited.has(type.value)
  if (type.flags & (TypeFlags.NumberLike | TypeFlags.ESSymbolLike | TypeFlags.Nullable | TypeFlags.Never)) return true
  if (type.isUnionType()) return type.getTypes().every(each => isListed(each, checker))
  if (type.isIntersectionType()) return type.getTypes().some(each => isListed(each, checker))
  if (!(type.flags & TypeFlags.Instantiable)) return false
  const bound = checker.getBaseConstraintOfType(type)
  return bound !== undefined && bound.id !== type.id && isListed(bound, checker)
}

/** The type of the members of a list; any other type as it is. */
function each(type: Type | undefined, checker: Checker): Type | undefined {
  if (!type || !checker.isArrayType(type) || !type.isTypeReference()) return type
  return checker.getTypeArguments(type)[0]
}

function isListOfTexts(type: Type | undefined, checker: Checker): boolean {
  const bound = type && type.flags & TypeFlags.Instantiable ? checker.getBaseConstraintOfType(type) : type
  const parts = bound?.isUnionType() ? bound.getTypes() : bound ? [bound] : []
  return isListed(bound, checker) && parts.some(part => part.isStringLiteralType())
}

/** `{ [key]: value } = object`, which reads the object. In an object that is made, it is a member of that name. */
function isTakenApart({ parent }: Node): boolean {
  if (is.isBindingElement(parent)) return true
  const { parent: literal } = parent
  const assigned = literal?.parent
  return assigned !== undefined && is.isBinaryExpression(assigned) && assigned.left === literal
}

/** Whether it may have a key that is not listed. */
function hasAnyKey(from: Expression, checker: Checker): boolean {
  if (is.isObjectLiteralExpression(from)) {
    return from.properties.some(member => {
      if (is.isSpreadAssignment(member)) return hasAnyKey(member.expression, checker)
      const { name } = member
      return (
        name !== undefined &&
        is.isComputedPropertyName(name) &&
        !isListed(checker.getTypeAtLocation(name.expression), checker)
      )
    })
  }
  const type = checker.getTypeAtLocation(from)
  if (!type) return true
  const parts = type.isUnionType() || type.isIntersectionType() ? type.getTypes() : [type]
  return parts.some(part => {
    if (part.flags & (TypeFlags.Any | TypeFlags.Unknown | TypeFlags.NonPrimitive)) return true
    return checker.getIndexInfosOfType(part).some(({ keyType }) => (keyType.flags & TypeFlags.String) !== 0)
  })
}

/** The names that a Proxy is asked for are written in our code, and inherited ones are meant. */
function isInProxy(node: Node): boolean {
  for (let above: Node | undefined = node.parent; above; above = above.parent) {
    if (is.isNewExpression(above) && above.expression.getText() === 'Proxy') return true
  }
  return false
}
