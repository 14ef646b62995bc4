import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../../../src/agent/event.ts'
import type { Judge } from '../../../../src/agent/permission.ts'
import { CallGuard } from '../../../../src/agents/zot/guard/call-guard.ts'
import type { GuardFrame, GuardReply } from '../../../../src/agents/zot/guard/link/frames.ts'
import { createLocalTools } from '../../../../src/local-tools/local-tools.ts'
import { zotTools } from '../../../../src/local-tools/as-zot/zot-tools.ts'
import { allow, ask, refuse } from './guarded.ts'

/** A guard whose frames a test makes up. */
function open(judge: Judge, folder = '/project') {
  const told: AgentEvent[] = []
  const sent: GuardReply[] = []
  const receivers: ((frame: GuardFrame) => void)[] = []
  const guard = new CallGuard({
    name: 'zot',
    link: {
      receive: onFrame => void receivers.push(onFrame),
      send: reply => sent.push(reply),
      watch: () => {},
      lost: new Promise(() => {}),
      close: async () => {},
    },
    judge,
    toolsOf: at => createLocalTools({ folder: at, env: {}, tools: zotTools }),
    folder,
    emit: event => told.push(event),
    now: () => 7,
    limits: { holdIntercept: 4000, holdTool: 55_000 },
    onStop: () => {},
  })
  const frame = (given: GuardFrame): void => receivers[0]?.(given)
  const asks = { tool_id: '', tool_name: '' }
  return {
    guard,
    told,
    sent,
    frame,
    step: (step: number) => frame({ type: 'event_intercept', id: `step ${step}`, event: 'turn_start', ...asks, step }),
    expects: (id: string) => {
      const call = { tool_id: id, tool_name: 'bash', tool_args: { command: 'touch x' } }
      frame({ type: 'own_call', mark: `mark ${id}`, call })
    },
    calls: (id: string) =>
      frame({ type: 'tool_call', id: `run ${id}`, name: 'bash', args: { zotui_call: `mark ${id}` } }),
    answered: async (id: string) => {
      await expect.poll(() => sent.find(reply => 'id' in reply && reply.id === id)).toBeDefined()
    },
  }
}

const reads = (id: string, args: unknown = { path: '/etc/hostname' }): GuardFrame => ({
  type: 'own_call',
  mark: `mark ${id}`,
  call: { tool_id: id, tool_name: 'read', tool_args: args },
})

const refused = (callId: string) => ({ type: 'call_refused', at: 7, callId, tool: 'bash', because: 'the test refuses' })

test('a refusal is reported with the result of its call: the guard may be faster than the output of zot', async () => {
  const { guard, told, step, expects, calls, answered } = open(refuse)
  guard.begin()
  step(1)
  for (const id of ['a', 'b']) {
    expects(id)
    calls(id)
    await answered(`run ${id}`)
  }
  expect(told).toEqual([])
  guard.translate({ type: 'tool_result', id: 'a', is_error: true, content: [] })
  expect(told).toEqual([refused('a')])
  // zot has ended without a result.
  guard.end()
  expect(told).toEqual([refused('a'), refused('b')])
})

test('a call of an aborted turn that comes in the next turn is not asked about', async () => {
  const { guard, told, sent, step, expects, calls, answered } = open(ask)
  guard.begin()
  step(1)
  expects('early')
  guard.stop('user')
  guard.end()
  guard.begin()
  calls('early')
  expects('late')
  calls('late')
  step(1)
  expects('own')
  calls('own')
  await expect.poll(() => told.map(({ type }) => type)).toContain('permission_requested')
  expect(told.filter(({ type }) => type === 'permission_requested')).toMatchObject([{ callId: 'own' }])
  await answered('run early')
  await answered('run late')
  expect(sent.filter(({ type }) => type === 'tool_result')).toMatchObject([
    { id: 'run early', is_error: true },
    { id: 'run late', is_error: true },
  ])
})

test('of many calls that come at once no more than a hundred are judged, asked about or kept', async () => {
  const judged: string[] = []
  const { guard, told, sent, step, frame, expects, calls } = open(request => {
    judged.push(request.callId ?? '')
    return ask(request)
  })
  const all = Array.from({ length: 1000 }, (_, at) => String(at))
  const skill = { event: 'tool_call', tool_name: 'skill', tool_args: {}, step: 0 }
  guard.begin()
  step(1)
  for (const id of all) frame({ type: 'event_intercept', id: `ask ${id}`, tool_id: `skill ${id}`, ...skill })
  await expect.poll(() => told.filter(({ type }) => type === 'permission_requested')).toHaveLength(100)
  expect(sent.filter(reply => 'reason' in reply && reply.reason?.includes('100 calls are open'))).toHaveLength(900)
  for (const id of all) expects(id)
  for (const id of all) calls(id)
  await expect.poll(() => sent.filter(({ type }) => type === 'tool_result')).toHaveLength(1000)
  expect(judged).toHaveLength(100)
  guard.end()
  // Refusals of calls that zot never reports are reported up to a bound.
  expect(told.filter(({ type }) => type === 'call_refused')).toHaveLength(200)
  await expect.poll(() => told.filter(({ type }) => type === 'permission_decided')).toHaveLength(100)
  guard.begin()
  step(1)
  expects('next')
  calls('next')
  await expect.poll(() => judged.at(-1)).toBe('next')
  guard.end()
})

