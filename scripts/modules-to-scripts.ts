/**
 * Turns the bundle's modules into classic scripts: V8 can serialize a script's compiled code at any time, and a module's only
 * before it runs (`bin/boot/script-loader.ts`). A script is a function of what it needs, and returns its exports.
 */
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'rolldown'
import { parseSync, Visitor, type ESTree } from 'rolldown/utils'

type Edit = { start: number; end: number; text: string }

/** Must be the last plugin that changes code. */
export const modulesToScripts: Plugin = {
  name: 'modules-to-scripts',
  // The names of files have hashes of what is before this.
  augmentChunkHash: () => readFileSync(fileURLToPath(import.meta.url), 'utf8'),
  generateBundle(_, bundle) {
    const files = Object.values(bundle).filter(file => file.type === 'chunk')
    const parsed = new Map(files.map(file => [file.fileName, parseSync(file.fileName, file.code).program]))
    const waits = new Set([...parsed].flatMap(([name, program]) => (awaits(program) ? [literalOf(name)] : [])))
    // A script that needs one that waits, such as the one with the WASM of yoga, waits too.
    for (let before = -1; waits.size !== before;) {
      before = waits.size
      for (const { fileName, imports } of files)
        if (imports.some(name => waits.has(literalOf(name)))) waits.add(literalOf(fileName))
    }
    for (const file of files) {
      const program = parsed.get(file.fileName)
      if (program) file.code = scriptOf(file.code, program, waits, waits.has(literalOf(file.fileName)))
    }
  },
}

/** @throws an error for what the bundler does not write today. */
function scriptOf(code: string, program: ESTree.Program, waits: ReadonlySet<string>, isAsync: boolean): string {
  const exports: string[] = []
  const load = (path: string): string =>
    waits.has(literalOf(path)) ? `(await $load(${literalOf(path)}))` : `$load(${literalOf(path)})`
  const edits = program.body.flatMap(statement => editOf(statement, load, exports))
  new Visitor({
    ImportExpression({ start, end, source }) {
      const path = source.type === 'TemplateLiteral' ? source.quasis[0]?.value.raw : 'value' in source && source.value
      if (typeof path !== 'string') throw new Error(`the path of an import is computed: ${code.slice(start, end)}`)
      edits.push({ start, end, text: `$loadLater(${literalOf(path)})` })
    },
    MetaProperty({ start, end, meta }) {
      if (meta.name === 'import') edits.push({ start, end, text: '$meta' })
    },
  }).visit(program)
  let text = code
  for (const edit of edits.toSorted((one, other) => other.start - one.start))
    text = text.slice(0, edit.start) + edit.text + text.slice(edit.end)
  const head = `${isAsync ? 'async ' : ''}function($builtin,$load,$loadLater,$meta)`
  return `(${head}{"use strict";${text}\nreturn{${exports.join(',')}}})`
}

/** Whether the module waits outside of its functions. */
function awaits(program: ESTree.Program): boolean {
  let depth = 0
  let found = false
  const enter = (): void => void depth++
  const leave = (): void => void depth--
  new Visitor({
    FunctionDeclaration: enter,
    'FunctionDeclaration:exit': leave,
    FunctionExpression: enter,
    'FunctionExpression:exit': leave,
    ArrowFunctionExpression: enter,
    'ArrowFunctionExpression:exit': leave,
    AwaitExpression() {
      found ||= depth === 0
    },
    ForOfStatement(loop) {
      found ||= depth === 0 && loop.await
    },
  }).visit(program)
  return found
}

/** The change of a statement that only a module may have. Adds the names that it exports to `exports`. */
function editOf(
  statement: ESTree.Statement | ESTree.Directive,
  load: (path: string) => string,
  exports: string[],
): Edit[] {
  const { start, end } = statement
  if (statement.type === 'ImportDeclaration') return [{ start, end, text: importOf(statement, load) }]
  if (statement.type === 'ExportDefaultDeclaration') {
    exports.push('default:$default')
    return [{ start, end: statement.declaration.start, text: 'const $default=' }]
  }
  if (statement.type === 'ExportNamedDeclaration') {
    if (statement.declaration) throw new Error('an export is declared at once')
    const from = statement.source === null ? '' : `${load(statement.source.value)}.`
    for (const { local, exported } of statement.specifiers)
      exports.push(`${memberName(exported)}:${from}${memberName(local)}`)
    return [{ start, end, text: '' }]
  }
  if (statement.type === 'ExportAllDeclaration') throw new Error('a module exports all names of another one')
  return []
}

/** Declares the imported names. The bundler exports no binding that changes later. */
function importOf({ source, specifiers }: ESTree.ImportDeclaration, load: (path: string) => string): string {
  const loaded = load(source.value)
  const members: string[] = []
  let text = ''
  for (const specifier of specifiers) {
    if (specifier.type === 'ImportNamespaceSpecifier') text += `const ${specifier.local.name}=${loaded};`
    else
      members.push(
        `${specifier.type === 'ImportSpecifier' ? memberName(specifier.imported) : 'default'}:${specifier.local.name}`,
      )
  }
  if (members.length > 0) text += `const {${members.join(',')}}=${loaded};`
  return text === '' ? `${loaded};` : text
}

/** The base name of a file as a string literal. Base names are unique. */
const literalOf = (path: string): string => JSON.stringify(path.slice(path.lastIndexOf('/') + 1))

const memberName = (name: ESTree.ModuleExportName): string => ('name' in name ? name.name : JSON.stringify(name.value))
