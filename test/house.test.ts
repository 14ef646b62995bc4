/** Holds the house: who may import whom, what pure code may touch, and how files are named. */
import { readdirSync, readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseSync } from 'rolldown/utils'
import { describe, expect, test } from 'vitest'

type Rule = {
  /** The folders and root files of ours that it may import, by name; a name with a slash allows that one file only. */
  imports: readonly string[]
  /** The packages that it may import. */
  packages: readonly string[]
  /** Whether it may import Node's own modules. */
  node: boolean
  /** Pure: the same for the same input. No clock, no chance, no process. */
  pure?: boolean
}

/** Everything may import `text`; imports within a folder are its own affair, apart from cycles. */
const table: Record<string, Rule> = {
  bin: {
    imports: [
      'components',
      'view',
      'viewer/readable',
      'chat',
      'markdown',
      'app',
      'agents',
      'zot/home',
      'zot/record',
      'zot/recording',
      'zot/replay',
      'agent',
      'terminal',
      'session',
      'export',
      'import',
      'usage',
      'shell',
      'images',
      'keys',
      'journal',
      'files',
      'prompts',
      'print',
      'replay',
      'project',
      'theme',
      'theme-files',
      'config',
      'doctor',
      'errors',
      'log',
      'make-folder',
      'standard-streams',
      'watchdog',
    ],
    packages: ['meow', 'env-paths', 'chalk', 'execa'],
    node: true,
  },
  components: {
    imports: ['app', 'view', 'viewer', 'changes/change', 'chat', 'markdown', 'composer', 'agent', 'terminal'],
    packages: ['ink', 'react', 'chalk'],
    node: false,
  },
  app: {
    imports: [
      'chat',
      'markdown',
      'composer',
      'session',
      'export',
      'usage',
      'agent',
      'shell',
      'images',
      'keys',
      'journal',
      'files',
      'prompts',
      'config',
      'project',
      'changes',
      'errors',
      'log',
    ],
    packages: [],
    node: true,
  },
  // Prompts that are kept in files.
  prompts: {
    imports: ['composer/chips', 'composer/paste', 'shell/regular-file', 'shell/within', 'shell/words'],
    packages: ['env-paths', 'js-yaml'],
    node: true,
  },
  print: { imports: ['app', 'chat', 'session', 'usage', 'agent'], packages: [], node: true },
  // The clock of a replay and its keys; what is replayed comes from a backend.
  replay: { imports: [], packages: [], node: false, pure: true },
  // What others may build on; it hands on and adds nothing.
  client: { imports: ['agent', 'wire', 'zot'], packages: [], node: false },
  agents: { imports: ['agent', 'zot', 'demo', 'wire'], packages: [], node: true },
  zot: { imports: ['agent', 'wire', 'shell/regular-file'], packages: ['zod', 'execa'], node: true },
  demo: { imports: ['agent', 'wire', 'zot'], packages: ['zod'], node: true },
  wire: { imports: ['shell/regular-file'], packages: ['execa'], node: true },
  // What is kept between two starts: prompts that were sent, and what was typed and not sent.
  journal: { imports: ['errors', 'make-folder', 'shell/regular-file'], packages: [], node: true },
  files: { imports: ['errors', 'shell/regular-file'], packages: ['ignore'], node: true },
  session: {
    imports: [
      'agent',
      'chat',
      'journal/owner',
      'journal/places',
      'journal/records',
      'make-folder',
      'shell/regular-file',
    ],
    packages: ['zod'],
    node: true,
  },
  terminal: { imports: [], packages: ['chalk'], node: true },
  // The files of the built-in themes stand beside the sources, where people look for an example.
  theme: { imports: ['themes'], packages: ['zod'], node: false, pure: true },
  'theme-files': { imports: ['theme', 'errors', 'shell/regular-file'], packages: ['env-paths'], node: true },
  // What is wrong here: findings about the machine and the terminal.
  doctor: { imports: ['shell/program'], packages: ['execa'], node: true },
  // What the person runs: `!command`, the external editor, and how programs are found.
  shell: { imports: ['standard-streams'], packages: ['execa'], node: true },
  // What a session changed: from git and from the calls, of which the view knows how to read them.
  changes: {
    imports: [
      'agent',
      'chat',
      'shell/program',
      'shell/regular-file',
      'shell/within',
      'view/changed-calls',
      'view/tool-arguments',
      'view/tool-summary',
    ],
    packages: ['diff', 'execa'],
    node: true,
  },
  images: { imports: ['shell/program', 'shell/regular-file'], packages: ['execa'], node: true },
  keys: { imports: ['shell/regular-file'], packages: ['zod', 'env-paths', '@humanwhocodes/momoa'], node: true },
  project: { imports: ['make-folder', 'shell/regular-file'], packages: [], node: true },
  config: {
    imports: ['errors', 'shell/regular-file', 'journal/places', 'theme/file-name', 'make-folder'],
    packages: ['zod', 'env-paths', '@humanwhocodes/momoa', 'jsonc-parser'],
    node: true,
  },
  log: { imports: ['errors', 'make-folder'], packages: ['env-paths'], node: true },
  'make-folder': { imports: [], packages: [], node: true },
  // What is written to the terminal by other ways than the UI's frames.
  'standard-streams': { imports: ['view/styled'], packages: [], node: true },
  watchdog: { imports: [], packages: [], node: true },
  errors: { imports: [], packages: [], node: false },
  view: {
    // What the person sees is made of the state, and of what is chosen in it; never of what changes it.
    imports: [
      'chat',
      'markdown',
      'composer',
      'agent',
      'theme',
      'app/state',
      'app/picker',
      'app/slash',
      'app/overlay',
      'app/session-rows',
      'app/popup',
      'app/chips',
    ],
    packages: ['chalk', 'diff', 'slice-ansi', 'zod'],
    node: false,
    pure: true,
  },
  // The whole conversation on a screen of its own.
  viewer: {
    imports: [
      'view',
      'chat',
      'markdown',
      'composer',
      'app/state',
      'app/viewing',
      'app/reading-aloud',
      'app/diff-screen',
      'app/help-screen',
      'app/change-text',
      'changes/change',
    ],
    packages: [],
    node: false,
    pure: true,
  },
  // What was used, on disk and in sums.
  usage: { imports: ['agent', 'journal', 'make-folder', 'shell/regular-file'], packages: ['zod'], node: true },
  // Sessions that another program wrote.
  import: { imports: ['agent', 'session', 'errors', 'shell/regular-file'], packages: ['zod'], node: true },
  // A session for others to read. The words of tools' results are read where the screen reads them.
  export: {
    imports: ['chat', 'markdown', 'agent', 'view/tool-result', 'view/tool-arguments', 'view/diff'],
    packages: ['zod'],
    // Of Node it takes a checksum only.
    node: true,
    pure: true,
  },
  chat: { imports: ['agent'], packages: [], node: false, pure: true },
  markdown: { imports: [], packages: ['marked', 'remend', 'highlight.js', 'chalk'], node: false, pure: true },
  composer: { imports: [], packages: [], node: false, pure: true },
  agent: { imports: [], packages: ['zod'], node: false, pure: true },
  text: {
    imports: [],
    packages: ['string-width', 'fast-wrap-ansi', 'slice-ansi'],
    node: false,
    pure: true,
  },
}