test('after a stop zot asks its model no more, and nobody sees that it tried', () => {
  const { guard, sent, step } = open(ask)
  guard.begin()
  step(1)
  guard.stop('user')
  step(2)
  expect(sent).toMatchObject([{ id: 'step 1' }, { id: 'step 2', block: true }])
  const reason = sent.flatMap(reply => ('reason' in reply ? [reply.reason] : [])).join('')
  expect(guard.translate({ type: 'turn_start', step: 2 })).toBeNull()
  expect(guard.translate({ type: 'turn_end', stop: 'error', error: reason })).toBeNull()
})

test('a call without its mark is not carried out, and neither is one whose mark was used', async () => {
  const { guard, told, sent, step, frame, expects, calls, answered } = open(ask)
  guard.begin()
  step(1)
  frame({ type: 'tool_call', id: 'bare', name: 'bash', args: { command: 'touch x' } })
  frame({ type: 'tool_call', id: 'made up', name: 'bash', args: { zotui_call: 'mark x' } })
  expects('a')
  calls('a')
  await expect.poll(() => told).toHaveLength(1)
  frame({ type: 'tool_call', id: 'again', name: 'bash', args: { zotui_call: 'mark a' } })
  for (const id of ['bare', 'made up', 'again']) await answered(id)
  expect(told).toHaveLength(1)
  expect(JSON.stringify(sent)).toMatch(/zotui does not know this call.*zotui does not know.*zotui does not know/)
})

async function askedId(): Promise<string> {
  const { guard, told, step, expects, calls } = open(ask)
  guard.begin()
  step(1)
  expects('a')
  calls('a')
  const question = () => told.find(event => event.type === 'permission_requested')
  await expect.poll(question).toBeDefined()
  return question()?.id ?? ''
}

test('an answer to a call of an earlier zot answers no call of a later one', async () => {
  expect(await askedId()).not.toBe(await askedId())
})

test('a call is judged by its paths as it names them and as they are: a rule may have the name of a link', async () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'call-guard-')))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'real'))
  writeFileSync(join(folder, 'real/a'), 'x\n')
  symlinkSync('real', join(folder, 'link'))
  const judged: (readonly string[])[] = []
  const judge: Judge = request => {
    judged.push(request.paths ?? [])
    return refuse(request)
  }
  const { guard, step, frame, answered } = open(judge, folder)
  guard.begin()
  step(1)
  const edits = [{ oldText: 'x', newText: 'y' }]
  const calls = [
    ['write', { path: 'link/b', content: '' }],
    ['edit', { path: 'link/a', edits }],
  ] as const
  for (const [tool_name, tool_args] of calls) {
    frame({ type: 'own_call', mark: tool_name, call: { tool_id: tool_name, tool_name, tool_args } })
    frame({ type: 'tool_call', id: tool_name, name: tool_name, args: { zotui_call: tool_name } })
    await answered(tool_name)
  }
  expect(judged).toEqual(['b', 'a'].map(name => [join(folder, 'link', name), join(folder, 'real', name)]))
})

test('a call that only reads is carried out before zot makes it, and the guard gets the result by its mark', async () => {
  const { guard, sent, step, frame } = open(allow)
  const resultOf = (id: string) => sent.find(reply => 'mark' in reply && reply.mark === `mark ${id}`)
  const folder = mkdtempSync(join(tmpdir(), 'read-'))
  writeFileSync(join(folder, 'facts'), 'forty-two\n')
  // Before the turn.
  frame(reads('early', { path: join(folder, 'facts') }))
  guard.begin()
  step(1)
  frame(reads('a', { path: join(folder, 'facts') }))
  frame(reads('b', { path: 'x', Path: join(folder, 'facts') }))
  await expect.poll(() => resultOf('a')).toBeDefined()
  guard.stop('user')
  frame(reads('late', { path: join(folder, 'facts') }))
  expect(resultOf('a')).toMatchObject({ is_error: false, content: [{ type: 'text', text: 'forty-two\n' }] })
  for (const id of ['early', 'b', 'late']) expect(resultOf(id)).toMatchObject({ is_error: true })
  expect(JSON.stringify(sent).match(/forty-two/g)).toHaveLength(1)
})

