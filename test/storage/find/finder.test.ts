/** The search as the rest of the program has it: in a thread of its own, and with other programs beside it. */
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { writePast } from '../../../bench/past.ts'
import { catchUp } from '../../../src/storage/find/catch-up.ts'
import { FindDatabase, isFull } from '../../../src/storage/find/database.ts'
import { openSessionFinder, type SessionFinderOptions } from '../../../src/storage/find/finder.ts'
import type { FindQuery, SessionFinder } from '../../../src/storage/find/passage.ts'
import { canSearch, searchNeeds } from '../../../src/storage/find/support.ts'
import { createPace } from '../../../src/platform/pace.ts'
import { ended, prompt } from '../../conversation/events.ts'
import { indexOf, stateFolder, writeEvents } from './stage.ts'

const query = (words: string): FindQuery => ({
  words,
  folder: null,
  agent: null,
  since: null,
  kinds: null,
  failed: false,
})

function finderOf(state: string, options: SessionFinderOptions = {}): SessionFinder {
  const finder = openSessionFinder(state, { isEager: true, ...options })
  onTestFinished(() => finder.close())
  return finder
}

/** A program that builds the index and ends. */
const builder = fileURLToPath(new URL('build-index.ts', import.meta.url))

function build(state: string) {
  return execa(process.execPath, [builder, state], { reject: false })
}

async function answerOf(finder: SessionFinder, words: string): Promise<string[]> {
  const answer = await finder.find(query(words), 20)
  if (!answer.ok) throw new Error(answer.why)
  return answer.found.map(({ excerpt }) => excerpt)
}

describe('the thread', () => {
  test('finds nothing in a folder without sessions, and opens nothing before it is asked', async () => {
    const state = stateFolder()
    const finder = finderOf(state)
    expect(readdirSync(state)).toEqual([])
    expect(await finder.catchUp()).toBeNull()
    expect(await finder.find(query('x'), 5)).toEqual({ ok: true, found: [], share: 1, isCut: false })
  })

  test('answers while it builds the index, and says how much of it there is', async () => {
    const state = stateFolder()
    writePast(state, 3 * 1024 * 1024)
    const finder = finderOf(state, { isEager: false })
    const built = finder.catchUp()
    const shares: number[] = []
    await vi.waitFor(async () => {
      const answer = await finder.find(query('the'), 5)
      if (answer.ok) shares.push(answer.share)
      expect(answer).toMatchObject({ ok: true, share: 1 })
    }, 30_000)
    expect(await built).toBeNull()
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
  })

  test('a pause ends the building, and the next question and the next building begin anew; nothing is paused while a question waits', async () => {
    const state = stateFolder()
    writePast(state, 2 * 1024 * 1024)
    const finder = finderOf(state, { isEager: false })
    const built = finder.catchUp()
    expect((await finder.find(query('the'), 5)).ok).toBe(true)
    finder.pause()
    expect(await built).toBeNull()
    const asked = finder.find(query('the'), 5)
    finder.pause()
    expect((await asked).ok).toBe(true)
    await vi.waitFor(async () => {
      expect(await finder.catchUp()).toBeNull()
      expect(await finder.find(query('the'), 5)).toMatchObject({ ok: true, share: 1 })
    }, 30_000)
  })

  test('answers each of many questions, also those that a later one has ended', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', [prompt('one quick brown fox'), ended])
    const finder = finderOf(state)
    await finder.catchUp()
    const answers = await Promise.all(
      ['q', 'qu', 'qui', 'quick', 'quick br'].map(words => finder.find(query(words), 5)),
    )
    expect(answers.every(({ ok }) => ok)).toBe(true)
    expect(answers.at(-1)).toMatchObject({ found: [{ kind: 'prompt' }] })
  })

  test('that cannot start, or dies, is a reason and no error; the next question starts another one', async () => {
    const state = stateFolder()
    const thread = join(state, 'thread.mjs')
    writeFileSync(thread, 'throw new Error("no room")')
    const finder = finderOf(state, { thread })
    const lost = /^The search ended unexpectedly\..*no room/
    expect(await finder.find(query('x'), 5)).toEqual({ ok: false, why: expect.stringMatching(lost) })
    expect(await finder.catchUp()).toMatch(lost)
  })

  test('that is closed answers what waits for it, and lets go of the database', async () => {
    const state = stateFolder()
    writePast(state, 1024 * 1024)
    const finder = openSessionFinder(state)
    const [built, found] = [finder.catchUp(), finder.find(query('the'), 5)]
    finder.close()
    expect(await built).toBeNull()
    expect((await found).ok).toBe(false)
    expect((await finder.find(query('x'), 5)).ok).toBe(false)
    // Another one goes on where this one was.
    expect(await finderOf(state).catchUp()).toBeNull()
  })
})

