import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { removeUnfinished } from '../../src/platform/remove-unfinished.ts'

const source = fileURLToPath(new URL('../../src', import.meta.url))
let top = ''

beforeEach(() => {
  top = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-unfinished-')))
  onTestFinished(() => rmSync(top, { recursive: true, force: true }))
  for (const name of ['state', 'work']) mkdirSync(join(top, name))
})

const lists = (): string[] => {
  const folder = join(top, 'state', 'unfinished')
  return existsSync(folder) ? readdirSync(folder) : []
}
const work = (): string[] => readdirSync(join(top, 'work'))

/** A program that begins this many unfinished files and is killed, or ends. */
function program(end: string, names: readonly string[]): void {
  const code = `
    import { beginUnfinished } from '${source}/platform/unfinished.ts'
import { listUnfinishedIn } from '${source}/platform/unfinished-folder.ts'
    import { writeFileSync } from 'node:fs'
    listUnfinishedIn('${join(top, 'state')}')
    const begun = ${JSON.stringify(names)}.map(name => beginUnfinished('${join(top, 'work')}/' + name))
    for (const { fresh } of begun) writeFileSync(fresh, 'a part')
    ${end}`
  spawnSync(process.execPath, ['--input-type=module', '-e', code], { stdio: 'inherit' })
}

/** Runs this code in a program that lists its folders. */
function working(code: string): void {
  const imports = `
    import { makeTemporaryFolder } from '${source}/platform/shell/temporary-folder.ts'
    import { withTemporaryFile } from '${source}/platform/shell/temporary.ts'
    import { listUnfinishedIn } from '${source}/platform/unfinished-folder.ts'
    import { writeFileSync, utimesSync } from 'node:fs'
    listUnfinishedIn('${join(top, 'state')}')
    const work = '${join(top, 'work')}'
    ${code}`
  const env = { ...process.env, TMPDIR: join(top, 'work') }
  spawnSync(process.execPath, ['--input-type=module', '-e', imports], { stdio: 'inherit', env })
}

const KILL = "process.kill(process.pid, 'SIGKILL')"

test('a killed program’s unfinished files go, and those of a running one stay', () => {
  program(KILL, ['a', 'ö ü', 'new\nline'.replaceAll('\n', ' '), 'x'.repeat(250)])
  writeFileSync(join(top, 'work', 'mine'), '')
  expect(work()).toHaveLength(5)
  expect(lists()).toHaveLength(1)
  const [list = ''] = lists()
  const [host, , , id] = list.split('-')
  const ours = join(top, 'work', `.zotui-${'a'.repeat(12)}.tmp`)
  writeFileSync(ours, '')
  writeFileSync(join(top, 'state', 'unfinished', `${host}-${process.pid}-0-${id}`), `${JSON.stringify(ours)}\n`)
  removeUnfinished(join(top, 'state'), Date.now())
  expect(work().toSorted()).toEqual([`.zotui-${'a'.repeat(12)}.tmp`, 'mine'])
  expect(lists()).toHaveLength(1)
})

test('a program that has finished all of them leaves no list', () => {
  program('begun.forEach(each => each.end()); process.exit()', ['a'])
  expect(lists()).toEqual([])
})

test('a list removes nothing but unfinished files, whatever it says', () => {
  program(KILL, ['a'])
  const [list = ''] = lists()
  const at = (name: string): string => join(top, 'work', name)
  const id = 'b'.repeat(12)
  for (const name of ['mine', 'folder-with', `.zotui-${id}`, `.zotui-${id}.tmp.mine`]) writeFileSync(at(name), '')
  mkdirSync(at(`.zotui-${id}.tmp`))
  symlinkSync(at('mine'), at(`.zotui-${'c'.repeat(12)}.tmp`))
  const named = [...work().map(at), top, join(top, 'work'), 7, null, '/etc/passwd']
  writeFileSync(join(top, 'state', 'unfinished', list), `${named.map(each => JSON.stringify(each)).join('\n')}\n{"cut`)
  removeUnfinished(join(top, 'state'), Date.now())
  expect(work()).toHaveLength(6)
  expect(lists()).toEqual([])
})

const DRAFT = "withTemporaryFile('draft.md', 'the draft', async path => {"

