/** Earlier sessions: continuing with them, forks, the list. */
import { appendFileSync, copyFileSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { costs, ended, prompt, says, started, stops, type Told } from '../../conversation/events.ts'
import { makePlace, openProgram, promptsOf, type Place, type Program } from './stage.ts'

/** A program that has said something and left; returns its session. */
function past(place: Place, words: string, at = 0): string {
  const { sessions, tell, clock } = openProgram(place)
  clock.now += at
  tell(started, prompt(words), costs({ input: 10, output: 5, costUsd: 0.25 }), stops('end'), ended)
  sessions.close()
  return sessions.current().id
}

function filesIn(place: Place): string[] {
  const all = readdirSync(join(place.stateFolder, 'sessions'), { recursive: true, encoding: 'utf8' })
  return all.map(name => join(place.stateFolder, 'sessions', name))
}

const fileOf = (place: Place, id: string): string => filesIn(place).find(name => name.endsWith(`${id}.jsonl`)) ?? ''
const indexOf = (place: Place): string => filesIn(place).find(name => name.endsWith('index.jsonl')) ?? ''
const opens = (id: string): Told => ({ type: 'agent_session_opened', id })

/** The same of a megabyte. */
function longPast(place: Place): string {
  const { sessions, tell } = openProgram(place)
  tell(started)
  for (let turn = 0; turn < 100; turn += 1) tell(prompt(`${turn}`), says('word '.repeat(2000)), stops('end'), ended)
  sessions.close()
  return sessions.current().id
}

/** Takes all of a session. */
const all = (): boolean => true

const prompts = (program: Program, id: string): string[] => promptsOf(program.sessions.read(id)?.events ?? [])

describe('resuming a session', () => {
  test('adds to the same file from the next prompt on', async () => {
    const place = makePlace()
    const id = past(place, 'one')
    const before = readFileSync(fileOf(place, id), 'utf8')
    const program = openProgram(place)
    const resumed = await program.sessions.resume(id, all)
    expect(resumed).toMatchObject({ id, forked: null, skipped: 0 })
    expect(program.sessions.current().id).toBe(id)
    program.tell(started)
    expect(readFileSync(fileOf(place, id), 'utf8')).toBe(before)
    program.tell(prompt('two'))
    expect(prompts(program, id)).toEqual(['one', 'two'])
  })

  test("lists the agent's own sessions that it was led in; a file from before they were noted has none", async () => {
    const place = makePlace()
    const { sessions, tell } = openProgram(place)
    tell({ type: 'agent_starting', agent: 'claude' }, started, opens('a'), prompt('one'), ended, opens('b'), opens('a'))
    sessions.close()
    const list = async () => (await openProgram(place).sessions.list('folder')).map(each => each.agentSessions)
    expect(await list()).toEqual([['claude:a', 'claude:b']])
    const file = fileOf(place, sessions.current().id)
    const lines = readFileSync(file, 'utf8').split('\n')
    writeFileSync(file, lines.filter(line => !line.includes('agent_session_opened')).join('\n'))
    expect(await list()).toEqual([undefined])
    const old = openProgram(place).sessions.read(sessions.current().id)
    expect(old).toMatchObject({ skipped: 0 })
    expect(old?.events.map(({ type }) => type)).toContain('prompt_sent')
  })

  test('continues after a damaged line', async () => {
    const place = makePlace()
    const id = past(place, 'one')
    appendFileSync(fileOf(place, id), '{"type":"text_rec')
    const program = openProgram(place)
    expect((await program.sessions.resume(id, all))?.skipped).toBe(1)
    program.tell(prompt('two'))
    expect(prompts(program, id)).toEqual(['one', 'two'])
  })

  test('that is open elsewhere creates a fork, and leaves the other one unchanged', async () => {
    const place = makePlace()
    const other = openProgram(place)
    other.tell(started, prompt('one'))
    const { id } = other.sessions.current()
    const program = openProgram(place)
    expect(await program.sessions.resume(id, all)).toMatchObject({ forked: 'open elsewhere' })
    program.tell(prompt('mine'))
    other.tell(prompt('theirs'))
    const fork = program.sessions.current()
    expect(fork).toMatchObject({ parent: { id, turn: null } })
    expect(prompts(program, fork.id)).toEqual(['one', 'mine'])
    expect(prompts(program, id)).toEqual(['one', 'theirs'])
  })

  test('of another folder creates a fork here', async () => {
    const there = makePlace()
    const id = past(there, 'one')
    const program = openProgram({ ...there, projectFolder: join(there.projectFolder, 'elsewhere') })
    expect(program.sessions.newest()).toBeNull()
    expect(await program.sessions.resume(id, all)).toMatchObject({ forked: 'of another folder' })
    program.tell(prompt('two'))
    expect(program.sessions.newest()).toBe(program.sessions.current().id)
    expect(prompts(program, id)).toEqual(['one'])
  })

  test('of great length yields to other work', async () => {
    const place = makePlace()
    const id = longPast(place)
    const shares: number[] = []
    let turns = 0
    const turn = (): void => {
      turns += 1
      others = setImmediate(turn)
    }
    let others = setImmediate(turn)
    const program = openProgram(place)
    const events: AgentEvent[] = []
    const resumed = await program.sessions.resume(id, (piece, share) => {
      events.push(...piece)
      shares.push(share)
      return true
    })
    clearImmediate(others)
    expect(resumed).toMatchObject({ id, forked: null, skipped: 0 })
    expect(events).toEqual(program.sessions.read(id)?.events)
    expect(shares.length).toBeGreaterThan(5)
    expect(shares).toEqual(shares.toSorted((a, b) => a - b))
    expect(shares.at(-1)).toBe(1)
    expect(turns).toBeGreaterThan(3)
  })

  test('that is cancelled leaves it unchanged and unlocked', async () => {
    const place = makePlace()
    const id = longPast(place)
    const program = openProgram(place)
    const { id: own } = program.sessions.current()
    expect(await program.sessions.resume(id, (_events, share) => share < 0.5)).toBeNull()
    expect(program.sessions.current().id).toBe(own)
    expect(await openProgram(place).sessions.resume(id, all)).toMatchObject({ forked: null })
  })

  test('of an unknown name fails', async () => {
    const program = openProgram(makePlace())
    for (const id of ['nothing', '../../etc/passwd', '']) expect(await program.sessions.resume(id, all)).toBeNull()
    expect(program.problems).toEqual([])
  })

  test('and then starting a new one or a fork leaves the old one where it ended', () => {
    const place = makePlace()
    const program = openProgram(place)
    program.tell(started, prompt('one'))
    const first = program.sessions.current().id
    program.sessions.begin()
    program.tell(started, prompt('two'))
    const second = program.sessions.current().id
    program.sessions.begin({
      parent: { id: first, turn: 1 },
      events: program.sessions.read(first)?.events ?? [],
    })
    program.tell(prompt('three'))
    expect(prompts(program, first)).toEqual(['one'])
    expect(prompts(program, second)).toEqual(['two'])
    expect(prompts(program, program.sessions.current().id)).toEqual(['one', 'three'])
  })
})

/** A program with a fork in which nothing was said yet. */
function forked(place: Place): Program {
  const program = openProgram(place)
  program.tell(started, prompt('one'), ended, prompt('two'))
  const { sessions } = program
  const first = sessions.current().id
  sessions.begin({ parent: { id: first, turn: 1 }, events: (sessions.read(first)?.events ?? []).slice(0, 3) })
  return program
}

describe('a fork without a prompt yet', () => {
  test('is read like any other, though it is not on disk', () => {
    const program = forked(makePlace())
    const { id, isStored } = program.sessions.current()
    expect(isStored()).toBe(false)
    expect(prompts(program, id)).toEqual(['one'])
    expect(promptsOf([...program.sessions.find('"type":"prompt_sent"')].flat())).toEqual(['one'])
    program.tell(prompt('three'))
    expect(prompts(program, id)).toEqual(['one', 'three'])
  })

  test('is forked as the session on disk', () => {
    const place = makePlace()
    const { sessions, tell } = forked(place)
    const { id, parent } = sessions.current()
    sessions.begin({ parent: { id, turn: 0 }, events: [] })
    expect(sessions.current().parent).toEqual({ ...parent, turn: 0 })
    tell(prompt('four'))
    expect(filesIn(place).some(name => name.includes(id))).toBe(false)
  })
})

describe('the list of sessions', () => {
  test('has the newest first, with the facts to choose by', async () => {
    const place = makePlace()
    past(place, 'the old one', 0)
    past(place, 'the new one', 5000)
    const { sessions } = openProgram(place)
    expect(await sessions.list('folder')).toMatchObject([
      { firstPrompt: 'the new one', turns: 1, costUsd: 0.25, model: 'claude', title: '', parent: null },
      { firstPrompt: 'the old one', folder: place.projectFolder },
    ])
  })

  test('has no file whose name is not the id of a session: it would be printed as it is', async () => {
    const place = makePlace()
    past(place, 'a session')
    const [own] = await openProgram(place).sessions.list('folder')
    const path = indexOf(place).replace('index.jsonl', `${own?.id}.jsonl`)
    const odd = ['a\u001b]0;owned\u0007', 'a\nb', 'a b', '.hidden', 'a.b', 'a\u202eb'].map(name =>
      path.replace(own?.id ?? '', name),
    )
    for (const copy of odd) copyFileSync(path, copy)
    expect((await openProgram(place).sessions.list('all')).map(({ id }) => id)).toEqual([own?.id])
  })

  test('is of this folder, or of all folders', async () => {
    const place = makePlace()
    past(place, 'here')
    const { sessions } = openProgram({ ...place, projectFolder: join(place.projectFolder, 'elsewhere') })
    expect(await sessions.list('folder')).toEqual([])
    expect(await sessions.list('all')).toMatchObject([{ firstPrompt: 'here' }])
  })

  test.each([
    ['is missing', (index: string) => rmSync(index)],
    ['is torn', (index: string) => writeFileSync(index, readFileSync(index, 'utf8').slice(0, -20))],
    ['is no index', (index: string) => writeFileSync(index, 'what\n{}\n[1]\n')],
  ])('is the same if its index %s', async (_, spoil) => {
    const place = makePlace()
    for (const words of ['one', 'two', 'three']) past(place, words)
    const { sessions } = openProgram(place)
    const before = await sessions.list('folder')
    expect(before).toHaveLength(3)
    spoil(indexOf(place))
    expect((await sessions.list('folder')).toSorted(byId)).toEqual(before.toSorted(byId))
  })

  test('includes later events, even of a session that is open or was killed', async () => {
    const place = makePlace()
    const other = openProgram(place)
    other.tell(started, prompt('one'))
    const { sessions } = openProgram(place)
    expect(await sessions.list('folder')).toMatchObject([{ turns: 1 }])
    other.tell(ended, prompt('two'))
    expect(await sessions.list('folder')).toMatchObject([{ turns: 2, firstPrompt: 'one', prompts: 'one\ntwo\n' }])
  })

  test('has an index of bounded size', async () => {
    const place = makePlace()
    const id = past(place, 'one')
    for (let time = 0; time < 300; time += 1) {
      const { sessions, tell } = openProgram(place)
      await sessions.resume(id, all)
      tell(prompt('again'))
      sessions.close()
    }
    const { sessions } = openProgram(place)
    expect(await sessions.list('folder')).toMatchObject([{ turns: 301 }])
    expect(readFileSync(indexOf(place), 'utf8').trim().split('\n')).toHaveLength(1)
  })
})

describe('renaming and deleting', () => {
  test('works for an earlier session', async () => {
    const place = makePlace()
    const id = past(place, 'one')
    const { sessions } = openProgram(place)
    expect(sessions.rename(id, 'The parser')).toBe(true)
    expect(await sessions.list('folder')).toMatchObject([{ title: 'The parser', firstPrompt: 'one' }])
    expect(sessions.remove(id)).toBe(true)
    expect(await sessions.list('folder')).toEqual([])
  })

  test('does not make a renamed session the newest', async () => {
    const place = makePlace()
    const old = past(place, 'one', 0)
    const late = past(place, 'two', 5000)
    const { sessions } = openProgram(place)
    expect(sessions.newest()).toBe(late)
    expect(sessions.rename(old, 'The first')).toBe(true)
    expect(sessions.newest()).toBe(late)
    expect(await sessions.list('folder')).toMatchObject([{ id: late }, { title: 'The first' }])
  })

  test('knows the newest that is not open, or the newest of all if every one is', () => {
    const place = makePlace()
    const old = past(place, 'one', 0)
    const other = openProgram(place)
    other.tell(started, prompt('two'))
    const { id } = other.sessions.current()
    const { sessions } = openProgram(place)
    expect([sessions.newest(), sessions.newestClosed()]).toEqual([id, old])
    sessions.remove(old)
    expect(sessions.newestClosed()).toBe(id)
  })

  test('renames the open session, but does not delete it', () => {
    const place = makePlace()
    const { sessions, tell } = openProgram(place)
    sessions.rename(sessions.current().id, 'Early')
    tell(started, prompt('one'))
    const { id } = sessions.current()
    expect(sessions.read(id)?.title).toBe('Early')
    sessions.rename(id, 'Late')
    expect(sessions.read(id)?.title).toBe('Late')
    expect(sessions.current().title()).toBe('Late')
    expect(sessions.remove(id)).toBe(false)
  })

  test('does not change a session that is open elsewhere', () => {
    const place = makePlace()
    const other = openProgram(place)
    other.tell(started, prompt('one'))
    const { id } = other.sessions.current()
    const { sessions } = openProgram(place)
    expect(sessions.rename(id, 'Mine')).toBe(false)
    expect(sessions.remove(id)).toBe(false)
    other.sessions.close()
    expect(sessions.remove(id)).toBe(true)
  })
})

describe('old sessions', () => {
  test('are deleted after the set number of days, in all folders, except the open one', async () => {
    const place = makePlace()
    const old = past(place, 'old')
    const fresh = past(place, 'fresh')
    const other = openProgram({ ...place, projectFolder: join(place.projectFolder, 'elsewhere') })
    other.tell(started, prompt('open'))
    const open = other.sessions.current().id
    const { sessions, clock } = openProgram(place)
    for (const id of [old, open]) utimesSync(fileOf(place, id), 0, clock.now / 1000 - 31 * 86_400)
    utimesSync(fileOf(place, fresh), 0, clock.now / 1000 - 29 * 86_400)
    await sessions.expire(0)
    expect(await sessions.list('all')).toHaveLength(3)
    await sessions.expire(30)
    expect((await sessions.list('all')).map(({ id }) => id).toSorted()).toEqual([fresh, open].toSorted())
  })
})

const byId = (a: { id: string }, b: { id: string }): number => a.id.localeCompare(b.id)
