/** The file of a session that anyone may have made. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { UserError } from '../../src/platform/errors.ts'
import { readSessionFile } from '../../src/replay/session-file.ts'
import { makeHome } from '../helpers/home.ts'

const home = makeHome()
afterAll(() => home.remove())

function file(...lines: readonly (string | object)[]): string {
  const path = join(home.path, 'given')
  writeFileSync(path, lines.map(line => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''))
  return path
}

const header = {
  type: 'session',
  format: 1,
  id: 'x',
  folder: '/home/ana/words',
  createdAt: 1,
  agent: 'zot',
  agentVersion: '1',
  provider: 'p',
  model: 'm',
  parent: null,
}
const prompt = { type: 'prompt_sent', at: 5, text: 'go', images: [] }

test('its events, title and folder are read, and lines that are damaged or too long are counted', () => {
  const long = JSON.stringify({ ...prompt, text: 'x'.repeat(32 * 1024 * 1024) })
  const titled = { type: 'session_titled', at: 6, title: 'words' }
  const content = readSessionFile(file('damaged', header, titled, prompt, '{"type":"unknown","at":1}', long))
  expect(content).toMatchObject({ title: 'words', header: { folder: '/home/ana/words' }, skipped: 3 })
  expect(content.events).toEqual([prompt])
})

test('a session whose first line is lost is read all the same', () => {
  expect(readSessionFile(file('{"type":"sess', prompt))).toMatchObject({ header: null, events: [prompt], skipped: 1 })
})

test('a time that no date has becomes one, and the picture of a path that the file names is not looked at', () => {
  const image = { type: 'image_located', at: 1, id: 'a', path: '//elsewhere/share/x.png', mimeType: 'image/png' }
  const { events } = readSessionFile(
    file({ ...prompt, at: 1e300 }, { ...prompt, at: -1e300 }, { ...image, width: 1, height: 1 }),
  )
  expect(events.map(({ at }) => at)).toEqual([8.64e15, 0])
  for (const { at } of events) expect(() => new Date(at).toISOString()).not.toThrow()
})

test('arguments that are nested too deep do not harm what walks through them', () => {
  const deep = `{"type":"tool_called","at":1,"id":"a","name":"bash","arguments":${'['.repeat(9000)}${']'.repeat(9000)}}`
  const { events } = readSessionFile(file(prompt, deep))
  expect(JSON.stringify(events[1])).toContain('nested too deep')
})

describe('another file is refused in one line that says what to do', () => {
  test.each<[what: string, lines: (string | object)[], words: RegExp]>([
    [
      'a recording',
      [{ t: 0, dir: 'in', frame: { type: 'hello' } }],
      /recording of --record.*node scripts\/play-recording/,
    ],
    ['a recording of another agent', [{ agent: 'claude' }, { t: 0, dir: 'in', frame: {} }], /play-recording\.ts FILE/],
    ['a session of zot', [{ type: 'meta', meta: { id: 'a' } }], /session of zot.*`zotui import FILE`/],
    ['an export', [JSON.stringify({ format: 'zotui-session', version: 1 }, null, 2)], /is an export/],
    ['nothing', [], /is not a session\./],
    ['words', ['# Notes', '', 'This is no session.'], /is not a session\./],
    ['a header alone', [header], /is not a session\./],
    ['very many lines of something else', Array.from({ length: 1000 }, () => '{"a":1}'), /is not a session\./],
    [
      'names that objects have',
      ['{"__proto__":{"t":1},"constructor":1}', '"toString"', 'null', '[]'],
      /is not a session/,
    ],
  ])('%s', (_, lines, words) => {
    const refused = refusalOf(file(...lines))
    expect(`${refused.message} ${refused.hint}`).toMatch(words)
    expect(`${refused.message} ${refused.hint}`).not.toContain('\n')
    expect(refused.exitCode).toBe(2)
  })

  test('a folder, and a file that is not there', () => {
    mkdirSync(join(home.path, 'folder'))
    expect(refusalOf(join(home.path, 'folder')).message).toMatch(/is a folder\.$/)
    expect(refusalOf(join(home.path, 'nowhere')).message).toMatch(/cannot be read \(ENOENT\)\.$/)
  })
})

function refusalOf(path: string): UserError {
  try {
    readSessionFile(path)
  } catch (error) {
    if (error instanceof UserError) return error
    throw error
  }
  throw new Error('it was read')
}
