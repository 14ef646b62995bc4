/** Shipped scripts and their compiled code: built from small modules as the program is, and run by the loader. */
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { rolldown } from 'rolldown'
import { expect, onTestFinished, test } from 'vitest'
import { createScriptLoader } from '../../bin/boot/script-loader.ts'
import { askForBuiltins } from '../../scripts/builtins.ts'
import { modulesToScripts } from '../../scripts/modules-to-scripts.ts'
import { makeHome } from '../helpers/home.ts'

/** A folder for scripts and one for their compiled code. */
function folders(): { folder: string; cache: string } {
  const home = makeHome()
  onTestFinished(() => home.remove())
  const [folder, cache] = [join(home.path, 'scripts'), join(home.path, 'cache')]
  for (const path of [folder, cache]) mkdirSync(path)
  return { folder, cache }
}

/** Builds modules to scripts, one file for each; `main.ts` is the entry. */
async function built(modules: Readonly<Record<string, string>>): Promise<ReturnType<typeof folders>> {
  const made = folders()
  for (const [name, text] of Object.entries(modules)) writeFileSync(join(made.folder, name), text)
  const bundle = await rolldown({
    input: Object.fromEntries(Object.keys(modules).map(name => [name.replace('.ts', ''), join(made.folder, name)])),
    platform: 'node',
    plugins: [askForBuiltins('script'), modulesToScripts],
  })
  await bundle.write({ dir: made.folder, entryFileNames: '[name].js', chunkFileNames: '[name].js', minify: true })
  await bundle.close()
  return made
}

const loaderFile = fileURLToPath(new URL('../../bin/boot/script-loader.ts', import.meta.url))

/** Loads the scripts in a process of its own, where V8 has not compiled them yet, and calls `count` of the first. */
async function runApart(folder: string, cache: string, ...names: string[]): Promise<string> {
  const text = `import { createScriptLoader } from ${JSON.stringify(loaderFile)}
    const loader = createScriptLoader(...${JSON.stringify([folder, cache])})
    const [first] = ${JSON.stringify(names)}.map(name => loader.load(name))
    console.log(first.count())
    loader.save()`
  return (await execa(process.execPath, ['--input-type=module', '-e', text])).stdout
}

const counting = `(function($builtin,$load,$loadLater,$meta){"use strict";
let runs=0;function count(){runs++;return runs}return{count,text:${JSON.stringify('some text '.repeat(50))}}})`

test('imports by name, of all names, of the default and on demand are what they are in modules', async () => {
  const { folder } = await built({
    'main.ts': `
      import { basename } from 'node:path'
      import { one, ONE as first } from './named.ts'
      import * as all from './named.ts'
      import whole from './default.ts'
      export { one as again } from './named.ts'
      export const name = basename('/a/b')
      export const values = [one(), first, all.ONE, whole.text]
      export const later = async () => (await import('./later.ts')).late
      export const here = () => import.meta.url`,
    'named.ts': `export const ONE = 1; export function one() { return ONE }`,
    'default.ts': `export default { text: 'import.meta and import(x) in a text' }`,
    'later.ts': `import { one } from './named.ts'; export const late = one() + 1`,
  })
  const main = createScriptLoader(folder, null).load('main.js') as Record<string, unknown> & {
    again: () => number
    later: () => Promise<number>
    here: () => string
  }
  expect([main['name'], main['values']]).toEqual(['b', [1, 1, 1, 'import.meta and import(x) in a text']])
  expect(main.again()).toBe(1)
  expect(await main.later()).toBe(2)
  expect(main.here()).toMatch(/^file:.*\/scripts\/main\.js$/)
})

test('a script that waits is waited for by those that need it', async () => {
  const { folder } = await built({
    'main.ts': `import { value } from './between.ts'; export const doubled = value * 2`,
    'between.ts': `export { value } from './waits.ts'`,
    'waits.ts': `export const value = await Promise.resolve(21); export const f = async () => await value`,
  })
  expect(await createScriptLoader(folder, null).load('main.js')).toEqual({ doubled: 42 })
})

test('a script runs once', () => {
  const { folder } = folders()
  writeFileSync(join(folder, 'a.js'), counting)
  const loader = createScriptLoader(folder, null)
  const { count } = loader.load('a.js') as { count: () => number }
  expect(count()).toBe(1)
  expect((loader.load('a.js') as { count: () => number }).count()).toBe(2)
})

test('compiled code is private, is written once, and holds the functions that have run', async () => {
  const { folder, cache } = folders()
  writeFileSync(join(folder, 'a.js'), counting)
  const unused = createScriptLoader(folder, cache)
  unused.load('a.js')
  unused.save()
  const { size } = statSync(join(cache, 'a.js'))
  rmSync(join(cache, 'a.js'))
  expect(await runApart(folder, cache, 'a.js')).toBe('1')
  const written = statSync(join(cache, 'a.js'))
  expect(written.mode & 0o777).toBe(0o600)
  expect(written.size).toBeGreaterThan(size)
  expect(await runApart(folder, cache, 'a.js')).toBe('1')
  expect(statSync(join(cache, 'a.js')).mtimeMs).toBe(written.mtimeMs)
  expect(readdirSync(cache)).toEqual(['a.js'])
})

