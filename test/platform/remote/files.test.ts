import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createLocalTools } from '../../../src/local-tools/local-tools.ts'
import { here, type ProjectFiles } from '../../../src/platform/project-files.ts'
import { listRemote } from '../../../src/platform/remote/list-files.ts'
import { createMachine, type RemoteMachine } from '../../../src/platform/remote/machine.ts'
import { createRemotePaths } from '../../../src/platform/remote/real-paths.ts'
import { createRemoteFiles } from '../../../src/platform/remote/remote-files.ts'
import { readVia } from '../../../src/platform/remote/target.ts'
import { createPace } from '../../../src/platform/pace.ts'

function machine(): RemoteMachine {
  const read = readVia('env')
  if (!read.ok) throw new Error(read.reason)
  const made = createMachine(read.target, { PATH: process.env['PATH'] })
  onTestFinished(() => made.close())
  return made
}

const root = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'zotui-files-')))
const makers: [string, () => ProjectFiles][] = [
  ['this machine', () => here],
  ['another machine', () => createRemoteFiles(machine(), 'via:env')],
]

describe.each(makers)('the files of %s', (_name, make) => {
  test('are exchanged only if they are as expected, and keep their mode', async () => {
    const files = make()
    const folder = root()
    const file = join(folder, "it's\nodd -x ü")
    const [one, other] = [Buffer.from([0, 255, 13, 10]), Buffer.from('other')]
    expect(await files.exchangeFile(file, { before: one, after: other })).toEqual({ isDone: false })
    expect(await files.exchangeFile(file, { before: null, after: one, mode: 0o750 })).toEqual({
      isDone: true,
      mode: null,
    })
    expect(statSync(file).mode & 0o777).toBe(0o750)
    expect(await files.exchangeFile(file, { before: null, after: other })).toEqual({ isDone: false })
    expect(await files.exchangeFile(file, { before: other, after: one })).toEqual({ isDone: false })
    expect(await files.exchangeFile(file, { before: one, after: other })).toEqual({ isDone: true, mode: 0o750 })
    expect(readFileSync(file).equals(other)).toBe(true)
    expect(statSync(file).mode & 0o777).toBe(0o750)
    expect(await files.exchangeFile(file, { before: one, after: null })).toEqual({ isDone: false })
    expect(await files.exchangeFile(file, { before: other, after: null })).toEqual({ isDone: true, mode: 0o750 })
    expect(await files.exchangeFile(join(folder, 'a/b/c'), { before: null, after: one })).toEqual({
      isDone: true,
      mode: null,
    })
    expect(readdirSync(folder)).toEqual(['a'])
  })

  test('are never exchanged through a link, or for a link', async () => {
    const files = make()
    const folder = root()
    writeFileSync(join(folder, 'file'), 'text')
    symlinkSync('file', join(folder, 'link'))
    symlinkSync('nowhere', join(folder, 'broken'))
    const text = Buffer.from('text')
    expect(await files.exchangeFile(join(folder, 'link'), { before: text, after: null })).toEqual({ isDone: false })
    expect(await files.exchangeFile(join(folder, 'link'), { before: text, after: text })).toEqual({ isDone: false })
    expect(await files.exchangeFile(join(folder, 'broken'), { before: null, after: text })).toEqual({ isDone: false })
    expect(await files.exchangeFile(folder, { before: text, after: null })).toEqual({ isDone: false })
    expect(readdirSync(folder).toSorted()).toEqual(['broken', 'file', 'link'])
  })

  test('with a second name are exchanged in both', async () => {
    const files = make()
    const folder = root()
    writeFileSync(join(folder, 'one'), 'text')
    linkSync(join(folder, 'one'), join(folder, 'two'))
    await files.exchangeFile(join(folder, 'one'), { before: Buffer.from('text'), after: Buffer.from('new') })
    expect(readFileSync(join(folder, 'two'), 'utf8')).toBe('new')
  })

  test('are read, with links and without what is too long', async () => {
    const files = make()
    const folder = root()
    const file = join(folder, "it's\nodd -x ü")
    const bytes = Buffer.from(Array.from({ length: 100_000 }, (_, at) => at % 256))
    writeFileSync(file, bytes)
    symlinkSync(file, join(folder, 'link'))
    symlinkSync('nowhere', join(folder, 'broken'))
    expect(await files.readFile(file, 200_000)).toEqual({ ok: true, bytes })
    expect(await files.readFile(join(folder, 'link'), 100_000)).toEqual({ ok: true, bytes })
    expect(await files.readFile(file, 99_999)).toMatchObject({
      ok: false,
      reason: expect.stringContaining('larger than'),
    })
    expect(await files.readFile(join(folder, 'none'), 9)).toEqual({ ok: false, reason: 'is not there' })
    expect(await files.readFile(folder, 9)).toEqual({ ok: false, reason: 'is a folder' })
    expect(await files.linkTarget(join(folder, 'link'))).toBe(file)
    expect(await files.linkTarget(join(folder, 'broken'))).toBe('nowhere')
    expect(await files.linkTarget(file)).toBeNull()
    expect(await files.linkTarget(join(folder, 'none'))).toBeNull()
    expect(await files.realPath(join(folder, 'link'))).toBe(file)
    await expect(files.realPath(join(folder, 'none'))).rejects.toThrow(/none/)
    expect(await files.stats(file)).toMatchObject({ kind: 'file', size: 100_000 })
    expect(await files.stats(folder)).toMatchObject({ kind: 'folder' })
    expect(await files.stats(join(folder, 'none'))).toBeNull()
  })

  test('are written in one step, with their mode and their folders', async () => {
    const files = make()
    const folder = root()
    const fresh = join(folder, 'a b/c', 'new')
    await files.replaceFile(fresh, Buffer.from('one\0two'))
    expect(readFileSync(fresh, 'latin1')).toBe('one\0two')
    writeFileSync(join(folder, 'run'), 'x', { mode: 0o755 })
    const before = statSync(join(folder, 'run')).ino
    await files.replaceFile(join(folder, 'run'), Buffer.from('y'.repeat(300_000)))
    expect(readFileSync(join(folder, 'run'), 'utf8')).toHaveLength(300_000)
    expect(statSync(join(folder, 'run')).mode & 0o777).toBe(0o755)
    expect(statSync(join(folder, 'run')).ino).not.toBe(before)
    await expect(files.replaceFile(folder, Buffer.from('x'))).rejects.toThrow(/permission denied|EISDIR|directory/i)
  })

  test('are changed by the tools that an agent calls', async () => {
    const files = make()
    const folder = root()
    mkdirSync(join(folder, 'src'))
    writeFileSync(join(folder, 'src/a.ts'), 'let a = 1\n')
    symlinkSync('/etc', join(folder, 'out'))
    const tools = createLocalTools({ folder, env: {}, files })
    const edit = { path: 'src/a.ts', edits: [{ oldText: '1', newText: '2' }] }
    const preview = await tools.preview('edit', edit)
    expect(preview).toMatchObject({ ok: true, paths: [join(folder, 'src/a.ts')] })
    const state = preview.ok ? preview.state : null
    writeFileSync(join(folder, 'src/a.ts'), 'let a = 1 // other\n')
    expect(await tools.run('edit', edit, { expected: state })).toMatchObject({ isError: true })
    expect(await tools.run('edit', edit)).toMatchObject({ isError: false })
    expect(readFileSync(join(folder, 'src/a.ts'), 'utf8')).toBe('let a = 2 // other\n')
    const outside = { path: 'out/zotui-test', content: 'x' }
    expect(await tools.preview('write', outside)).toMatchObject({ ok: true, paths: ['/etc/zotui-test'] })
    expect(await tools.run('write', outside)).toMatchObject({ isError: true })
  })
})

