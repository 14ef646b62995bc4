/** What holds for words to the running turn of every zot whose calls run here: the stand-in, and real ones. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../../src/agent/event.ts'
import { allow, ask, type Guarded } from './guarded.ts'
import { bash, read, stopGuard, write, type MakeOptions, type MakeZot, type ScriptStep } from './suite.ts'

const done: ScriptStep = { text: 'Done.' }
const WORDS = 'leave the parser alone'
const steer = (id = 's-1', text = WORDS) => ({ id, prompt: { text, images: [] } })
/** Runs until the test makes the file `go`. */
const UNTIL_GO = 'touch begun; while [ ! -e go ]; do sleep 0.02; done; echo gone'

const has = ({ project }: Guarded, file: string): boolean => existsSync(path.join(project, file))
const put = ({ project }: Guarded, file: string, content = ''): void => writeFileSync(path.join(project, file), content)
async function begun(zot: Guarded): Promise<void> {
  await expect.poll(() => has(zot, 'begun'), { timeout: 20_000 }).toBe(true)
}

const ofType = <Type extends AgentEvent['type']>(zot: Guarded, type: Type) =>
  zot.events.filter((event): event is Extract<AgentEvent, { type: Type }> => event.type === type)

/** The places of these texts in what the model was told, each of which is there once. */
function placesOf(told: string, ...texts: readonly string[]): number[] {
  for (const text of texts) expect(told.split(text).length - 1, `how often the model reads "${text}"`).toBe(1)
  return texts.map(text => told.indexOf(text))
}

function expectInOrder(told: string, ...texts: readonly string[]): void {
  const places = placesOf(told, ...texts)
  expect(places).toEqual(places.toSorted((one, other) => one - other))
}