/** What pure code must not so much as name. */
const impure = new Set('process crypto performance setTimeout setInterval setImmediate fetch console'.split(' '))
const impureMembers = new Set(['Date.now', 'Math.random'])

/** The one way to read a file, which is never held up by what is none. */
const READER = 'src/platform/regular-file.ts'
/** What reads a file, or opens one for that, without asking what it is. */
const reading = new Set('readFile readFileSync createReadStream open openSync openAsBlob'.split(' '))
/** Those open what they write, or the terminal. */
const writers = new Set([
  'src/storage/journal/records.ts',
  'src/storage/sessions/line-file.ts',
  'src/storage/sessions/claim.ts',
  'src/export/save.ts',
  'src/platform/project.ts',
  'bin/wiring/recording.ts',
  'bin/cli/commands/doctor.ts',
])

const vagueNames = new Set(['utils', 'util', 'helpers', 'helper', 'types', 'common', 'misc', 'lib'])

/** A file's path from the root of the repository, with slashes, and its text. */
type Sources = ReadonlyMap<string, string>
type Node = { type: string; [field: string]: unknown }

describe('the house', () => {
  const sources = readSources()

  test('every file lives in a folder that the table knows', () => {
    const unknown = [...sources.keys()].filter(file => !table[unitOf(file)])
    expect(unknown).toEqual([])
  })
  test('imports point one way', () => expect(wrongImports(sources)).toEqual([]))
  test('no imports in a circle', () => expect(cycles(sources)).toEqual([]))
  test('pure code has no clock, no chance and no process', () => expect(impurities(sources)).toEqual([]))
  test('nothing is written past the one file that makes it harmless', () => expect(rawWrites(sources)).toEqual([]))
  test('files are read in one way only', () => expect(rawReads(sources)).toEqual([]))
  test('no barrels', () => expect(barrels(sources)).toEqual([]))
  test('names say what lives there', () => expect(vague(sources)).toEqual([]))
})

