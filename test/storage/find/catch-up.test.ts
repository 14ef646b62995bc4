/** Sessions in the index: what is in it, and what has left it. */
import { appendFileSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { createRedactor } from '../../../src/storage/sessions/secrets.ts'
import { jsonLine } from '../../../src/storage/jsonl-write.ts'
import {
  answered,
  call,
  calls,
  ended,
  fails,
  prompt,
  returns,
  says,
  step,
  stops,
  text,
  timed,
  type Told,
} from '../../conversation/events.ts'
import { indexOf, NOW, stateFolder, writeEvents } from './stage.ts'

const DAY = 86_400_000

const turn = (words: string, ...events: readonly Told[]): Told[] => [prompt(words), ...events, ended]

const edit = { path: 'src/parser.ts', edits: [{ oldText: 'const before = 1', newText: 'const behind = 2' }] }

describe('the index has', () => {
  test('prompts, answers, commands, results, diffs and names of files, each with its place', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', [
      prompt('Please mend the aardvark'),
      says('I look at the bison'),
      answered(text('I look at the bison'), call('c1', 'bash', { command: 'grep caribou' })),
      calls('c1', 'bash', { command: 'grep caribou' }),
      returns('c1', 'dromedary: found'),
      calls('c2', 'edit', edit),
      returns('c2', '-const before = 1\n+const behind = 2\n const elephant'),
      answered(text('It is mended, says the ferret')),
      ended,
    ])
    const index = indexOf(state)
    await index.catchUp()
    const found = async (words: string): Promise<unknown> =>
      (await index.find(words)).map(({ kind, place, folder, agent, title }) =>
        Object.assign({ kind, folder, agent, title }, place),
      )
    const session = { session: 'a', folder: '/home/me/project', agent: 'zot', title: 'Please mend the aardvark' }
    expect(await found('aardvark')).toEqual([{ ...session, kind: 'prompt', at: NOW + 1000, call: null }])
    expect(await found('bison')).toEqual([{ ...session, kind: 'answer', at: NOW + 3000, call: null }])
    expect(await found('caribou')).toEqual([{ ...session, kind: 'command', at: NOW + 4000, call: 'c1' }])
    expect(await found('dromedary')).toEqual([{ ...session, kind: 'result', at: NOW + 5000, call: 'c1' }])
    expect(await found('parser ts')).toEqual([{ ...session, kind: 'file', at: NOW + 6000, call: 'c2' }])
    expect(await found('behind elephant')).toEqual([{ ...session, kind: 'diff', at: NOW + 7000, call: 'c2' }])
    expect(await found('ferret')).toEqual([{ ...session, kind: 'answer', at: NOW + 8000, call: null }])
    expect(await index.ask('zzz')).toEqual({ ok: true, found: [], share: 1, isCut: false })
  })

  test('an answer in pieces as one text, also if the index read its beginning before its end was there', async () => {
    const state = stateFolder()
    const index = indexOf(state)
    writeEvents(state, 'a', [prompt('go'), says('The gir'), says('affe looks at '), step(2)])
    await index.catchUp()
    expect(await index.find('giraffe')).toEqual([])
    writeEvents(state, 'a', [says('the hippo')])
    await index.catchUp()
    writeEvents(state, 'a', [calls('c1', 'bash', { command: 'ls' }), says('and the ibis'), ended])
    await index.catchUp()
    expect(await index.find('giraffe hippo')).toMatchObject([
      { excerpt: 'The giraffe looks at the hippo', kind: 'answer' },
    ])
    expect(await index.find('ibis')).toMatchObject([{ excerpt: 'and the ibis' }])
  })

  test('an answer that nobody finished, once its session has rested for a minute', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', [prompt('go'), says('The jackal')])
    const index = indexOf(state, { now: NOW + 2 * 60_000 })
    await index.catchUp()
    expect(await index.find('jackal')).toHaveLength(1)
  })

  test('nothing of an answer that was withdrawn or replaced', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', [
      prompt('go'),
      says('The koala'),
      { type: 'answer_withdrawn' },
      says('The lemur'),
      answered(text('The meerkat')),
      ended,
    ])
    const index = indexOf(state)
    await index.catchUp()
    for (const word of ['koala', 'lemur']) expect(await index.find(word)).toEqual([])
    expect(await index.find('meerkat')).toHaveLength(1)
  })

  test('whether a call or a turn failed, also if that came later', async () => {
    const state = stateFolder()
    const index = indexOf(state)
    writeEvents(state, 'a', [prompt('first narwhal'), calls('c1', 'bash', { command: 'make narwhal' })])
    await index.catchUp()
    expect(await index.find('narwhal', { failed: true })).toEqual([])
    writeEvents(state, 'a', [returns('c1', 'no narwhal', true), answered(text('narwhal')), ended])
    writeEvents(state, 'a', turn('second narwhal', stops('error', 'overloaded narwhal')))
    writeEvents(state, 'a', turn('third narwhal', fails('a narwhal broke')))
    await index.catchUp()
    const failed = await index.find('narwhal', { failed: true })
    expect(failed.map(({ kind, excerpt }) => `${kind}: ${excerpt}`).toSorted()).toEqual([
      'command: make narwhal',
      'prompt: second narwhal',
      'prompt: third narwhal',
      'result: a narwhal broke',
      'result: no narwhal',
      'result: overloaded narwhal',
    ])
  })

  test('side questions with their answers, and what an agent asked the user in a form', async () => {
    const state = stateFolder()
    const path = writeEvents(state, 'a', [
      prompt('go'),
      { type: 'question_asked', id: 'q', message: 'Which narwhal?', fields: [] },
      { type: 'question_answered', id: 'q', answer: 'given', values: { name: 'the grey narwhal', count: 3 } },
      ended,
    ])
    const side = {
      type: 'side_ended',
      at: NOW + 9000,
      question: 'is a narwhal a whale',
      outcome: 'done',
      answer: 'A narwhal is.',
    }
    appendFileSync(path, jsonLine(side))
    const index = indexOf(state)
    await index.catchUp()
    const found = await index.find('narwhal')
    expect(found.map(({ kind, excerpt }) => `${kind}: ${excerpt}`).toSorted()).toEqual([
      'answer: A narwhal is.',
      'answer: Which narwhal?',
      'prompt: is a narwhal a whale',
      'prompt: the grey narwhal',
    ])
  })

  test('a text of a million characters in passages, each with its own words', async () => {
    const state = stateFolder()
    const long = Array.from({ length: 120_000 }, (_, number) => `line${number}`).join(' ')
    writeEvents(state, 'a', [prompt('go'), calls('c1', 'read'), returns('c1', long), ended])
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('"line90000 line90001"')).toMatchObject([{ place: { call: 'c1' } }])
    // What is behind the first million is not searched.
    expect(await index.find('line119999')).toEqual([])
  })

  test('the words of damaged lines and of lines of a newer zotui not, and those of the others', async () => {
    const state = stateFolder()
    const path = writeEvents(state, 'a', turn('one okapi'))
    appendFileSync(
      path,
      'x\n{"type":"prompt_sent","at":1,"text":"torn okapi\n{"type":"from_the_future","text":"okapi"}\n',
    )
    writeEvents(state, 'a', turn('two okapi'))
    appendFileSync(path, jsonLine({ type: 'prompt_sent', at: NOW, text: 'an unfinished okapi', images: [] }).trimEnd())
    const index = indexOf(state)
    await index.catchUp()
    expect((await index.find('okapi')).map(({ excerpt }) => excerpt).toSorted()).toEqual(['one okapi', 'two okapi'])
    appendFileSync(path, '\n')
    await index.catchUp()
    expect(await index.find('okapi')).toHaveLength(3)
  })

  test('names that every object has', async () => {
    const state = stateFolder()
    writeEvents(
      state,
      'constructor',
      [prompt('__proto__ toString'), calls('__proto__', 'constructor', { constructor: 'puma' }), ended],
      {
        project: '/__proto__',
        agent: 'constructor',
      },
    )
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('puma', { folder: '/__proto__', agent: 'constructor' })).toMatchObject([
      { place: { session: 'constructor', call: '__proto__' } },
    ])
  })

  test('of a secret nothing, since it is in no session', async () => {
    const state = stateFolder()
    const key = 'sk-ant-0123456789abcdef'
    const { push, flush } = createRedactor([key])
    const events = timed(
      [prompt(`use ${key}`), says(`I use ${key.slice(0, 9)}`), says(`${key.slice(9)} now`), ended],
      NOW,
    )
    const path = writeEvents(state, 'a', [])
    appendFileSync(path, [...events.flatMap(push), ...flush()].map(jsonLine).join(''))
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('use')).toHaveLength(2)
    expect(await index.find('0123456789abcdef')).toEqual([])
    index.database.close()
    expect(readFileSync(join(state, 'find.db')).includes('0123456789abcdef')).toBe(false)
  })
})

