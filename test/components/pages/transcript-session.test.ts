/** A stored session in the viewer, opened at a place. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openSessions, type Sessions } from '../../../src/storage/sessions/sessions.ts'
import {
  accepted,
  answered,
  answering,
  ended,
  prompt,
  returns,
  runsTool,
  says,
  step,
  stops,
  text,
  timed,
  type Told,
} from '../../conversation/events.ts'
import { settled, stage, type Stage } from './stage.ts'

const asks = (words: string): Told[] => [prompt(words), accepted, step(1)]
const answers = (words: string): Told[] => [answering, says(words), answered(text(words)), stops('end'), ended]
const lines = (count: number, name: string): string =>
  Array.from({ length: count }, (_, index) => `- ${name} ${index + 1}`).join('\n')

/** Sessions with the one that is given, and its times. */
function sessionWith(events: readonly Told[]): { sessions: Sessions; id: string; at: (index: number) => number } {
  const root = mkdtempSync(join(tmpdir(), 'zotui-viewer-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  const open = (): Sessions =>
    openSessions({
      stateFolder: root,
      projectFolder: '/project',
      now: () => 1_750_000_000_000,
      timers: { after: () => () => undefined },
      onProblem: words => expect.unreachable(words),
    })
  const past = open()
  const all = timed(events, 1_000_000)
  past.add(all)
  past.rename(past.current().id, 'last week')
  const { id } = past.current()
  past.close()
  return { sessions: open(), id, at: index => all[index]?.at ?? 0 }
}

/** Does the work between two keys. */
async function work(on: Stage): Promise<void> {
  for (let more = true; more;) {
    await settled()
    on.rows()
    more = on.source()?.work() ?? false
  }
}

const session = [
  ...asks('first'),
  ...answers(lines(40, 'one')),
  ...asks('second'),
  ...runsTool('a', 'bash', { command: 'npm test' }),
  returns('a', `${lines(200, 'output')}\nneedle here\n${lines(20, 'rest')}`),
  ...answers(`The needle is found.\n\n${lines(40, 'two')}`),
  ...asks('third'),
  ...answers(lines(40, 'three')),
]

test('opens at a call, which is open, with the words that are searched for in it', async () => {
  const { sessions, id, at } = sessionWith(session)
  const on = await stage({ sessions })
  const call = session.findIndex(({ type }) => type === 'tool_called')
  on.open('transcript', { session: id, place: { at: at(call), call: 'a' }, words: 'needle' })
  await work(on)
  const rows = on.rows()
  expect(rows.join('\n')).toContain('needle here')
  expect(rows.at(-1)).toMatch(/last week.*match 1 of 2 for needle/)
  await on.type('n')
  await work(on)
  expect(on.rows().join('\n')).toContain('The needle is found.')
})

test('opens at a text of the turn, also where a line break is in the words', async () => {
  const { sessions, id, at } = sessionWith(session)
  const on = await stage({ sessions })
  const said = session.findLastIndex(event => event.type === 'text_received' && event.text.startsWith('The needle'))
  on.open('transcript', { session: id, place: { at: at(said), call: null }, words: 'found. two' })
  await work(on)
  expect(on.rows().join('\n')).toContain('The needle is found.')
  expect(on.rows().at(-1)).toContain('for found.')
})

test('without a place it opens at its end; Esc closes it, and the own conversation is as before', async () => {
  const { sessions, id } = sessionWith(session)
  const on = await stage({ sessions })
  on.open('transcript', { session: id, place: null, words: '' })
  await work(on)
  expect(on.rows().join('\n')).toContain('three 40')
  await on.press('escape')
  expect(on.isOpen()).toBe(false)
  await on.press('ctrl+o')
  expect(on.rows().join('\n')).toContain('An answer.')
})

test('words that are not there leave the place as it is', async () => {
  const { sessions, id, at } = sessionWith(session)
  const on = await stage({ sessions })
  on.open('transcript', { session: id, place: { at: at(0), call: null }, words: 'nowhere' })
  await work(on)
  expect(on.rows().slice(0, 3).join('\n')).toContain('first')
  expect(on.rows().at(-1)).toContain('No matches for nowhere')
})

test('a session that is gone is said in the viewer', async () => {
  const { sessions } = sessionWith(session)
  const on = await stage({ sessions })
  on.open('transcript', { session: 'nowhere', place: null, words: '' })
  await work(on)
  expect(on.rows().join('\n')).toContain('This session is gone, or cannot be read.')
  await on.press('q')
  expect(on.isOpen()).toBe(false)
})

test('closing it while it is read ends the reading', async () => {
  const { sessions, id } = sessionWith([...session, ...Array.from({ length: 50 }, () => session).flat()])
  const on = await stage({ sessions })
  on.open('transcript', { session: id, place: null, words: '' })
  on.rows()
  await on.press('escape')
  await settled()
  expect(on.isOpen()).toBe(false)
})
