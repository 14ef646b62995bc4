/** The session that `--continue` opens: what was on the screen last and has a turn. */
import { appendFileSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SessionKind } from '../../../src/conversation/queries/session/session-kind.ts'
import type { SessionSummary } from '../../../src/conversation/queries/session/session-summary.ts'
import { openSessionFiles } from '../../../src/storage/sessions/session-files.ts'
import { ended, fails, prompt, started, stops, type Told } from '../../conversation/events.ts'
import { makePlace, openProgram, type Place } from './stage.ts'

const worked: readonly Told[] = [prompt('do it'), stops('end'), ended]
const failed: readonly Told[] = [prompt('do it'), stops('error', 'overloaded'), ended]

type Past = { kind?: SessionKind; isShown?: boolean; told?: readonly Told[]; at?: number }

/** A session of a program that has left; it began at `at`. */
function past(place: Place, { kind, isShown = kind === undefined, told = worked, at = 0 }: Past = {}): string {
  const { sessions, tell, clock } = openProgram(place, kind)
  clock.now += at
  if (isShown) sessions.show(true)
  tell(started, ...told)
  sessions.close()
  return sessions.current().id
}

const filesOf = ({ stateFolder, projectFolder }: Place) => openSessionFiles(stateFolder, projectFolder)
const onScreen = async (place: Place): Promise<string | null> => filesOf(place).toContinue(Date.now(), false)
const printed = async (place: Place): Promise<string | null> => filesOf(place).toContinue(Date.now(), true)

async function summaries(place: Place): Promise<Map<string, SessionSummary>> {
  const listed = await filesOf(place).list('folder', error => expect.fail(String(error)))
  return new Map(listed.map(summary => [summary.id, summary]))
}

/** Only the files of the sessions can tell then. */
const withoutIndex = (place: Place): void => rmSync(join(filesOf(place).own, 'index.jsonl'))