test('Another machine has no tools that would run on this one', () => {
  const tools = createLocalTools({ folder: '/', env: {}, files: createRemoteFiles(machine(), 'x') })
  expect(tools.definitions.map(({ name }) => name)).toEqual(['write', 'edit'])
})

describe('paths of another machine', () => {
  test('lead where their links lead, and nowhere known before they were looked up', async () => {
    const folder = root()
    mkdirSync(join(folder, 'src'))
    symlinkSync('/etc', join(folder, 'out'))
    symlinkSync('src', join(folder, 'in'))
    const paths = createRemotePaths(machine(), { folder, home: '/home/x' })
    expect(paths.resolve(folder)).toBe(folder)
    expect(paths.resolve(join(folder, 'src'))).not.toContain(folder)
    const named = ['src/new/deep', 'out/passwd', 'in/a', 'none'].map(path => join(folder, path))
    await paths.learn(named, `cat 'src/b' in/c ~/d`)
    const known = [...named, ...['src/b', 'in/c'].map(path => join(folder, path)), '/home/x/d'].map(paths.resolve)
    const real = ['src/new/deep', '/etc/passwd', 'src/a', 'none', 'src/b', 'src/c'].map(path =>
      path.startsWith('/') ? path : join(folder, path),
    )
    expect(known).toEqual([...real, '/home/x/d'])
    symlinkSync('nowhere', join(folder, 'dangling'))
    await paths.learn(
      ['src', 'none', 'dangling'].map(path => join(folder, path)),
      '',
    )
    const there = ['src', 'none', 'dangling', 'never'].map(path => paths.exists(join(folder, path)))
    expect(there).toEqual([true, false, true, true])
  })

  test('of a file with several names are known to be', async () => {
    const folder = root()
    for (const name of ["it's [a] *", 'own', '-n']) writeFileSync(join(folder, name), '')
    mkdirSync(join(folder, 'src'))
    linkSync(join(folder, "it's [a] *"), join(folder, 'shared'))
    symlinkSync('shared', join(folder, 'link'))
    const paths = createRemotePaths(machine(), { folder, home: '/home/x' })
    const named = ["it's [a] *", 'shared', 'link', 'own', '-n', 'src', 'none'].map(path => join(folder, path))
    await paths.learn(named, '')
    const isShared = (): boolean[] => named.map(path => paths.hasOtherNames(paths.resolve(path)))
    expect(isShared()).toEqual([true, true, true, false, false, false, false])
    rmSync(join(folder, 'shared'))
    await paths.learn(named, '')
    expect(isShared()).toEqual([false, false, false, false, false, false, false])
  })

  test('are not trusted after a look that failed', async () => {
    const folder = root()
    const own = machine()
    const paths = createRemotePaths(own, { folder, home: '/' })
    await paths.learn([join(folder, 'a')], '')
    expect(paths.resolve(join(folder, 'a'))).toBe(join(folder, 'a'))
    const lost = createRemotePaths({ ask: async () => ({ ok: false, why: 'lost', words: '' }) }, { folder, home: '/' })
    await lost.learn([join(folder, 'a')], '')
    expect(lost.resolve(join(folder, 'a'))).toBe('/(not looked up)')
  })
})

test('The files of another machine are listed, with git and without', async () => {
  const folder = root()
  const own = machine()
  writeFileSync(join(folder, 'a\nb'), '')
  writeFileSync(join(folder, 'kept.log'), '')
  const list = async (): Promise<string[]> => {
    const found: string[] = []
    const add = (path: string): boolean => found.push(path) > 0
    await listRemote(own, folder)({ add, pace: createPace(1000), signal: new AbortController().signal })
    return found.toSorted()
  }
  expect(await list()).toEqual(['a\nb', 'kept.log'])
  await own.ask(`cd '${folder}' && git init -q && echo '*.log' >.gitignore`)
  expect(await list()).toEqual(['.gitignore', 'a\nb'])
})