test('code of functions that ran later is added when a start has new scripts', async () => {
  const { folder, cache } = folders()
  const [a, b] = ['a.js', 'b.js'].map(name => join(cache, name)) as [string, string]
  const long = counting.replace('runs++', 'globalThis.x=1;'.repeat(200) + 'runs++')
  for (const name of ['a.js', 'b.js', 'c.js']) writeFileSync(join(folder, name), long)
  await runApart(folder, cache, 'b.js', 'a.js')
  const [poor, whole] = [statSync(a), statSync(b)]
  // No script is new.
  await runApart(folder, cache, 'a.js', 'b.js')
  expect(statSync(a).ino).toBe(poor.ino)
  await runApart(folder, cache, 'a.js', 'b.js', 'c.js')
  expect(statSync(a).size).toBe(whole.size)
  expect(statSync(b).ino).toBe(whole.ino)
})

test.each([
  ['empty', (path: string) => truncateSync(path, 0)],
  ['cut short', (path: string) => truncateSync(path, statSync(path).size - 64)],
  ['not compiled code', (path: string) => writeFileSync(path, 'hello')],
  ['damaged in the middle', (path: string) => writeFileSync(path, readFileSync(path).fill(0, 128, 640))],
  ['that of another script', (path: string) => writeFileSync(path, readFileSync(path.replace('a.js', 'b.js')))],
])('compiled code that is %s is refused and replaced', async (_, spoil) => {
  const { folder, cache } = folders()
  writeFileSync(join(folder, 'a.js'), counting)
  writeFileSync(join(folder, 'b.js'), `${counting}/* longer */`)
  await runApart(folder, cache, 'a.js', 'b.js')
  const path = join(cache, 'a.js')
  spoil(path)
  const spoiled = statSync(path)
  expect(await runApart(folder, cache, 'a.js')).toBe('1')
  const written = statSync(path)
  expect(written.ino).not.toBe(spoiled.ino)
  // It is good again: nothing is written.
  expect(await runApart(folder, cache, 'a.js')).toBe('1')
  expect(statSync(path).ino).toBe(written.ino)
})

test('compiled code that is older than a month goes when other code is written', async () => {
  const { folder, cache } = folders()
  writeFileSync(join(folder, 'a.js'), counting)
  for (const name of ['old.js', 'new.js']) writeFileSync(join(cache, name), '')
  const old = new Date(Date.now() - 31 * 24 * 60 * 60 * 1000)
  utimesSync(join(cache, 'old.js'), old, old)
  await runApart(folder, cache, 'a.js')
  expect(readdirSync(cache).toSorted()).toEqual(['a.js', 'new.js'])
})

test('without a cache nothing is written, and a cache that cannot be written is no error', () => {
  const { folder, cache } = folders()
  writeFileSync(join(folder, 'a.js'), counting)
  // A file in the place of the cache.
  writeFileSync(join(folder, 'file'), '')
  for (const place of [null, join(cache, 'missing'), join(folder, 'file')]) {
    const loader = createScriptLoader(folder, place)
    loader.load('a.js')
    loader.save()
  }
  expect(readdirSync(cache)).toEqual([])
  expect(existsSync(join(cache, 'missing'))).toBe(false)
})

/** Runs a program of a process that may open few files; it has `loader`, and `takeAll`, which leaves no descriptor. */
async function runWithFewFiles(folder: string, text: string): Promise<string> {
  const before = `import { closeSync, openSync } from 'node:fs'
    import { createScriptLoader } from ${JSON.stringify(loaderFile)}
    const files = []
    const takeAll = () => { try { for (;;) files.push(openSync(${JSON.stringify(folder)})) } catch {} }
    const make = () => createScriptLoader(${JSON.stringify(folder)}, null)`
  const shell = ['-c', 'ulimit -n 64; exec "$@"', 'sh', process.execPath]
  return (await execa('sh', [...shell, '--input-type=module', '-e', `${before}\n${text}`])).stdout
}

const inNeedOfAnother = {
  'main.ts': "export const later = () => import('./other.ts').then(other => other.text)",
  'other.ts':
    "import { basename } from 'node:path'\nimport { path } from './third.ts'\nexport const text = basename(path)",
  'third.ts': "export const path = '/a/came'",
}

test('while no file can be opened scripts are still read, at once and on demand, and no descriptor is lost', async () => {
  const { folder } = await built(inNeedOfAnother)
  const text = `const loader = make()
    const { later } = loader.load('main.js')
    takeAll()
    const taken = files.length
    console.log(loader.load('third.js').path, await later())
    takeAll()
    console.log(files.length - taken)`
  expect(await runWithFewFiles(folder, text)).toBe('/a/came came\n0')
})

test('a script on demand waits while too many files are open from the beginning on', async () => {
  const { folder } = await built(inNeedOfAnother)
  // The loader itself gets no descriptor to set aside.
  const text = `files.push(openSync(${JSON.stringify(folder)}))
    takeAll()
    const loader = make()
    closeSync(files.pop())
    const { later } = loader.load('main.js')
    takeAll()
    const coming = later()
    // It has been tried once by now.
    for (const file of files) closeSync(file)
    console.log(await coming)`
  expect(await runWithFewFiles(folder, text)).toBe('came')
})

test('a script whose own work opens too many files is not run again', async () => {
  const { folder } = await built({
    'main.ts': "export const later = () => import('./other.ts')",
    'other.ts': `globalThis.runs = (globalThis.runs ?? 0) + 1
      export const none = (() => { throw Object.assign(new Error('own'), { code: 'EMFILE' }) })()`,
  })
  const { later } = createScriptLoader(folder, null).load('main.js') as { later: () => Promise<unknown> }
  await expect(later()).rejects.toThrow('own')
  expect(Reflect.get(globalThis, 'runs')).toBe(1)
})