describe('a query is answered', () => {
  test('within a folder, an agent, a time and kinds', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', turn('old quokka'), { daysAgo: 30, agent: 'claude' })
    writeEvents(state, 'b', turn('new quokka', answered(text('quokka!'))), { project: '/home/me/other' })
    const index = indexOf(state)
    await index.catchUp()
    const ids = async (more: Parameters<typeof index.find>[1]): Promise<string[]> =>
      (await index.find('quokka', more)).map(({ place, kind }) => `${place.session} ${kind}`)
    expect(await ids({})).toEqual(['b prompt', 'b answer', 'a prompt'])
    expect(await ids({ folder: '/home/me/project' })).toEqual(['a prompt'])
    expect(await ids({ folder: '/nowhere' })).toEqual([])
    expect(await ids({ agent: 'claude' })).toEqual(['a prompt'])
    expect(await ids({ since: NOW - 7 * DAY })).toEqual(['b prompt', 'b answer'])
    expect(await ids({ kinds: ['answer'] })).toEqual(['b answer'])
    expect(await ids({ kinds: ['answer', 'prompt'], agent: 'zot' })).toEqual(['b prompt', 'b answer'])
    expect((await index.find('', { kinds: ['prompt'] })).map(({ excerpt }) => excerpt)).toEqual([
      'new quokka',
      'old quokka',
    ])
  })

  test('with the passages of a fork once', async () => {
    const state = stateFolder()
    for (const id of ['a', 'b']) writeEvents(state, id, turn('the raccoon'))
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('raccoon')).toHaveLength(1)
  })

  test('by a phrase as it stands, even if thousands of passages have its words', async () => {
    const state = stateFolder()
    writeEvents(state, 'old', turn('the seal of the south'), { daysAgo: 100 })
    for (let number = 0; number < 60; number += 1)
      writeEvents(
        state,
        `new-${number}`,
        Array.from({ length: 50 }, (_, at) => turn(`south of the seal ${number} ${at}`)).flat(),
        {
          daysAgo: number / 10,
        },
      )
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('"seal of the south"')).toMatchObject([{ place: { session: 'old' } }])
  })

  test('with hostile text as it is: the caller sanitises it', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', turn('tapir \u001b[31m\u202e evil\u0000'))
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('tapir')).toMatchObject([{ excerpt: expect.stringContaining('\u001b[31m') }])
  })
})

