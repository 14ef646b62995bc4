/** The check for keys that others choose, on code that has them and code that has none. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { foreignKeys } from '../../scripts/foreign-keys.ts'

/** The names that the samples below use. */
const PRELUDE = `
export declare const text: string
export declare const kind: 'ask' | 'allow'
export declare const open: 'ask' | (string & {})
export declare const anything: any
export declare const unknown: unknown
export declare const table: Readonly<Record<string, string>>
export declare const words: Readonly<Record<'ask' | 'allow', string>>
export declare const list: readonly string[]
export declare const target: Record<string, unknown>
`

const found = [
  'table[text]',
  'table?.[text]',
  'words[open as keyof typeof words]',
  'table[open]',
  'table[`a-${text}`]',
  'table[anything]',
  'target[text] = 1',
  'delete target[text]',
  'text in table',
  'const { [text]: value } = table',
  'function of<Key extends string>(key: Key) { return table[key] }',
  'function of<Key extends keyof typeof table>(key: Key) { return table[key] }',
  "words[text as 'ask']",
  "list as ('ask' | 'allow')[]",
  "unknown as 'ask'",
  "anything as 'ask' | 'allow'",
  'Object.assign({}, table)',
  'Object.assign({}, { [text]: 1 })',
  'Object.assign({}, { ...table })',
  'Object.assign({}, anything)',
  'Object.assign({}, unknown as object)',
  'Reflect.get(table, text)',
  'Reflect.set(target, text, 1)',
  "({ constructor: '' } as const)['constructor']",
]

const passed = [
  'words[kind]',
  "table['ask']",
  'list[0]',
  'text[text.length - 1]',
  "'ask' in words",
  'kind in words',
  'const { [kind]: value } = words',
  "function of<Key extends 'ask' | 'allow'>(key: Key) { return words[key] }",
  'const made = { ...table, [text]: 1 }',
  'Object.fromEntries([[text, 1]])',
  'Object.assign({}, { ask: 1 })',
  'Object.assign({}, { [kind]: 1 })',
  'new Map([[text, 1]]).get(text)',
  "kind as 'ask'",
  "'ask' as const",
  'unknown as string',
  'new Proxy(target, { get: (inner, name) => Reflect.get(inner, name) })',
]

test('every access with a key that may be any text is found, and no other', { timeout: 120_000 }, () => {
  const root = mkdtempSync(join(tmpdir(), 'zotui-keys-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  const options = { target: 'es2023', lib: ['es2024'], types: [], module: 'nodenext', strict: true, noEmit: true }
  writeFileSync(join(root, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['src'] }))
  writeFileSync(join(root, 'package.json'), '{ "type": "module" }')
  mkdirSync(join(root, 'src'))
  writeFileSync(join(root, 'src', 'prelude.ts'), PRELUDE)
  const names = [...PRELUDE.matchAll(/const (\w+)/g)].map(([, name]) => name).join(', ')
  const samples = [...found, ...passed]
  for (const [at, code] of samples.entries())
    writeFileSync(join(root, 'src', `sample-${at}.ts`), `import { ${names} } from './prelude.js'\n${code}\nexport {}\n`)
  const places = foreignKeys(root, ['src']).map(place => Number(/sample-(\d+)/.exec(place)?.[1]))
  expect(new Set(places.map(at => samples[at]))).toEqual(new Set(found))
})