test('a call that only reads is asked about before zot makes it, and its result comes after the answer', async () => {
  const { guard, told, sent, step, frame } = open(ask)
  guard.begin()
  step(1)
  frame(reads('a'))
  await expect.poll(() => told).toMatchObject([{ type: 'permission_requested', callId: 'a' }])
  expect(sent.filter(({ type }) => type === 'tool_result')).toEqual([])
  guard.answer('', { answer: 'allow' })
  const [asked] = told.flatMap(event => (event.type === 'permission_requested' ? [event.id] : []))
  guard.answer(asked ?? '', { answer: 'refuse', words: 'not that one' })
  await expect.poll(() => JSON.stringify(sent)).toContain('not that one')
  expect(sent.at(-1)).toMatchObject({ mark: 'mark a', is_error: true })
})

test('calls that zot did not make are reported once, but not after a stop and not those of an earlier turn', () => {
  const { guard, told, step, frame } = open(allow)
  const warnings = () => told.filter(({ type }) => type === 'warning_raised')
  guard.begin()
  frame({ type: 'unmade' })
  step(1)
  guard.stop('user')
  frame({ type: 'unmade' })
  guard.end()
  expect(warnings()).toEqual([])
  guard.begin()
  step(1)
  frame({ type: 'unmade' })
  frame({ type: 'unmade' })
  expect(warnings()).toHaveLength(1)
})

const words = { id: 's-1', prompt: { text: 'leave the parser alone', images: [] } }
const nothing = { type: 'tool_result' as const, is_error: true, content: [] }

/** The content of the result by the mark of this call, as zot reports it. */
async function reportOf(sent: readonly GuardReply[], id: string) {
  const find = () => sent.find(reply => 'mark' in reply && reply.mark === `mark ${id}`)
  await expect.poll(find).toBeDefined()
  const reply = find()
  const content = reply && 'content' in reply ? reply.content : []
  return content.flatMap(part => (part.type === 'text' ? [part] : []))
}

test('words that are missing in the result that zot reports wait for the next one', async () => {
  const { guard, told, sent, step, frame } = open(allow)
  guard.begin()
  step(1)
  const steered = guard.words.steer(words)
  frame(reads('a'))
  expect(JSON.stringify(await reportOf(sent, 'a'))).toContain('leave the parser alone')
  // zot has given up on the call.
  expect(guard.translate({ ...nothing, id: 'a' })).toEqual({ ...nothing, id: 'a' })
  expect(told).toEqual([])
  frame(reads('b'))
  const content = await reportOf(sent, 'b')
  const seen = guard.translate({ type: 'tool_result', id: 'b', is_error: false, content })
  expect(JSON.stringify(seen)).not.toContain('parser')
  expect(told).toMatchObject([{ type: 'steer_delivered', id: 's-1' }])
  expect(await steered).toEqual({ how: 'delivered' })
})

test('words in a result that zot does not report before its turn ends may have arrived', async () => {
  const { guard, told, sent, step, frame } = open(allow)
  guard.begin()
  step(1)
  const steered = guard.words.steer(words)
  frame(reads('a'))
  await reportOf(sent, 'a')
  guard.end()
  expect(await steered).toMatchObject({ how: 'unknown' })
  expect(told).toEqual([])
})

test('words in a result that zot still reports after a stop have arrived, and those that wait have not', async () => {
  const { guard, told, sent, step, frame } = open(allow)
  guard.begin()
  step(1)
  const first = guard.words.steer(words)
  frame(reads('a'))
  const content = await reportOf(sent, 'a')
  const second = guard.words.steer({ ...words, id: 's-2' })
  guard.stop('user')
  expect(await second).toEqual({ how: 'over' })
  guard.translate({ type: 'tool_result', id: 'a', is_error: false, content })
  guard.end()
  expect(await first).toEqual({ how: 'delivered' })
  expect(told).toMatchObject([{ type: 'steer_delivered', id: 's-1' }])
})

test('the result of a call that code of the model made carries no words, and no such command is held', async () => {
  const { guard, sent, step, frame, expects, calls, answered } = open(refuse)
  guard.begin()
  step(1)
  const steered = guard.words.steer(words)
  frame(reads('n/1'))
  expects('n/2')
  calls('n/2')
  await answered('run n/2')
  await reportOf(sent, 'n/1')
  expect(JSON.stringify(sent)).not.toContain('parser')
  expect(JSON.stringify(sent)).not.toContain('said something first')
  guard.end()
  expect(await steered).toEqual({ how: 'over' })
})
