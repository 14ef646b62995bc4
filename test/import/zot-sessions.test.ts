/** The list of what zot keeps: read once, and again only where something has changed. */
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openZotSessions } from '../../src/import/zot-sessions.ts'
import type { ForeignSessions } from '../../src/storage/sessions/sessions.ts'

const KEY = 'sk-ant-0123456789'

type Machine = { open: (secrets?: readonly string[]) => ForeignSessions; folder: string; cachePath: string }

function machine(): Machine {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-zot-')))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const projectFolder = join(root, 'project')
  const mark = createHash('sha256').update(projectFolder).digest('hex').slice(0, 16)
  const folder = join(root, 'zot', 'sessions', mark)
  mkdirSync(folder, { recursive: true })
  const cachePath = join(root, 'cache.jsonl')
  const open = (secrets: readonly string[] = []): ForeignSessions =>
    openZotSessions({ zotFolder: join(root, 'zot'), projectFolder, cachePath, secrets })
  return { open, folder, cachePath }
}

/** A session with one prompt, last written at a whole second. */
function write(folder: string, name: string, words: string, meta: object = {}): string {
  const path = join(folder, `${name}.jsonl`)
  const lines = [
    { type: 'meta', meta: { id: name, cwd: '/p', model: 'claude', provider: 'anthropic', version: '0.1.62', ...meta } },
    { type: 'message', message: { role: 'user', content: [{ text: words }], time: '2026-11-22T14:02:00Z' } },
  ]
  writeFileSync(path, lines.map(line => `${JSON.stringify(line)}\n`).join(''))
  utimesSync(path, 1_700_000_000, 1_700_000_000)
  return path
}

const prompts = async (sessions: ForeignSessions): Promise<string[]> =>
  (await sessions.list('folder')).map(({ firstPrompt }) => firstPrompt).toSorted()

test('a session of zot is not read again until it changes', async () => {
  const { open, folder } = machine()
  write(folder, 'a', 'one')
  write(folder, 'b', 'two')
  expect(await prompts(open())).toEqual(['one', 'two'])
  // As long as before and as old as before: whoever looked into it would see the other words.
  const path = write(folder, 'a', 'uno')
  expect(await prompts(open())).toEqual(['one', 'two'])
  utimesSync(path, 1_700_000_001, 1_700_000_001)
  expect(await prompts(open())).toEqual(['two', 'uno'])
  rmSync(path)
  expect(await prompts(open())).toEqual(['two'])
})

test('a damaged, hidden or empty session of zot is not listed, and not read each time', async () => {
  const { open, folder, cachePath } = machine()
  writeFileSync(join(folder, 'damaged.jsonl'), 'nothing')
  write(folder, 'hidden', 'psst', { hide_from_sessions: true })
  const empty = join(folder, 'empty.jsonl')
  writeFileSync(empty, '')
  expect(await prompts(open())).toEqual([])
  const { mtimeMs } = statSync(cachePath)
  expect(await prompts(open())).toEqual([])
  expect(statSync(cachePath).mtimeMs).toBe(mtimeMs)
  expect(open().hasAny('folder')).toBe(true)
})

test('a damaged or read-only cache costs only time', async () => {
  const { open, folder, cachePath } = machine()
  write(folder, 'a', 'one')
  writeFileSync(cachePath, '{"path":1}\nwhat')
  expect(await prompts(open())).toEqual(['one'])
  rmSync(cachePath)
  mkdirSync(`${cachePath}.d`)
  expect(existsSync(cachePath)).toBe(false)
  expect(await prompts(open())).toEqual(['one'])
})

test('a known secret is removed from the list and from the session', async () => {
  const { open, folder } = machine()
  write(folder, 'a', `the key ${KEY}`)
  // Before it was known.
  expect(await prompts(open())).toEqual([`the key ${KEY}`])
  expect(await prompts(open([KEY]))).toEqual(['the key sk-[hidden]'])
  expect(JSON.stringify(open([KEY]).read('zot-a'))).not.toContain(KEY)
})

test('a known secret is not saved in the cache, even where the text is cut', async () => {
  const { open, folder, cachePath } = machine()
  write(folder, 'a', `${'x'.repeat(290)} ${KEY}`)
  await open([KEY]).list('folder')
  expect(readFileSync(cachePath, 'utf8')).toContain('sk-')
  expect(readFileSync(cachePath, 'utf8')).not.toContain(KEY.slice(0, 8))
})

test('the list is empty if zot was never used', async () => {
  const { open, folder, cachePath } = machine()
  rmSync(folder, { recursive: true })
  expect(open().hasAny('all')).toBe(false)
  expect(await prompts(open())).toEqual([])
  expect(existsSync(cachePath)).toBe(false)
})