describe('several programs', () => {
  test('build one index together: each passage is in it once', async () => {
    const state = stateFolder()
    const { sessions } = writePast(state, 4 * 1024 * 1024)
    const built = await Promise.all([build(state), build(state), build(state)])
    expect(built.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['null', 'null', 'null'])
    const alone = stateFolder()
    writePast(alone, 4 * 1024 * 1024)
    await indexOf(alone).catchUp()
    const [one, other] = [state, alone].map(folder => countsOf(folder))
    expect(one).toEqual(other)
    expect(one?.sessions).toBe(sessions)
  })

  test('search what there is while another one builds the index, and wait to build it until that one has ended', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', [prompt('the first wombat'), ended])
    const builder = indexOf(state)
    await builder.catchUp()
    writeEvents(state, 'b', [prompt('the second wombat'), ended])
    // It is in the middle of a transaction for as long as this test wants.
    const until = Date.now() + 9000
    builder.database.run(`insert or replace into facts values('owner', 'builder'), ('until', ?)`, until)
    builder.database.run('begin immediate')
    const finder = finderOf(state)
    const built = finder.catchUp()
    expect(await answerOf(finder, 'wombat')).toEqual(['the first wombat'])
    // Also a lease that has run out is left to the one who still writes.
    builder.database.run(`update facts set value = 0 where name = 'until'`)
    expect(await answerOf(finder, 'wombat')).toEqual(['the first wombat'])
    builder.database.run('commit')
    expect(await built).toBeNull()
    expect((await answerOf(finder, 'wombat')).toSorted()).toEqual(['the first wombat', 'the second wombat'])
  })

  test('are not held up by one that was killed in the middle, and find what it had written', async () => {
    const state = stateFolder()
    writePast(state, 12 * 1024 * 1024)
    const killed = build(state)
    const log = join(state, 'find.db-wal')
    await vi.waitFor(() => expect(existsSync(log) && statSync(log).size > 500_000).toBe(true), 20_000)
    killed.kill('SIGKILL')
    expect((await killed).signal).toBe('SIGKILL')
    const finder = finderOf(state)
    expect((await answerOf(finder, 'the')).length).toBeGreaterThanOrEqual(0)
    expect(await finder.catchUp()).toBeNull()
    const alone = stateFolder()
    writePast(alone, 12 * 1024 * 1024)
    await indexOf(alone).catchUp()
    expect(countsOf(state)).toEqual(countsOf(alone))
  })
})

/** The number of sessions and passages, and of each word's passages. */
function countsOf(state: string): { sessions: unknown; passages: unknown; words: unknown } {
  const database = new DatabaseSync(join(state, 'find.db'))
  const count = (sql: string): unknown => database.prepare(sql).get()?.['n']
  const counts = {
    sessions: count('select count(*) as n from sessions where size = seen'),
    passages: count('select count(*) as n from passages'),
    words: count(`select count(*) as n from words where words match 'the'`),
  }
  database.close()
  return counts
}

describe('trouble', () => {
  test('a full disk ends the work, what is found stays, and the rest follows when there is room', async () => {
    const state = stateFolder()
    writePast(state, 8 * 1024 * 1024)
    let room = 400
    const open = (): FindDatabase =>
      new FindDatabase(join(state, 'find.db'), path => {
        const opened = new DatabaseSync(path)
        opened.exec(`pragma max_page_count = ${room}`)
        return opened
      })
    const options = {
      root: join(state, 'sessions'),
      owner: 'a',
      pace: createPace(1000),
      now: Date.now,
      isClosed: () => false,
    }
    const database = open()
    const error: unknown = await catchUp({ ...options, database }).catch((thrown: unknown) => thrown)
    expect(isFull(error)).toBe(true)
    expect(database.get('select count(*) as n from passages')?.['n']).toBeGreaterThanOrEqual(0)
    database.close()
    room = 1_000_000
    const larger = open()
    await catchUp({ ...options, database: larger })
    larger.close()
    const { found } = await indexOf(state).ask('the')
    expect(found.length).toBeGreaterThan(0)
  })

  test('an index whose pages are damaged while it is used is built again', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', [prompt('the wolverine'), ended])
    const finder = finderOf(state)
    await finder.catchUp()
    finder.close()
    const path = join(state, 'find.db')
    await vi.waitFor(() => expect(existsSync(`${path}-wal`)).toBe(false), 5000)
    const { size } = statSync(path)
    writeFileSync(path, Buffer.concat([Buffer.from('SQLite format 3\0'), Buffer.alloc(size - 16, 7)]))
    const again = finderOf(state)
    expect(await again.catchUp()).toBeNull()
    expect(await answerOf(again, 'wolverine')).toEqual(['the wolverine'])
  })

  test('a state folder that cannot be written is a line', async () => {
    const state = stateFolder()
    const file = join(state, 'file')
    writeFileSync(file, '')
    const finder = finderOf(join(file, 'below'))
    expect(await finder.catchUp()).toMatch(/^The index of your sessions cannot be used: .*\.$/)
    expect((await finder.find(query('x'), 5)).ok).toBe(false)
    rmSync(file)
  })

  test.each([
    ['22.12.0', false],
    ['22.15.1', false],
    ['22.16.0', true],
    ['24.0.0', true],
    ['20.19.0', false],
  ])('Node %s can search: %j', (node, can) => {
    expect(canSearch(node)).toBe(can)
    expect(searchNeeds(node)).toContain(node)
  })
})
