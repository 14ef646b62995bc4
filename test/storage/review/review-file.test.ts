/** The comments of a session on the disk: several programs, kills, torn lines, full disks, forks. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { text as wholeText } from 'node:stream/consumers'
import { describe, expect, test } from 'vitest'
import { formerReviewPath, reviewPath } from '../../../src/storage/sessions/beside.ts'
import { sessionPath } from '../../../src/storage/sessions/session-path.ts'
import { takeUnbegun } from '../../../src/storage/review/unbegun.ts'
import { openReviewFile } from '../../../src/storage/review/review-file.ts'
import { makePlace, openProgram, type Place } from '../sessions/stage.ts'
import { comment, reviewer, SESSION, sessionsFolder, textsOf } from './stage.ts'

const pathIn = (place: Place, session = SESSION): string => reviewPath(sessionsFolder(place), session)

describe('one program', () => {
  test('opening reads and creates nothing, also asking for comments', () => {
    const place = makePlace()
    const { file } = reviewer(place)
    expect([file.comments(), file.reads(), file.refresh()]).toEqual([[], [], false])
    expect(existsSync(place.stateFolder)).toBe(false)
  })

  test('comments and read marks are there for the next program, in a file that only the user can read', () => {
    const place = makePlace()
    const first = reviewer(place)
    first.file.put(comment('b', { madeAt: 2000 }))
    first.file.put(comment('a'))
    first.file.mark({ subject: 'session', path: 'src/a.ts', digest: 'd1', changedAt: 5 })
    const next = reviewer(place)
    expect(textsOf(next)).toEqual(['about a', 'about b'])
    expect(next.file.reads()).toMatchObject([{ path: 'src/a.ts', digest: 'd1' }])
    expect(statSync(pathIn(place)).mode & 0o777).toBe(0o600)
  })

  test('the newest version of a comment counts, also if the clock went back', () => {
    const place = makePlace()
    const { file } = reviewer(place)
    file.put(comment('a', { changedAt: 9000 }))
    expect(file.put(comment('a', { text: 'later', changedAt: 10 })).changedAt).toBe(9001)
    expect(textsOf(reviewer(place))).toEqual(['later'])
  })

  test('a dropped comment is gone, and comes back with a later version', () => {
    const place = makePlace()
    const { file } = reviewer(place)
    file.put(comment('a'))
    file.put(comment('a', { state: 'dropped' }))
    expect([textsOf({ file }), textsOf(reviewer(place))]).toEqual([[], []])
    file.put(comment('a'))
    expect(textsOf(reviewer(place))).toEqual(['about a'])
  })

  test('a read mark is taken away by an empty digest', () => {
    const place = makePlace()
    const { file } = reviewer(place)
    const mark = { subject: 'session', path: 'src/a.ts', changedAt: 5 }
    file.mark({ ...mark, digest: 'd1' })
    file.mark({ ...mark, digest: '' })
    expect([file.reads(), reviewer(place).file.reads()]).toEqual([[], []])
  })

  test('the same answer is the same object until something changes', () => {
    const { file } = reviewer(makePlace())
    file.put(comment('a'))
    const before = file.comments()
    expect(file.comments()).toBe(before)
    file.put(comment('b'))
    expect(file.comments()).not.toBe(before)
  })

  test('secrets are masked in the words and in the lines, here and in the file', () => {
    const place = makePlace()
    const { file } = reviewer(place, { redact: text => text.replaceAll('hunter22', 'hun[hidden]') })
    const lines = {
      side: 'after',
      from: 1,
      to: 1,
      excerpt: ['x = hunter22'],
      above: ['hunter22'],
      below: ['hunter22'],
    } as const
    const kept = file.put(
      comment('a', {
        text: 'drop hunter22',
        lines: { ...lines, excerpt: [...lines.excerpt], above: [...lines.above], below: [...lines.below] },
      }),
    )
    expect(kept.text).toBe('drop hun[hidden]')
    expect(JSON.stringify(file.comments())).not.toContain('hunter22')
    expect(readFileSync(pathIn(place), 'utf8')).not.toContain('hunter22')
  })

  test('without a place it is kept in memory', () => {
    const timers = { after: () => () => undefined }
    const file = openReviewFile(null, {
      redact: text => text,
      now: Date.now,
      timers,
      onProblem: words => expect.unreachable(words),
    })
    file.put(comment('a'))
    expect(textsOf({ file })).toEqual(['about a'])
  })

  test('a comment of 100 kB is kept whole', () => {
    const place = makePlace()
    const long = '界'.repeat(100_000)
    reviewer(place).file.put(comment('a', { text: long }))
    expect(textsOf(reviewer(place))).toEqual([long])
  })
})

describe('damage', () => {
  test('a torn line costs only itself, and the next comment is not damaged by it', () => {
    const place = makePlace()
    reviewer(place).file.put(comment('a'))
    appendFileSync(pathIn(place), '{"comment":{"id":"torn","te')
    const next = reviewer(place)
    next.file.put(comment('b', { madeAt: 2000 }))
    expect(textsOf(reviewer(place))).toEqual(['about a', 'about b'])
  })

  test('lines of another kind, of a later version and of nonsense are skipped', () => {
    const place = makePlace()
    mkdirSync(dirname(pathIn(place)), { recursive: true })
    const lines = ['null', '[]', '{"comment":null}', '{"comment":{"id":"x"}}', '{"mood":{}}', '\u0000\u001b[2J']
    const names = ['__proto__', 'constructor', 'toString'].map(id => JSON.stringify({ comment: comment(id) }))
    writeFileSync(pathIn(place), `${[...lines, ...names].join('\n')}\n`)
    expect(textsOf(reviewer(place))).toEqual(['about __proto__', 'about constructor', 'about toString'])
  })

  test('a comment that cannot be written stays, is reported once, and is written when that is possible again', () => {
    const place = makePlace()
    mkdirSync(pathIn(place), { recursive: true })
    const { file, problems } = reviewer(place)
    file.put(comment('a'))
    file.put(comment('b', { madeAt: 2000 }))
    expect(textsOf({ file })).toEqual(['about a', 'about b'])
    expect(problems).toHaveLength(1)
    expect(problems[0]).toMatch(/^Comments on the changes cannot be saved right now. Saving is retried: .+/)
    rmSync(pathIn(place), { recursive: true })
    file.refresh()
    expect(textsOf(reviewer(place))).toEqual(['about a', 'about b'])
  })

  test('a file that was removed while it is open comes back with all that is known', () => {
    const place = makePlace()
    const { file } = reviewer(place)
    file.put(comment('a'))
    file.refresh()
    rmSync(pathIn(place))
    file.put(comment('b', { madeAt: 2000 }))
    expect(textsOf(reviewer(place))).toEqual(['about a', 'about b'])
  })
})

describe('two programs', () => {
  test('each gets what the other adds, without losing its own', () => {
    const place = makePlace()
    const [one, two] = [reviewer(place), reviewer(place)]
    one.file.put(comment('a'))
    two.file.put(comment('b', { madeAt: 2000 }))
    expect([one.file.refresh(), two.file.refresh()]).toEqual([true, false])
    expect([textsOf(one), textsOf(two)]).toEqual([
      ['about a', 'about b'],
      ['about a', 'about b'],
    ])
    expect([one.file.refresh(), two.file.refresh()]).toEqual([false, false])
  })

  test('agree on one version if both changed a comment at the same time', () => {
    const place = makePlace()
    const [one, two] = [reviewer(place), reviewer(place)]
    one.file.put(comment('a', { text: 'of one' }))
    two.file.refresh()
    one.file.put(comment('a', { text: 'one again', changedAt: 7000 }))
    two.file.put(comment('a', { text: 'two again', changedAt: 7000 }))
    one.file.refresh()
    two.file.refresh()
    expect(textsOf(one)).toEqual(textsOf(two))
  })

  test('a change of one field leaves what the other has written, and keeps it known', () => {
    const place = makePlace()
    const [one, two] = [reviewer(place), reviewer(place)]
    one.file.put(comment('a'))
    expect(textsOf(two)).toEqual(['about a'])
    one.file.change('a', { state: 'sent', sentAt: 2000 })
    two.file.change('a', { draft: 'more' })
    one.file.change('a', { outcome: 'changed' })
    expect(two.file.change('a', { draft: undefined })).toMatchObject({
      state: 'sent',
      sentAt: 2000,
      outcome: 'changed',
    })
    expect(two.file.comments()[0]).not.toHaveProperty('draft')
    one.file.change('a', { state: 'dropped' })
    two.file.change('a', { outcome: 'unchanged' })
    expect(textsOf(two)).toEqual([])
    expect(two.file.change('b', { text: 'none' })).toBe(null)
  })

  test('who listens is told of what the other adds, and not any more after the end', () => {
    const place = makePlace()
    const [one, two] = [reviewer(place), reviewer(place)]
    let changes = 0
    const end = one.file.onChange(() => (changes += 1))
    two.file.put(comment('a'))
    one.look()
    one.look()
    expect(changes).toBe(1)
    end()
    two.file.put(comment('b'))
    one.look()
    expect(changes).toBe(1)
  })

  test('a large file is replaced by what counts, and the other program goes on with it', () => {
    const place = makePlace()
    const one = reviewer(place, { full: 4000 })
    const two = reviewer(place, { full: 4000 })
    two.file.put(comment('of two'))
    for (let at = 0; at < 300; at += 1) one.file.put(comment('a', { text: `version ${at}` }))
    one.file.put(comment('b', { text: 'a secret thought' }))
    one.file.put(comment('b', { text: 'a secret thought', state: 'dropped' }))
    for (let at = 0; at < 300; at += 1) one.file.put(comment('a', { text: `new version ${at}` }))
    expect(statSync(pathIn(place)).size).toBeLessThan(8000)
    expect(statSync(pathIn(place)).mode & 0o777).toBe(0o600)
    expect(readFileSync(pathIn(place), 'utf8')).not.toContain('a secret thought')
    two.file.put(comment('c'))
    two.file.refresh()
    expect(textsOf(two).toSorted()).toEqual(['about c', 'about of two', 'new version 299'])
    expect(textsOf(reviewer(place)).toSorted()).toEqual(['about c', 'about of two', 'new version 299'])
  })

  test('what a program left that was killed while it replaced the file is read, and taken in when it is old', () => {
    const place = makePlace()
    reviewer(place).file.put(comment('a'))
    const former = formerReviewPath(sessionsFolder(place), SESSION)
    linkSync(pathIn(place), former)
    rmSync(pathIn(place))
    reviewer(place).file.put(comment('b', { madeAt: 2000 }))
    expect(textsOf(reviewer(place))).toEqual(['about a', 'about b'])
    expect(existsSync(former)).toBe(true)
    const late = reviewer(place)
    late.clock.now += 2 * 3_600_000
    expect(textsOf(late)).toEqual(['about a', 'about b'])
    expect(existsSync(former)).toBe(false)
    expect(textsOf(reviewer(place))).toEqual(['about a', 'about b'])
  })

  test(
    'three that write at once and replace the file lose nothing, however often they are killed',
    { timeout: 60_000 },
    async () => {
      const place = makePlace()
      /** The last number that each program said was safe. */
      const safe = new Map<string, number>()
      for (let round = 0; round < 2; round += 1) {
        const names = ['one', 'two', 'three'].map(name => `${name}${round}`)
        await Promise.all(names.map(async (name, index) => safe.set(name, await written(place, name, 80 + 40 * index))))
      }
      // A second name that a killed program left is an hour old by now.
      const late = reviewer(place)
      late.clock.now += 2 * 3_600_000
      const known = new Map(late.file.comments().map(({ id, changedAt }) => [id, changedAt]))
      const lost = [...safe].flatMap(([name, last]) =>
        Array.from({ length: Math.min(20, last) }, (_, back) => last - back).filter(
          at => (known.get(`${name} ${at % 20}`) ?? 0) < at,
        ),
      )
      expect(lost).toEqual([])
      expect(late.problems).toEqual([])
      expect([...safe.values()].every(last => last > 0)).toBe(true)
    },
  )
})

