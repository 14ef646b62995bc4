import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, expect, test } from 'vitest'
import { makeGuardFolder, removeStaleFolders } from '../../../../src/agents/zot/guard/folder.ts'
import { guardPlaces, installedExtensions } from '../../../../src/agents/zot/guard/places.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'f-')))
afterAll(() => rmSync(root, { recursive: true }))
const places = (...parents: string[]) => ({ script: '/x/zotui-guard.js', node: '/x/node', parents })

test('the folder is for its user only, and names the program by absolute paths', () => {
  const folder = makeGuardFolder(places(root))
  expect(statSync(folder.path).mode & 0o777).toBe(0o700)
  expect(JSON.parse(readFileSync(join(folder.path, 'extension.json'), 'utf8'))).toMatchObject({
    name: 'zotui-guard',
    exec: '/x/node',
    args: ['/x/zotui-guard.js', folder.socket],
  })
  folder.remove()
  expect(existsSync(folder.path)).toBe(false)
})

test('a parent with a long path, a missing one and one without write permission are passed over', () => {
  const long = join(root, 'x'.repeat(80))
  mkdirSync(long)
  const folder = makeGuardFolder(places(long, join(root, 'missing'), root))
  expect(folder.path.startsWith(join(root, 'zotui-guard-'))).toBe(true)
  expect(Buffer.byteLength(folder.socket)).toBeLessThanOrEqual(100)
  folder.remove()
  expect(() => makeGuardFolder(places(long))).toThrow(/short enough/)
})

test('a parent in which another user could replace the folder is passed over: what stands in it says which program zot starts', () => {
  const open = join(root, 'open')
  mkdirSync(open)
  chmodSync(open, 0o777)
  const own = makeGuardFolder(places(open, root))
  expect(own.path.startsWith(join(root, 'zotui-guard-'))).toBe(true)
  own.remove()
  expect(() => makeGuardFolder(places(open))).toThrow(/another user could replace a folder in/)
  // As `/tmp` is: only the owner of a folder may replace it.
  chmodSync(open, 0o1777)
  makeGuardFolder(places(open)).remove()
  expect(readdirSync(open)).toEqual([])
})

test.runIf(process.geteuid?.() === 0)(
  'a parent that belongs to another user is passed over, as TMPDIR does under sudo',
  () => {
    const theirs = join(root, 'theirs')
    mkdirSync(theirs)
    chownSync(theirs, 12_345, 12_345)
    expect(() => makeGuardFolder(places(theirs))).toThrow(/another user could replace a folder in/)
  },
)

test('only folders of dead programs are removed', async () => {
  const parent = join(root, 'stale')
  mkdirSync(parent)
  const names = [`zotui-guard-${process.pid}-abcdef`, 'zotui-guard-999999999-abcdef', 'zotui-guard-x-abcdef', 'other']
  for (const name of names) mkdirSync(join(parent, name))
  writeFileSync(join(parent, 'zotui-guard-999999998-abcdef'), 'a file of somebody')
  await removeStaleFolders([parent, join(root, 'missing')])
  expect(readdirSync(parent).toSorted()).toEqual(
    ['other', 'zotui-guard-999999998-abcdef', `zotui-guard-${process.pid}-abcdef`, 'zotui-guard-x-abcdef'].toSorted(),
  )
})

test('the script of this installation exists', () => expect(existsSync(guardPlaces().script)).toBe(true))

test('the extensions that are off are those that zot would load', () => {
  const extension = (parent: string, name: string, manifest: string): void => {
    mkdirSync(join(root, parent, name), { recursive: true })
    writeFileSync(join(root, parent, name, 'extension.json'), manifest)
  }
  extension('home/extensions', 'b', '{"name":"b","exec":"x"}')
  extension('home/extensions', 'off', '{"name":"off","exec":"x","enabled":false}')
  extension('home/extensions', 'broken', '{')
  extension('project/.zot/extensions', 'a', '{"name":"a","exec":"x"}')
  mkdirSync(join(root, 'home/extensions/none'))
  expect(installedExtensions(join(root, 'home'), join(root, 'project'))).toEqual(['a', 'b'])
  expect(installedExtensions(join(root, 'nowhere'), root)).toEqual([])
})
