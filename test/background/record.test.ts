/** The records of conversations in the background: which are believed, and what is removed. */
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeRecord } from '../../src/background/make-record.ts'
import { findRecord, liveRecords } from '../../src/background/record.ts'

const facts = { folder: '/work', agent: 'zot', startedAt: 1 }

async function recorded(id: string, above = '') {
  const state = join(mkdtempSync(join(tmpdir(), 'zh-')), above)
  const record = makeRecord(state, { id, ...facts })
  const server = createServer()
  await new Promise<void>(resolve => void server.listen(record.socket, resolve))
  record.publish()
  onTestFinished(() => {
    server.close()
    record.remove()
    rmSync(state, { recursive: true, force: true })
  })
  return { state, record, path: join(state, 'held', id, 'record.json') }
}

const idsIn = (state: string): string[] => liveRecords(state).map(({ id }) => id)

test('a conversation is found by its ID, and by the beginning of it', async () => {
  const { state } = await recorded('abc')
  expect([findRecord(state, 'abc').id, findRecord(state, 'ab').id]).toEqual(['abc', 'abc'])
  for (const id of ['', 'b', '..', '../abc']) expect(() => findRecord(state, id)).toThrow('runs in the background')
})

test('a state folder with a long name has its socket in another folder of its own', async () => {
  const { state, record } = await recorded('abc', 'long'.repeat(40))
  expect(Buffer.byteLength(record.socket)).toBeLessThan(100)
  expect(record.socket.startsWith(state)).toBe(false)
  expect(findRecord(state, 'abc').socket).toBe(record.socket)
  record.remove()
  expect([existsSync(dirname(record.socket)), idsIn(state)]).toEqual([false, []])
})

test('a record of a process that has ended is removed, also where another has its number now', async () => {
  const { state, path } = await recorded('abc')
  const text = readFileSync(path, 'utf8')
  // The same process number, begun at another time.
  const stale = text.replace(
    /("owner": ?"[\da-f]+-\d+-)(\d+)/,
    (_, before: string, began: string) => `${before}${Number(began) + 1}`,
  )
  expect(stale).not.toBe(text)
  writeFileSync(path, stale)
  expect([idsIn(state), existsSync(dirname(path))]).toEqual([[], false])
})

/** The text of a record whose owner's name has been changed. */
function disowned(text: string, change: (owner: string) => string): string {
  return text.replace(/(?<="owner": ?")[^"]+/, change)
}

test('the files of a holder that was killed before anybody could attach are removed, and those of one that starts stay', () => {
  const state = join(mkdtempSync(join(tmpdir(), 'zh-')), 'long'.repeat(40))
  onTestFinished(() => rmSync(dirname(state), { recursive: true, force: true }))
  const { socket } = makeRecord(state, { id: 'abc', ...facts })
  const path = join(state, 'held', 'abc', 'starting.json')
  expect([idsIn(state), existsSync(path), existsSync(dirname(socket))]).toEqual([[], true, true])
  const text = readFileSync(path, 'utf8')
  writeFileSync(
    path,
    disowned(text, owner => owner.replace(/\d+(?=-[\da-f]+$)/, '1')),
  )
  expect([idsIn(state), existsSync(dirname(path)), existsSync(dirname(socket))]).toEqual([[], false, false])
})

test('a record of another machine is not listed, and stays for as long as it may be in use', async () => {
  const { state, path } = await recorded('abc')
  const text = disowned(readFileSync(path, 'utf8'), owner => owner.replace(/^[\da-f]+/, '00000000'))
  const since = (days: number): void =>
    writeFileSync(path, text.replace(/(?<="startedAt": ?)1/, String(Date.now() - days * 86_400_000)))
  since(29)
  expect([idsIn(state), existsSync(path)]).toEqual([[], true])
  since(31)
  expect([idsIn(state), existsSync(path)]).toEqual([[], false])
})

test('what is not the user’s own alone is not believed', async () => {
  const { state, path, record } = await recorded('abc')
  chmodSync(path, 0o644)
  expect(idsIn(state)).toEqual([])
  chmodSync(path, 0o600)
  chmodSync(dirname(path), 0o755)
  expect(idsIn(state)).toEqual([])
  chmodSync(dirname(path), 0o700)
  symlinkSync(dirname(path), join(state, 'held', 'link'))
  expect(idsIn(state)).toEqual(['abc'])
  chmodSync(record.socket, 0o666)
  expect(() => findRecord(state, 'abc')).toThrow('is gone, or is not yours')
})

test('a file that is no record is none', async () => {
  const { state, path } = await recorded('abc')
  for (const text of ['', '{}', '[1', readFileSync(path, 'utf8').replace('abc', 'abd')]) {
    writeFileSync(path, text)
    expect(idsIn(state)).toEqual([])
  }
})