/** Runs a program that writes, and kills it when it has written `until` comments. Resolves to the number that it said was safe. */
async function written(place: Place, name: string, until: number, session = SESSION): Promise<number> {
  const program = fileURLToPath(new URL('program.ts', import.meta.url))
  const child = spawn(process.execPath, [program, place.stateFolder, place.projectFolder, name, '5000', session])
  const ended = once(child, 'close')
  const trouble = wholeText(child.stderr)
  let last = 0
  let rest = ''
  for await (const piece of child.stdout) {
    const lines = (rest + String(piece)).split('\n')
    rest = lines.pop() ?? ''
    last = Number(lines.at(-1) ?? last)
    if (last >= until) child.kill('SIGKILL')
  }
  expect(await trouble).not.toContain('cannot')
  await ended
  return last
}

describe('beside the session', () => {
  test('a fork and a rewind take the comments along, and change only their own', () => {
    const place = makePlace()
    const { sessions, tell } = openProgram(place)
    tell({ type: 'prompt_sent', text: 'one', images: [] })
    const { id } = sessions.current()
    reviewer(place, { session: id }).file.put(comment('a'))
    sessions.begin({ parent: { id, turn: 1 }, events: [] })
    const fork = reviewer(place, { session: sessions.current().id })
    expect(textsOf(fork)).toEqual(['about a'])
    fork.file.put(comment('b', { madeAt: 2000 }))
    expect(textsOf(reviewer(place, { session: id }))).toEqual(['about a'])
  })

  test('a new conversation begins without comments', () => {
    const place = makePlace()
    const { sessions, tell } = openProgram(place)
    tell({ type: 'prompt_sent', text: 'one', images: [] })
    reviewer(place, { session: sessions.current().id }).file.put(comment('a'))
    sessions.begin()
    expect(textsOf(reviewer(place, { session: sessions.current().id }))).toEqual([])
  })

  test('a session that continues as another one, since a program has it open, keeps its comments', async () => {
    const place = makePlace()
    const [one, two] = [openProgram(place), openProgram(place)]
    one.tell({ type: 'prompt_sent', text: 'one', images: [] })
    const { id } = one.sessions.current()
    reviewer(place, { session: id }).file.put(comment('a'))
    const resumed = await two.sessions.resume(id, () => true)
    expect(resumed?.forked).toBe('open elsewhere')
    expect(textsOf(reviewer(place, { session: two.sessions.current().id }))).toEqual(['about a'])
  })

  test('comments are removed with their session', () => {
    const place = makePlace()
    const { sessions, tell } = openProgram(place)
    tell({ type: 'prompt_sent', text: 'one', images: [] })
    const { id } = sessions.current()
    reviewer(place, { session: id }).file.put(comment('a'))
    sessions.begin()
    expect(sessions.remove(id)).toBe(true)
    expect(existsSync(pathIn(place, id))).toBe(false)
  })

  test('comments expire with their session, which is as new as they are; so do those of a session that never began', async () => {
    const place = makePlace()
    const { sessions, tell, clock } = openProgram(place)
    clock.now = Date.now()
    tell({ type: 'prompt_sent', text: 'one', images: [] })
    const { id } = sessions.current()
    sessions.begin()
    reviewer(place, { session: id }).file.put(comment('a'))
    reviewer(place, { session: 'never-began' }).file.put(comment('a'))
    await sessions.expire(1)
    expect([existsSync(pathIn(place, id)), existsSync(pathIn(place, 'never-began'))]).toEqual([true, true])
    clock.now += 3 * 86_400_000
    await sessions.expire(1)
    expect([sessions.has(id), existsSync(pathIn(place, id)), existsSync(pathIn(place, 'never-began'))]).toEqual([
      false,
      false,
      false,
    ])
  })

  test('those of a session that never began are taken over by the next one, when their program has ended, once', async () => {
    const place = makePlace()
    const running = reviewer(place, { session: 'in-this-program' })
    running.file.put(comment('here'))
    for (const name of ['one', 'two']) await written(place, name, 3, `never-began-${name}`)
    const next = reviewer(place, { session: 'fresh' })
    const ids = next.file.comments().map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['one 1', 'one 2', 'one 3', 'two 1', 'two 2', 'two 3']))
    expect(ids).not.toContain('here')
    expect(
      reviewer(place, { session: 'fresh' })
        .file.comments()
        .map(({ id }) => id),
    ).toEqual(ids)
    expect(reviewer(place, { session: 'later' }).file.comments()).toEqual([])
    expect(existsSync(pathIn(place, 'never-began-one'))).toBe(false)
  })

  test('those that a killed program was taking over itself are taken over, too', async () => {
    const place = makePlace()
    await written(place, 'one', 3, 'killed')
    const folder = sessionsFolder(place)
    renameSync(pathIn(place, 'killed'), formerReviewPath(folder, 'killed'))
    await written(place, 'two', 1, 'killed')
    const ids = reviewer(place, { session: 'fresh' })
      .file.comments()
      .map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining(['one 1', 'one 2', 'one 3', 'two 1']))
    expect(existsSync(formerReviewPath(folder, 'killed'))).toBe(false)
  })

  test('the session is marked before anything is moved to it', async () => {
    const place = makePlace()
    await written(place, 'one', 3, 'never-began-one')
    const folder = sessionsFolder(place)
    let marks: readonly string[] = []
    takeUnbegun(folder, 'fresh', Date.now(), () => (marks = readdirSync(join(folder, 'reviewing'))))
    expect(marks).toContainEqual(expect.stringMatching(/^fresh\./))
  })

  test('what was moved to the session before is not overwritten', async () => {
    const place = makePlace()
    await written(place, 'one', 3, 'never-began')
    const folder = sessionsFolder(place)
    writeFileSync(formerReviewPath(folder, 'fresh'), `${JSON.stringify({ comment: comment('moved') })}\n`)
    expect(textsOf(reviewer(place, { session: 'fresh' }))).toEqual(['about moved'])
    expect(existsSync(formerReviewPath(folder, 'fresh'))).toBe(true)
    expect(existsSync(reviewPath(folder, 'never-began'))).toBe(true)
  })

  test('those of a session that began later stay with it', async () => {
    const place = makePlace()
    await written(place, 'one', 3, 'began')
    writeFileSync(sessionPath(sessionsFolder(place), 'began'), '{}\n')
    expect(reviewer(place, { session: 'fresh' }).file.comments()).toEqual([])
    expect(reviewer(place, { session: 'began' }).file.comments().length).toBeGreaterThan(2)
    expect(reviewer(place, { session: 'fresh' }).file.comments()).toEqual([])
  })

  test('comments are no sessions', async () => {
    const place = makePlace()
    const { sessions } = openProgram(place)
    reviewer(place, { session: 'never-began' }).file.put(comment('a'))
    expect([await sessions.list('folder'), sessions.newest(), sessions.has('never-began.review')]).toEqual([
      [],
      null,
      false,
    ])
  })
})