export function steersEveryZot(make: MakeZot): void {
  async function open(script: readonly ScriptStep[], options: MakeOptions = {}) {
    const zot = await make(script, { judge: allow, ...options })
    await zot.backend.open()
    return { zot, turn: zot.backend.prompt({ text: 'go', images: [] }) }
  }

  test('words during a command come right after its result, and the user sees the result without them', async () => {
    const { zot, turn } = await open([{ calls: [bash(UNTIL_GO, 'a'), read('b.txt', 'b')] }, done])
    put(zot, 'b.txt', 'the next result')
    await begun(zot)
    const steered = zot.backend.steer(steer())
    put(zot, 'go')
    expect(await steered).toEqual({ how: 'delivered' })
    await turn
    expectInOrder(await zot.heard(2), '[exit 0]', WORDS, 'the next result')
    expect(zot.result('a')).toMatch(/\n\ngone\n\n\[exit 0\] {2}Took \d+\.\ds$/)
    expect(ofType(zot, 'steer_delivered')).toMatchObject([{ id: 's-1', text: WORDS }])
    expect(ofType(zot, 'call_steered')).toEqual([])
  })

  test('words while a read or a change waits for the user do not answer the question, and come with the result', async () => {
    const { zot, turn } = await open(
      [{ calls: [read('b.txt', 'a'), write('c.txt', 'written', 'b')] }, { calls: [write('d.txt', 'x', 'c')] }, done],
      { judge: ask },
    )
    put(zot, 'b.txt', 'what was read')
    for (const [call, words] of [
      ['a', 'one word'],
      ['b', 'another word'],
      ['c', 'a third word'],
    ] as const) {
      const { id, callId } = await zot.next('permission_requested')
      expect(callId).toBe(call)
      const steered = zot.backend.steer(steer(call, words))
      zot.backend.answerPermission(id, call === 'c' ? { answer: 'refuse', words: '' } : { answer: 'allow' })
      expect(await steered).toEqual({ how: 'delivered' })
    }
    await turn
    expectInOrder(await zot.heard(2), 'what was read', 'one word', 'another word')
    placesOf(await zot.heard(3), 'a third word')
    expect([has(zot, 'c.txt'), has(zot, 'd.txt')]).toEqual([true, false])
    expect(ofType(zot, 'permission_decided').map(({ by }) => by)).toEqual(['user', 'user', 'user'])
    expect(zot.result('a')?.trim()).toBe('what was read')
  })

  test('a command that comes next is held with the rest of its step, unasked, and may be made again', async () => {
    const calls = [bash('touch ran', 'a'), read('b.txt', 'b'), write('c.txt', 'x', 'c'), bash('touch other', 'd')]
    const { zot, turn } = await open([{ calls }, { calls: [bash('touch ran', 'e')] }, done], { holdsBack: true })
    put(zot, 'b.txt', 'what was read')
    await zot.next('prompt_accepted')
    const steered = zot.backend.steer(steer())
    zot.letGo()
    expect(await steered).toEqual({ how: 'delivered' })
    await turn
    const told = await zot.heard(2)
    expectInOrder(told, 'The call was not wrong, and you may make it again', WORDS)
    expect(told.slice(told.indexOf(WORDS)).match(/Not run: the user has said something first/g)).toHaveLength(3)
    expect(told).not.toContain('what was read')
    expect(ofType(zot, 'call_steered').map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(zot.judged.map(({ callId }) => callId)).toEqual(['e'])
    expect(ofType(zot, 'call_refused')).toEqual([])
    expect([has(zot, 'ran'), has(zot, 'other'), has(zot, 'c.txt')]).toEqual([true, false, false])
    expect(zot.result('a')).toMatch(/^Not run: [^\n]*$/)
    const order = zot.types().filter(type => type === 'call_steered' || type === 'tool_finished')
    expect(order.slice(0, 2)).toEqual(['call_steered', 'tool_finished'])
  })

  test('words between a read and a command come with the read, and the command runs', async () => {
    const calls = [read('b.txt', 'a'), bash('touch ran', 'b')]
    const { zot, turn } = await open([{ calls }, done], { holdsBack: true })
    put(zot, 'b.txt', 'what was read')
    await zot.next('prompt_accepted')
    const steered = zot.backend.steer(steer())
    zot.letGo()
    expect(await steered).toEqual({ how: 'delivered' })
    await turn
    expectInOrder(await zot.heard(2), 'what was read', WORDS, '[exit 0]')
    expect(has(zot, 'ran')).toBe(true)
    expect(ofType(zot, 'call_steered')).toEqual([])
  })

  test('several words come in the order in which they were said, and one that is taken back does not', async () => {
    const { zot, turn } = await open([{ calls: [bash(UNTIL_GO, 'a')] }, done])
    await begun(zot)
    const steered = ['first word', 'second word', 'third word'].map((text, at) =>
      zot.backend.steer(steer(`s-${at}`, text)),
    )
    zot.backend.withdrawSteer('s-1')
    put(zot, 'go')
    expect(await Promise.all(steered)).toEqual([{ how: 'delivered' }, { how: 'withdrawn' }, { how: 'delivered' }])
    await turn
    expectInOrder(await zot.heard(2), '[exit 0]', 'first word', 'third word')
    expect(zot.told()).not.toContain('second word')
  })

  test('words without a call after them are over with the turn, and the model has not got them', async () => {
    const { zot, turn } = await open([done, done], { holdsBack: true })
    await zot.next('prompt_accepted')
    const steered = zot.backend.steer(steer())
    zot.letGo()
    expect(await steered).toEqual({ how: 'over' })
    await turn
    expect(zot.told()).not.toContain(WORDS)
    expect(await zot.backend.steer(steer())).toEqual({ how: 'over' })
    expect(ofType(zot, 'steer_delivered')).toEqual([])
  })

  test('after a stop nothing is delivered late, also not with the next turn', async () => {
    const { zot, turn } = await open([{ calls: [bash(UNTIL_GO, 'a')] }, { calls: [read('b.txt', 'b')] }, done])
    put(zot, 'b.txt', 'what was read')
    await begun(zot)
    const steered = zot.backend.steer(steer())
    zot.backend.abort()
    expect(await steered).toEqual({ how: 'over' })
    expect(await zot.backend.steer(steer('s-2'))).toEqual({ how: 'over' })
    await turn
    await zot.backend.prompt({ text: 'go on', images: [] })
    expect(await zot.heard(3)).toContain('what was read')
    expect(zot.told()).not.toContain(WORDS)
    expect(ofType(zot, 'steer_delivered')).toEqual([])
  })

  test('words while a call waits for longer than zot does come with its outcome, once', async () => {
    const { zot, turn } = await open([{ calls: [write('c.txt', 'written', 'a')] }, done], {
      judge: ask,
      limits: { holdTool: 300 },
    })
    const { id } = await zot.next('permission_requested')
    // The turn of zot itself ends with the result that the call waits.
    await zot.next('step_ended')
    const steered = zot.backend.steer(steer())
    zot.backend.answerPermission(id, { answer: 'allow' })
    expect(await steered).toEqual({ how: 'delivered' })
    await turn
    placesOf(zot.told(), WORDS)
    expect(readFileSync(path.join(zot.project, 'c.txt'), 'utf8')).toBe('written')
    expect(ofType(zot, 'steer_delivered')).toHaveLength(1)
  })

  test('words that wait when the guard is stuck were not sent, and zot is ended', async () => {
    const { zot, turn } = await open([{ calls: [bash(UNTIL_GO, 'a')] }], { beat: { every: 50, misses: 4 } })
    await begun(zot)
    const steered = zot.backend.steer(steer())
    stopGuard(zot)
    expect(await steered).toEqual({ how: 'over' })
    await turn
    expect(ofType(zot, 'agent_ended')).toMatchObject([{ expected: false }])
    expect(zot.told()).not.toContain(WORDS)
    expect(ofType(zot, 'steer_delivered')).toEqual([])
  })

  test('words that do not fit beside a long result wait for the next one, and far too long ones are refused', async () => {
    const long = { id: 's-0', prompt: { text: 'x'.repeat(600_000), images: [] } }
    const { zot, turn } = await open([{ calls: [bash(UNTIL_GO, 'a')] }, done])
    await begun(zot)
    expect(await zot.backend.steer(long)).toMatchObject({ how: 'refused' })
    const steered = Array.from({ length: 9 }, (_, at) =>
      zot.backend.steer(steer(`s-${at}`, `${'y'.repeat(490_000)} ${at}`)),
    )
    put(zot, 'go')
    await turn
    expect(await Promise.all(steered)).toEqual(steered.map(() => ({ how: 'over' })))
    expect(zot.result('a')).toContain('[exit 0]')
    expect(await zot.heard(2)).not.toContain('yyy')
  })

  test('words with the contents of files that they mention come with these, and with images they are refused', async () => {
    const { zot, turn } = await open([{ calls: [bash(UNTIL_GO, 'a')] }, done])
    await begun(zot)
    const images = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }]
    const refused = await zot.backend.steer({ id: 's-0', prompt: { text: 'an image', images } })
    expect(refused).toMatchObject({ how: 'refused' })
    const prompt = { text: WORDS, images: [], before: ['The content of a.ts, which I mention.'] }
    const steered = zot.backend.steer({ id: 's-1', prompt })
    put(zot, 'go')
    expect(await steered).toEqual({ how: 'delivered' })
    await turn
    expectInOrder(await zot.heard(2), '[exit 0]', 'The content of a.ts, which I mention.', WORDS)
    expect(zot.told()).not.toContain('an image')
  })
}