const of = (files: Record<string, string>): Sources => new Map(Object.entries(files))

describe('this test sees', () => {
  test.each([
    ['a folder above', { 'src/chat/a.ts': `import { x } from '../app/b.ts'` }, 'app'],
    ['a type', { 'src/chat/a.ts': `import type { X } from '../zot/b.ts'` }, 'zot'],
    ['a type written in place', { 'src/chat/a.ts': `type X = import('../zot/b.ts').X` }, 'zot'],
    ['what is passed on', { 'src/app/a.ts': `export * from '../wire/b.ts'` }, 'wire'],
    ['what is loaded late', { 'src/print.ts': `await import('../components/App.tsx')` }, 'components'],
    ['a name computed', { 'src/app/a.ts': 'await import(`../${x}.ts`)' }, 'cannot be read'],
    ['Node in a component', { 'components/A.tsx': `import fs from 'node:fs'` }, 'node:fs'],
    ['Node without its prefix', { 'src/app/a.ts': `import fs from 'fs'` }, 'node:'],
    ['a package', { 'src/app/a.ts': `import { Box } from 'ink'` }, 'ink'],
    ['a part of a package', { 'src/app/a.ts': `import x from 'react/jsx-runtime'` }, 'react'],
    ['one file too many', { 'src/view/a.ts': `import x from '../app/store.ts'` }, 'app/store'],
    ['a way out', { 'src/app/a.ts': `import x from '../../scripts/build.ts'` }, 'scripts'],
  ])('%s', (_name, files, words) => {
    expect(wrongImports(of(files)).join('\n')).toContain(words)
  })

  test('what is allowed, and nothing in comments and strings', () => {
    const files = {
      'components/App.tsx': `import { Box } from 'ink'; import { s } from '../src/state/store.ts'; export const A = () => <Box/>`,
      'src/view/a.ts': `import type { S } from '../app/state.ts'; import { w } from '../text/width.ts'`,
      'src/app/a.ts': `// import x from 'ink'\nconst s = "import('../zot/a.ts')"`,
    }
    expect(wrongImports(of(files))).toEqual([])
  })

  test('circles', () => {
    const files = {
      'src/chat/a.ts': `import './b.ts'`,
      'src/chat/b.ts': `export { x } from './c.ts'; import type { D } from './d.ts'`,
      'src/chat/c.ts': `import('./a.ts')`,
      'src/chat/d.ts': `import './a.ts'`,
    }
    expect(cycles(of(files))).toEqual(['src/chat/a.ts -> src/chat/b.ts -> src/chat/c.ts -> src/chat/a.ts'])
  })

  test.each([
    ['Date.now()', 'Date.now'],
    ['Math.random()', 'Math.random'],
    ['new Date()', 'new Date()'],
    ['performance.now()', 'performance'],
    ['process.env', 'process'],
    ['setTimeout(f, 1)', 'setTimeout'],
  ])('the impurity of %s', (code, words) => {
    expect(impurities(of({ 'src/chat/a.ts': `export const x = () => ${code}` }))).toEqual([`src/chat/a.ts: ${words}`])
    expect(impurities(of({ 'src/terminal/a.ts': `export const x = () => ${code}` }))).toEqual([])
  })

  test('no impurity in what only looks so', () => {
    const code = `export const f = (at, t) => [new Date(at), t.process, { process: 1 }, t.setTimeout(), 'Date.now()']`
    expect(impurities(of({ 'src/chat/a.ts': code }))).toEqual([])
  })

  test.each([
    ["import process from 'node:process'; process.stdout.write('x')", 'process.stdout'],
    ["process['stderr'].write('x')", 'process.stderr'],
    ['process.stderr[name](x)', 'process.stderr'],
    ['const { env, stderr } = process', 'process.stderr'],
    ['const { stdout: out = null } = process', 'process.stdout'],
    ["import { stdout } from 'node:process'", 'process.stdout'],
    ['pipe.pipe(process.stdout)', 'process.stdout'],
    ["console.error('x')", 'console'],
    ["writeSync(2, 'x')", 'writeSync'],
    ["fs.writeFileSync(1, 'x')", 'writeFileSync'],
    ['process._rawDebug(x)', 'process._rawDebug'],
    ['process.emitWarning(x)', 'process.emitWarning'],
  ])('what is written past the one file: %s', (code, words) => {
    expect(rawWrites(of({ 'bin/a.ts': code }))).toEqual([`bin/a.ts: ${words}`])
    expect(rawWrites(of({ 'bin/standard-streams.ts': code }))).toEqual([])
  })

  test('no write in a question to a stream, in one that a program was started with, and where a terminal is opened', () => {
    const asks = `const wide = process.stdout.isTTY ? process.stdout.columns : 80; process.stdout.on('error', f)`
    expect(rawWrites(of({ 'bin/a.ts': `${asks}; child.stdout.on('data', f); writeSync(file, 'x')` }))).toEqual([])
    expect(rawWrites(of({ 'bin/ui.ts': 'openTerminal(process.stdin, process.stdout)' }))).toEqual([])
    expect(rawWrites(of({ 'bin/ui.ts': 'process.stdout.write(x)' }))).toEqual(['bin/ui.ts: process.stdout'])
  })

  test.each([
    [`import { readFileSync } from 'node:fs'`, 'readFileSync'],
    [`import { readFile as read } from 'node:fs/promises'`, 'readFile'],
    [`import { openSync } from 'node:fs'`, 'openSync'],
    [`import fs from 'node:fs'`, 'all of node:fs'],
    [`import * as fs from 'node:fs/promises'`, 'all of node:fs/promises'],
    [`const fs = await import('node:fs')`, 'all of node:fs'],
  ])('a raw read: %s', (code, words) => {
    expect(rawReads(of({ 'src/app/a.ts': code }))).toEqual([`src/app/a.ts: ${words}`])
    expect(rawReads(of({ [READER]: code }))).toEqual([])
  })

  test('no raw read in what only writes or asks', () => {
    const code = `import { writeFileSync, statSync } from 'node:fs'; import type { Stats } from 'node:fs'`
    expect(rawReads(of({ 'src/app/a.ts': code }))).toEqual([])
    const opening = `import { openSync } from 'node:fs'`
    expect(rawReads(of({ 'bin/wiring/recording.ts': opening }))).toEqual([])
  })

  test('barrels and vague names', () => {
    expect(barrels(of({ 'src/chat/index.ts': 'export const x = 1' }))).toEqual(['src/chat/index.ts'])
    expect(barrels(of({ 'src/chat/all.ts': `export * from './a.ts'` }))).toEqual(['src/chat/all.ts'])
    expect(vague(of({ 'src/utils/a.ts': '', 'src/chat/types/a.ts': '', 'src/chat/a.ts': '' }))).toEqual([
      'src/utils/a.ts',
      'src/chat/types/a.ts',
    ])
  })
})

