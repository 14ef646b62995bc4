/** Which folders of this machine can be opened to the agent. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openFolder } from '../../bin/wiring/open-folder.ts'
import { statePath } from '../../src/storage/log.ts'

let root = ''
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-open-')))
  for (const name of ['home/ann/work/project/sub', 'home/ann/work/other', 'home/ann/.ssh', 'srv/tools/bin'])
    mkdirSync(join(root, name), { recursive: true })
  writeFileSync(join(root, 'srv/file'), 'x')
  symlinkSync(join(root, 'home'), join(root, 'srv/link-to-homes'))
  symlinkSync(join(root, 'home/ann/work/other'), join(root, 'srv/link-to-other'))
})
afterAll(() => rmSync(root, { recursive: true, force: true }))

const opening = (path: string) => {
  const home = join(root, 'home/ann')
  const env = { HOME: home, PATH: `/usr/bin:${join(root, 'srv/tools/bin')}:relative` }
  return openFolder(path, { folder: join(home, 'work/project'), home, env })
}

test.each([
  ['../other', 'home/ann/work/other'],
  ['~/work/other', 'home/ann/work/other'],
  ['ROOT/home/ann/work/other/', 'home/ann/work/other'],
  ['ROOT/srv/link-to-other', 'home/ann/work/other'],
])('%s can be opened', async (path, real) => {
  expect(await opening(path.replace('ROOT', root))).toEqual({ ok: true, path: join(root, real) })
})

test.each([
  ['.', 'is the folder of the session'],
  ['..', 'holds the folder of the session, and all beside it'],
  ['sub', 'is in the folder of the session already'],
  ['~', 'holds the folder of the session, and all beside it'],
  ['/', 'holds the folder of the session, and all beside it'],
  ['ROOT/srv/link-to-homes', 'holds the folder of the session, and all beside it'],
  ['ROOT/srv/file', 'is no folder'],
  ['ROOT/srv/missing', 'does not exist'],
  ['a\0b', 'is no path'],
  ['~/.ssh', 'belongs to the system, or holds secrets or the home folder of a user'],
  ['/etc', 'belongs to the system, or holds secrets or the home folder of a user'],
  ['/usr/share', 'belongs to the system, or holds secrets or the home folder of a user'],
  ['ROOT/srv/tools', `has ROOT/srv/tools/bin, in which programs are looked for (PATH)`],
])('%s cannot be opened: it %s', async (path, reason) => {
  expect(await opening(path.replace('ROOT', root))).toEqual({ ok: false, reason: reason.replace('ROOT', root) })
})

test("a folder around zotui's own files cannot be opened", async () => {
  mkdirSync(statePath(), { recursive: true })
  expect(await opening(statePath())).toMatchObject({ ok: false })
})

test('a home folder that is not around the project cannot be opened', async () => {
  const place = { folder: join(root, 'srv'), home: join(root, 'home/ann'), env: { HOME: join(root, 'home/ann') } }
  expect(await openFolder('~', place)).toEqual({ ok: false, reason: 'is or holds your home folder' })
  expect(await openFolder(join(root, 'home'), place)).toEqual({ ok: false, reason: 'is or holds your home folder' })
})