test.each([
  [
    'the folder of a killed program goes, with all that is in it',
    `writeFileSync(makeTemporaryFolder(work).path + '/a', ''); ${KILL}`,
    [],
  ],
  ['so does the draft that nobody changed', `${DRAFT} ${KILL} })`, []],
  ['that of a program that ends while its editor is open', `${DRAFT} process.exit() })`, []],
  [
    'what an editor wrote after the kill stays',
    `${DRAFT} writeFileSync(path, 'more'); utimesSync(path, 1, 1); ${KILL} })`,
    ['draft.md'],
  ],
  [
    'so does what it put beside the draft',
    `${DRAFT} writeFileSync(path + '.swp', ''); ${KILL} })`,
    ['draft.md', 'draft.md.swp'],
  ],
  [
    'what is kept on purpose stays',
    `const it = makeTemporaryFolder(work); writeFileSync(it.path + '/a', ''); makeTemporaryFolder(work); it.keep(); ${KILL}`,
    ['a'],
  ],
])('%s', (_, code, left) => {
  working(code)
  expect(work().length).toBeGreaterThan(0)
  removeUnfinished(join(top, 'state'), Date.now())
  expect(
    work()
      .flatMap(name => readdirSync(join(top, 'work', name)))
      .toSorted(),
  ).toEqual(left)
  expect(work()).toHaveLength(left.length === 0 ? 0 : 1)
  expect(lists()).toEqual([])
})

test('a draft that an editor still has open stays as long as it does', async () => {
  working(`${DRAFT} ${KILL} })`)
  const [folder = ''] = work()
  const editor = spawn('/bin/sh', ['-c', 'read line', 'editor', join(top, 'work', folder, 'draft.md')])
  onTestFinished(() => void editor.kill())
  removeUnfinished(join(top, 'state'), Date.now())
  expect([work(), lists().length]).toEqual([[folder], 1])
  editor.stdin.end()
  await new Promise(resolve => editor.once('close', resolve))
  removeUnfinished(join(top, 'state'), Date.now())
  expect([work(), lists()]).toEqual([[], []])
})

test('a list removes no folder of another name, and follows no link', () => {
  working(`makeTemporaryFolder(work); ${KILL}`)
  const [list = ''] = lists()
  const [outside, link, mine] = ['outside', `zotui-${'a'.repeat(12)}`, 'mine'].map(name => join(top, 'work', name))
  for (const folder of [outside, mine]) mkdirSync(folder ?? '')
  writeFileSync(join(outside ?? '', 'file'), '')
  symlinkSync(outside ?? '', link ?? '')
  const named = [outside, link, mine, `${link}/..`, top].map(folder => ({ folder }))
  writeFileSync(join(top, 'state', 'unfinished', list), named.map(each => JSON.stringify(each)).join('\n'))
  removeUnfinished(join(top, 'state'), Date.now())
  expect(readdirSync(outside ?? '')).toEqual(['file'])
  expect(work()).toHaveLength(4)
})

/** Some systems let nobody mount without more rights. */
const canMount = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0

test.runIf(canMount).each([
  ['a file with two names, which is written in place', 'ln "$1/file" "$1/other"', 'replaceContent(path, bytes)'],
  ['a file', ':', 'replaceContent(path, bytes)'],
  ['the file of a setting', ':', 'replaceFile(path, bytes)'],
  ['an export over an older one', ':', 'saved({ overwrite: true })'],
  ['a new export', 'rm "$1/file"', 'saved({})'],
])('a full disk costs nothing of %s, and leaves nothing', (_, before, write) => {
  const code = `
    import { replaceContent } from '${source}/platform/replace-content.ts'
    import { replaceFile } from '${source}/storage/replace-file.ts'
    import { saveExport } from '${source}/export/save.ts'
    const path = process.argv[1] + '/file'
    const bytes = Buffer.alloc(100_000, 'new')
    const saved = async more => {
      const { ok } = await saveExport(bytes.toString(), {}, { file: path, folder: '/', format: 'md', ...more })
      if (!ok) throw new Error('ENOSPC')
    }
    try { await ${write}; console.log('written') } catch (error) { console.log(error.message.slice(0, 6)) }`
  const script = `mount -t tmpfs -o size=64k none "$1" && printf old >"$1/file" && ${before}
    "$2" --input-type=module -e "$3" "$1"; ls -A "$1"; [ ! -e "$1/file" ] || cat "$1/file"`
  const words = execFileSync('unshare', ['-rm', 'sh', '-c', script, 'sh', join(top, 'work'), process.execPath, code], {
    encoding: 'utf8',
  })
  const names = before === ':' ? 'file\nold' : before.startsWith('rm') ? '' : 'file\nother\nold'
  expect(words).toBe(`ENOSPC\n${names}`)
})