describe('on a screen', () => {
  test('it is the session that was there last, not the one that was written last', async () => {
    const place = makePlace()
    const first = past(place, { at: 0 })
    const shown = past(place, { at: 1000 })
    past(place, { kind: 'print', at: 2000 })
    past(place, { kind: 'background', at: 3000 })
    past(place, { kind: 'spawned', at: 4000 })
    expect(await onScreen(place)).toBe(shown)
    rmSync(join(filesOf(place).own, `${shown}.jsonl`))
    expect(await onScreen(place)).toBe(first)
  })

  test('a conversation that was opened beside counts from the moment at which it was looked at', async () => {
    const place = makePlace()
    const main = openProgram(place)
    main.sessions.show(true)
    main.tell(started, ...worked)
    const beside = openProgram(place, 'spawned')
    beside.clock.now += 1000
    beside.tell(started, ...worked)
    main.sessions.close()
    beside.sessions.close()
    expect(await onScreen(place)).toBe(main.sessions.current().id)
    const again = openProgram(place)
    again.clock.now += 60_000
    await again.sessions.resume(beside.sessions.current().id, () => true)
    again.sessions.show(true)
    again.sessions.close()
    expect(await onScreen(place)).toBe(beside.sessions.current().id)
  })

  test('what happens on the screen counts, and what happens after it has left the screen does not', async () => {
    const place = makePlace()
    const one = openProgram(place)
    const two = openProgram(place)
    for (const { sessions, tell } of [one, two]) {
      sessions.show(true)
      tell(started, ...worked)
    }
    two.sessions.show(false)
    two.clock.now += 9000
    two.tell(...worked)
    one.clock.now += 5000
    one.tell(...worked)
    one.sessions.close()
    two.sessions.close()
    expect(await onScreen(place)).toBe(one.sessions.current().id)
  })

  test('a session whose turns all failed is passed over, and so is one that only ran a command', async () => {
    const place = makePlace()
    const good = past(place, { at: 0 })
    past(place, { told: failed, at: 1000 })
    past(place, { told: [prompt('do it'), fails('no credential'), ended], at: 2000 })
    past(place, { told: [prompt('do it'), { type: 'prompt_refused', message: 'busy' }], at: 3000 })
    past(place, { told: [{ type: 'shell_started', command: 'ls', shared: true }], at: 4000 })
    expect(await onScreen(place)).toBe(good)
    const mended = past(place, { told: [...failed, ...worked], at: 5000 })
    expect(await onScreen(place)).toBe(mended)
  })

  test('a turn that is tried again and then works has not failed', async () => {
    const place = makePlace()
    const id = past(place, { told: [prompt('do it'), stops('error', 'overloaded'), stops('end'), ended] })
    expect(await onScreen(place)).toBe(id)
  })

  test('there is none where nothing was on the screen', async () => {
    const place = makePlace()
    expect(await onScreen(place)).toBeNull()
    past(place, { kind: 'print' })
    past(place, { told: failed })
    expect(await onScreen(place)).toBeNull()
  })

  test('one that is open elsewhere comes only after all others', async () => {
    const place = makePlace()
    const closed = past(place, { at: 0 })
    const open = openProgram(place)
    open.clock.now += 5000
    open.sessions.show(true)
    open.tell(started, ...worked)
    open.sessions.flush()
    expect(await onScreen(place)).toBe(closed)
    rmSync(join(filesOf(place).own, `${closed}.jsonl`))
    expect(await onScreen(place)).toBe(open.sessions.current().id)
  })

  test('a fork and a resumed session are on the screen as well; a killed one is no longer when -p continues it', async () => {
    const place = makePlace()
    const parent = past(place)
    const program = openProgram(place)
    program.clock.now += 1000
    program.sessions.show(true)
    await program.sessions.resume(parent, () => true)
    program.clock.now += 1000
    program.sessions.begin({ parent: { id: parent, turn: null }, events: [] })
    program.tell(started, ...worked)
    program.sessions.flush()
    const fork = program.sessions.current().id
    program.sessions.close()
    const later = past(place, { at: 5000 })
    // A program that was killed wrote no more.
    const print = openProgram(place, 'print')
    print.clock.now += 9000
    await print.sessions.resume(fork, () => true)
    print.clock.now += 1000
    print.tell(started, ...worked)
    print.sessions.close()
    const facts = await summaries(place)
    expect(facts.get(fork)?.shownAt).toBe(program.clock.now + 7000)
    expect(facts.get(fork)?.isShown).toBeUndefined()
    expect(facts.get(later)?.isShown).toBe(true)
  })
})

describe('without a screen', () => {
  test('it is the newest of all, but for those that another conversation began and those that failed', async () => {
    const place = makePlace()
    past(place, { at: 0 })
    const last = past(place, { kind: 'print', at: 1000 })
    past(place, { kind: 'spawned', at: 2000 })
    past(place, { kind: 'print', told: failed, at: 3000 })
    expect(await printed(place)).toBe(last)
  })
})

test('the files of the sessions say the same as the index', async () => {
  const place = makePlace()
  const shown = past(place, { at: 0 })
  const last = past(place, { kind: 'print', at: 1000 })
  past(place, { told: failed, at: 2000 })
  const before = [await onScreen(place), await printed(place)]
  withoutIndex(place)
  expect([await onScreen(place), await printed(place)]).toEqual(before)
  expect(before).toEqual([shown, last])
  expect(readdirSync(filesOf(place).own)).not.toContain('nothing')
})

test('a damaged index, and words that are none of ours in it, hide nothing', async () => {
  const place = makePlace()
  const shown = past(place)
  const index = join(filesOf(place).own, 'index.jsonl')
  for (const summary of [
    { id: shown, turns: 'many' },
    { id: shown, turns: 1, shownAt: 'now' },
    { id: shown, turns: 1, agent: 5 },
  ]) {
    appendFileSync(index, `${JSON.stringify({ size: 1e9, summary })}\n{"size":`)
    expect(await onScreen(place)).toBe(shown)
  }
})