function readSources(): Sources {
  const root = fileURLToPath(new URL('..', import.meta.url))
  const files = ['bin', 'src', 'components'].flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => /\.[cm]?[jt]sx?$/.test(name))
      .map(name => path.join(folder, name)),
  )
  return new Map(files.map(file => [file.replaceAll(path.sep, '/'), readFileSync(path.join(root, file), 'utf8')]))
}

/** `src/conversation/reduce.ts` -> chat, `src/print.ts` -> print, `components/App.tsx` -> components. */
function unitOf(file: string): string {
  const [top = '', next = ''] = file.split('/')
  return top === 'src' ? withoutExtension(next) : top
}

const withoutExtension = (file: string) => file.replace(/\.[cm]?[jt]sx?$/, '')

function wrongImports(files: Sources): string[] {
  const wrong: string[] = []
  for (const [file, text] of files) {
    const unit = unitOf(file)
    const rule = table[unit] ?? { imports: [], packages: [], node: false }
    for (const { name } of importsOf(file, text)) {
      const reason = complaint(file, unit, rule, name)
      if (reason) wrong.push(`${file}: ${reason}`)
    }
  }
  return wrong
}

function complaint(file: string, unit: string, rule: Rule, name: string | null): string | null {
  if (name === null) return 'imports a name that cannot be read here'
  if (isBuiltin(name)) {
    if (!rule.node) return `may not import ${name}`
    return name.startsWith('node:') ? null : `imports ${name} without node:`
  }
  if (!name.startsWith('.')) {
    const [first = '', second = ''] = name.split('/')
    const known = first.startsWith('@') ? `${first}/${second}` : first
    return rule.packages.includes(known) ? null : `may not import the package ${known}`
  }
  const target = path.posix.join(path.posix.dirname(file), name)
  const other = unitOf(target)
  if (other === unit || other === 'text') return null
  const inside = /^(?:src|components|bin|themes)\//.test(target)
  const precise = withoutExtension(target.replace(/^src\//, ''))
  const allowed = inside && (rule.imports.includes(other) || rule.imports.includes(precise))
  return allowed ? null : `may not import ${precise}`
}

function cycles(files: Sources): string[] {
  const found: string[] = []
  const done = new Set<string>()
  const visit = (file: string, trail: readonly string[]) => {
    const before = trail.indexOf(file)
    if (before !== -1) {
      found.push([...trail.slice(before), file].join(' -> '))
      return
    }
    if (done.has(file)) return
    for (const { name, typeOnly } of importsOf(file, files.get(file) ?? '')) {
      // A type alone is gone when the program runs.
      const target = !typeOnly && name?.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : ''
      if (files.has(target)) visit(target, [...trail, file])
    }
    done.add(file)
  }
  for (const file of files.keys()) visit(file, [])
  return found
}

function impurities(files: Sources): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    if (!table[unitOf(file)]?.pure) continue
    walk(parse(file, text), (node, parent, field) => {
      const what = impurity(node, parent, field)
      if (what) found.push(`${file}: ${what}`)
    })
  }
  return found
}