describe('the index forgets', () => {
  test('a removed session at once, and its words with the next catch-up, also on the disk', async () => {
    const state = stateFolder()
    writeEvents(state, 'a', turn('the unicornword stays'))
    const gone = writeEvents(state, 'b', turn('the vicunaword goes'))
    const index = indexOf(state)
    await index.catchUp()
    index.database.close()
    expect(readFileSync(join(state, 'find.db')).includes('vicunaword')).toBe(true)
    const again = indexOf(state)
    rmSync(gone)
    expect(await again.find('vicunaword')).toEqual([])
    await again.catchUp()
    expect(await again.find('unicornword')).toHaveLength(1)
    again.database.close()
    expect(readFileSync(join(state, 'find.db')).includes('vicunaword')).toBe(false)
    expect(readFileSync(join(state, 'find.db')).includes('unicornword')).toBe(true)
  })

  test('the words of a thousand sessions when half of them are gone', async () => {
    const state = stateFolder()
    const paths = Array.from({ length: 1000 }, (_, number) =>
      writeEvents(state, `s${number}`, turn(`walrusword${number} common words`), { daysAgo: number }),
    )
    const index = indexOf(state)
    await index.catchUp()
    for (const [number, path] of paths.entries()) if (number % 2 === 1) rmSync(path)
    await index.catchUp()
    index.database.close()
    const bytes = readFileSync(join(state, 'find.db')).toString('latin1')
    const { find } = indexOf(state)
    expect(await find('walrusword500')).toHaveLength(1)
    expect(await find('walrusword501')).toEqual([])
    // SQLite writes the end of a word that begins as the one before it.
    expect(bytes.match(/walrusword\d+/g)?.filter(word => Number(word.slice(10)) % 2 === 1)).toEqual([])
  })

  test('what a session that was cut or replaced had, and reads it again', async () => {
    const state = stateFolder()
    const path = writeEvents(state, 'a', turn('first xerus'))
    const size = statSync(path).size
    writeEvents(state, 'a', turn('second xerus'))
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('xerus')).toHaveLength(2)
    truncateSync(path, size)
    await index.catchUp()
    expect((await index.find('xerus')).map(({ excerpt }) => excerpt)).toEqual(['first xerus'])
    writeFileSync(path, '')
    rmSync(path)
    writeEvents(state, 'a', [...turn('a yak in its place'), ...turn('and more words than before, of another session')])
    await index.catchUp()
    expect(await index.find('xerus')).toEqual([])
    expect(await index.find('yak')).toHaveLength(1)
  })
})

describe('a file in the place of the index', () => {
  test.each([
    ['of another format', (path: string) => new DatabaseSync(path).exec('pragma user_version = 99; create table t(a)')],
    ['that is no database', (path: string) => writeFileSync(path, 'no database '.repeat(1000))],
    ['that is empty', (path: string) => writeFileSync(path, '')],
  ])('%s is replaced by the index', async (_, spoil) => {
    const state = stateFolder()
    writeEvents(state, 'a', turn('the zebra'))
    spoil(join(state, 'find.db'))
    const index = indexOf(state)
    await index.catchUp()
    expect(await index.find('zebra')).toHaveLength(1)
    expect(statSync(join(state, 'find.db')).mode & 0o077).toBe(0)
  })
})