function impurity(node: Node, parent: Node | undefined, field: string): string | null {
  if (node.type === 'NewExpression' && nameOf(node['callee']) === 'Date' && isEmpty(node['arguments'])) {
    return 'new Date()'
  }
  if (node.type === 'MemberExpression') {
    const member = `${nameOf(node['object'])}.${nameOf(node['property'])}`
    return impureMembers.has(member) ? member : null
  }
  const name = nameOf(node)
  if (!impure.has(name)) return null
  // A field or a property that happens to be called so is not the global.
  const isName = ['property', 'key'].includes(field) && parent?.['computed'] !== true
  const isUse = ['MemberExpression', 'CallExpression', 'NewExpression'].includes(parent?.type ?? '')
  return isUse && !isName ? name : null
}

/** Writes to standard output and error, and makes what it writes harmless. */
const WRITER = 'bin/standard-streams.ts'
/** Says which Node is needed, on one that may not be able to load anything. */
const ENTRY = 'bin/zotui.ts'
/** These hand the stream on: to the facade that draws frames of safe text, and to the watchdog. */
const handOn = new Set([
  'bin/ui.ts',
  'bin/cli/commands/doctor.ts',
  'bin/cli/run-command.ts',
  'bin/main.ts',
  'src/platform/watchdog.ts',
])

const standardStreams = new Set(['stdout', 'stderr'])
const writingMembers = new Set(['_rawDebug', 'emitWarning'])
/** What may be asked of a stream, and told when it happens. */
const harmlessMembers = new Set(['isTTY', 'columns', 'rows', 'on'])

function rawWrites(files: Sources): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    if (file === WRITER || file === ENTRY) continue
    walk(parse(file, text), (node, parent, field) => {
      const what = rawWrite(node, parent, field, handOn.has(file))
      if (what) found.push(`${file}: ${what}`)
    })
  }
  return found
}

function rawReads(files: Sources): string[] {
  const found: string[] = []
  for (const [file, text] of files) {
    if (file === READER) continue
    walk(parse(file, text), node => {
      const { source, specifiers } = node
      const isImport = node.type === 'ImportDeclaration' || node.type === 'ImportExpression'
      if (!isImport || !isNode(source) || !/^node:fs(?:\/promises)?$/.test(String(source['value']))) return
      const parts = Array.isArray(specifiers) ? specifiers.filter(isNode) : [node]
      for (const part of parts) {
        const name = nameOf(part['imported'])
        if (name === '') found.push(`${file}: all of ${String(source['value'])}`)
        else if (reading.has(name) && !(name === 'openSync' && writers.has(file))) found.push(`${file}: ${name}`)
      }
    })
  }
  return found
}

function rawWrite(node: Node, parent: Node | undefined, field: string, handsOn: boolean): string | null {
  if (node.type === 'MemberExpression') {
    const [object, member] = [nameOf(node['object']), propertyOf(node)]
    if (object === 'console') return 'console'
    if (object !== 'process') return null
    if (writingMembers.has(member)) return `process.${member}`
    if (!standardStreams.has(member)) return null
    const isAsked = parent?.type === 'MemberExpression' && field === 'object'
    if (isAsked ? harmlessMembers.has(propertyOf(parent)) : handsOn) return null
    return `process.${member}`
  }
  if (node.type === 'CallExpression') {
    const { callee } = node
    const name = nameOf(callee) || (isNode(callee) && callee.type === 'MemberExpression' ? propertyOf(callee) : '')
    const [first] = Array.isArray(node['arguments']) ? (node['arguments'] as unknown[]) : []
    const isStandard = isNode(first) && first.type === 'Literal' && (first['value'] === 1 || first['value'] === 2)
    return /^(?:write|append)\w*$/.test(name) && isStandard ? name : null
  }
  if (node.type === 'VariableDeclarator' && nameOf(node['init']) === 'process' && isNode(node['id'])) {
    const properties = Array.isArray(node['id']['properties']) ? node['id']['properties'].filter(isNode) : []
    const taken = properties.map(property => nameOf(property['key'])).find(name => standardStreams.has(name))
    return taken === undefined || handsOn ? null : `process.${taken}`
  }
  if (node.type === 'ImportSpecifier' && parent?.type === 'ImportDeclaration' && isNode(parent['source'])) {
    const isProcess = /^(?:node:)?process$/.test(String(parent['source']['value']))
    const name = nameOf(node['imported'])
    return isProcess && standardStreams.has(name) ? `process.${name}` : null
  }
  return null
}

/** The member's name, where it is written down. */
function propertyOf({ property, computed }: Node): string {
  if (computed !== true) return nameOf(property)
  return isNode(property) && property.type === 'Literal' ? String(property['value']) : ''
}

const isEmpty = (value: unknown): boolean => Array.isArray(value) && value.length === 0

const nameOf = (node: unknown): string => (isNode(node) && node.type === 'Identifier' ? String(node['name']) : '')

/** The face that the package shows to others. */
const FACE = 'src/client.ts'

function barrels(files: Sources): string[] {
  return [...files].flatMap(([file, text]) => {
    if (file === FACE) return []
    const { body } = parse(file, text)
    const statements = Array.isArray(body) ? body.filter(isNode) : []
    const passesOnOnly =
      statements.length > 0 &&
      statements.every(({ type, source }) => /^Export(?:All|Named)/.test(type) && isNode(source))
    return passesOnOnly || /^index$/.test(path.posix.basename(withoutExtension(file))) ? [file] : []
  })
}

function vague(files: Sources): string[] {
  return [...files.keys()].filter(file =>
    withoutExtension(file)
      .split('/')
      .some(part => vagueNames.has(part)),
  )
}

/** `name` is null where it is computed. */
type Import = { name: string | null; typeOnly: boolean }

const importing = /^(?:ImportDeclaration|ExportAllDeclaration|ExportNamedDeclaration|ImportExpression|TSImportType)$/

/** What a file imports, of whatever kind. */
function importsOf(file: string, text: string): Import[] {
  const imports: Import[] = []
  walk(parse(file, text), node => {
    if (node.type === 'CallExpression' && nameOf(node['callee']) === 'require') {
      imports.push({ name: null, typeOnly: false })
    }
    const { source } = node
    if (!importing.test(node.type) || !isNode(source)) return
    const name = source.type === 'Literal' ? String(source['value']) : null
    const typeOnly = node.type === 'TSImportType' || node['importKind'] === 'type' || node['exportKind'] === 'type'
    imports.push({ name, typeOnly })
  })
  return imports
}

const parsed = new Map<string, Node>()

function parse(file: string, text: string): Node {
  const key = `${file}\n${text}`
  const known = parsed.get(key)
  if (known) return known
  const { program, errors } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors.map(({ message }) => message).join(', ')}`)
  const node = program as unknown as Node
  parsed.set(key, node)
  return node
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

/** Calls `visit` for every node, with the node that holds it and the field's name. */
function walk(node: Node, visit: (node: Node, parent: Node | undefined, field: string) => void): void {
  const step = (current: Node, parent: Node | undefined, field: string) => {
    visit(current, parent, field)
    for (const [name, value] of Object.entries(current)) {
      const children: unknown[] = Array.isArray(value) ? value : [value]
      for (const child of children) if (isNode(child)) step(child, current, name)
    }
  }
  step(node, undefined, '')
}
