import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { AgentEvent, EventOf } from '../../../src/agent/event.ts'
import type { Judge, PermissionMode } from '../../../src/agent/permission.ts'
import { toText } from '../../../src/agents/tool-host/outcomes.ts'
import { createToolHost, type ToolHostOptions } from '../../../src/agents/tool-host/local-tool-host.ts'
import { readProcesses } from '../../../src/agents/tool-host/process-table.ts'
import { createLocalTools } from '../../../src/local-tools/local-tools.ts'
import { decide } from '../../../src/permissions/decide.ts'
import { parseRules } from '../../../src/permissions/rules/rule.ts'
import type { Place } from '../../../src/permissions/policy.ts'
import { place as usual } from '../../permissions/policy.ts'

const root = realpathSync(mkdtempSync(join(tmpdir(), 'toolHost-')))
afterAll(() => rmSync(root, { recursive: true }))

const allow: Judge = () => ({ verdict: 'allow', because: '' })
const ask: Judge = () => ({ verdict: 'ask', because: 'it is a test' })

/** The judge of the program, with its rules, in a mode. */
function rulesOf(mode: PermissionMode, folder: string, deny: readonly string[] = []): Judge {
  const rules = parseRules(deny.map(text => ({ effect: 'deny', text, source: 'user', place: 'a test' })))
  const place: Place = { ...usual, folder, home: '/home/nobody', own: [], resolve: path => path }
  return request => decide({ mode, rules, place }, request)
}

function open(judge: Judge | null = ask, options: Partial<ToolHostOptions> = {}) {
  const folder = mkdtempSync(join(root, 'f-'))
  const tools = createLocalTools({ folder, env: { ...process.env, GIT_DIR: '/nowhere' } })
  const toolHost = createToolHost({ tools, folder, now: () => 5, ...options })
  const events: AgentEvent[] = []
  toolHost.attach(event => events.push(event))
  if (judge) toolHost.judgeWith(judge)
  const turn = new AbortController()
  let count = 0
  const call = async (name: string, args: unknown, signal = turn.signal) => {
    count += 1
    const id = { id: `own-${count}`, toolUseId: `call_${count}` }
    const result = await toolHost.execute({ ...id, name, arguments: args, signal })
    return { ...result, content: toText(result) }
  }
  const of = <Type extends AgentEvent['type']>(type: Type): EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type)
  const asked = async (number = 1): Promise<EventOf<'permission_requested'>> =>
    vi.waitFor(() => {
      const found = of('permission_requested')[number - 1]
      if (!found) throw new Error('nothing was asked')
      return found
    })
  const inFolder = (name: string): string => join(folder, name)
  return { toolHost, events, of, call, asked, turn, folder, inFolder }
}

describe('a call', () => {
  test('waits for the user, is shown as it will run, and runs once it is allowed', async () => {
    const { toolHost, call, asked, of, inFolder, folder } = open()
    const result = call('write', { path: 'note.txt', content: 'hello\n' })
    const question = await asked()
    expect(question).toMatchObject({ callId: 'own-1', tool: 'write', kind: 'edit', folder, because: 'it is a test' })
    expect(question.paths).toEqual([inFolder('note.txt')])
    expect(question.diff).toContain('+hello')
    expect(existsSync(inFolder('note.txt'))).toBe(false)
    expect(toolHost.answerPermission(question.id, { answer: 'allow' })).toBe(true)
    expect(await result).toMatchObject({ content: 'hello\n', isError: false })
    expect(readFileSync(inFolder('note.txt'), 'utf8')).toBe('hello\n')
    expect(of('permission_decided')).toMatchObject([{ id: question.id, allowed: true, by: 'user' }])
    expect(toolHost.answerPermission(question.id, { answer: 'allow' })).toBe(false)
  })

  test('that writes says whether it made the file, and what it changed in one that existed', async () => {
    const { call, of } = open(() => ({ verdict: 'allow', because: '' }))
    await call('write', { path: 'note.txt', content: 'one\ntwo\n' })
    expect(of('file_created')).toMatchObject([{ id: 'own-1' }])
    await call('write', { path: 'note.txt', content: 'two\nthree\nfour\n' })
    expect(of('file_created')).toHaveLength(1)
    expect(of('file_replaced')).toMatchObject([{ id: 'own-2', added: 2, removed: 1 }])
  })

  test('that makes git read gets its settings, and no variable that leads git to another repository', async () => {
    const { call } = open(async () => ({
      verdict: 'allow',
      because: '',
      box: { kind: 'reading', git: [['a.b', "it's"]] },
    }))
    const command = 'git config core.hooksPath; git config a.b; echo "$GIT_ALLOW_PROTOCOL$GIT_OPTIONAL_LOCKS$GIT_DIR."'
    const { content } = await call('bash', { command })
    expect(content).toContain("\n/dev/null\nit's\n0.\n")
  })

  test("that the user refuses does not run, and the model gets the user's text", async () => {
    const { toolHost, call, asked, inFolder } = open()
    const result = call('bash', { command: 'touch made' })
    toolHost.answerPermission((await asked()).id, { answer: 'refuse', words: 'use the other folder' })
    const { content, isError } = await result
    expect(isError).toBe(true)
    expect(content).toContain('use the other folder')
    expect(existsSync(inFolder('made'))).toBe(false)
  })

  test('beyond a hundred that are open is refused, and there is room again when one has ended', async () => {
    const { toolHost, call, asked, of, turn } = open()
    const results = Array.from({ length: 100 }, (_, at) => call('bash', { command: `touch ${at}` }))
    await asked(100)
    const { isError, content } = await call('bash', { command: 'touch more' })
    expect({ isError, content }).toMatchObject({ isError: true, content: expect.stringMatching(/100 calls are open/) })
    expect(of('permission_requested')).toHaveLength(100)
    expect(of('call_refused')).toMatchObject([{ callId: 'own-101', because: 'more than 100 calls are open' }])
    toolHost.answerPermission((await asked()).id, { answer: 'refuse', words: '' })
    await results[0]
    const next = call('bash', { command: 'touch next' })
    expect((await asked(101)).callId).toBe('own-102')
    turn.abort()
    await Promise.all([...results, next])
  })

  test('runs as the user has written it instead', async () => {
    const { toolHost, call, asked, of, inFolder } = open()
    const result = call('bash', { command: 'touch made' })
    toolHost.answerPermission((await asked()).id, { answer: 'allow_changed', command: 'touch other' })
    expect((await result).content).toContain('$ touch other')
    expect([existsSync(inFolder('made')), existsSync(inFolder('other'))]).toEqual([false, true])
    expect(of('permission_decided')).toMatchObject([{ command: 'touch other' }])
  })

  test('shows the output of a command while it runs', async () => {
    const { call, of } = open(allow)
    expect(await call('bash', { command: 'echo one; exit 3' })).toMatchObject({ isError: true })
    expect(of('tool_progressed').map(({ id, text }) => [id, text])).toEqual([['own-1', 'one\n']])
  })

  test('reads no other file than the one that the user was asked about', async () => {
    const { toolHost, call, asked, inFolder } = open()
    writeFileSync(inFolder('a'), 'harmless\n')
    writeFileSync(inFolder('b'), 'secret\n')
    symlinkSync('a', inFolder('link'))
    const result = call('read', { path: 'link' })
    const { id } = await asked()
    rmSync(inFolder('link'))
    symlinkSync('b', inFolder('link'))
    toolHost.answerPermission(id, { answer: 'allow' })
    expect(await result).toMatchObject({ isError: true, content: expect.stringContaining('leads to another file') })
  })

  test('of a file that changed since it was shown does not overwrite it', async () => {
    const { toolHost, call, asked, inFolder } = open()
    writeFileSync(inFolder('a'), 'one\n')
    const result = call('edit', { path: 'a', edits: [{ oldText: 'one', newText: 'two' }] })
    const { id } = await asked()
    writeFileSync(inFolder('a'), 'one\nmore\n')
    toolHost.answerPermission(id, { answer: 'allow' })
    expect(await result).toMatchObject({ isError: true })
    expect(readFileSync(inFolder('a'), 'utf8')).toBe('one\nmore\n')
  })

  test('gives the model an image', async () => {
    const { toolHost, inFolder, turn } = open(allow)
    const pixel = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='
    writeFileSync(inFolder('a.png'), Buffer.from(pixel, 'base64'))
    const of = { id: 'own-1', toolUseId: 'call_1', signal: turn.signal }
    const { content } = await toolHost.execute({ ...of, name: 'read', arguments: { path: 'a.png' } })
    expect(content).toEqual([{ type: 'image', mimeType: 'image/png', data: pixel }])
  })

  test.each([
    ['of a tool that is not there', 'shell', { command: 'ls' }, 'unknown tool'],
    ['without arguments', 'bash', undefined, 'invalid args'],
    ['whose command is no text', 'bash', { command: ['ls'] }, 'invalid args'],
    ['whose command is empty', 'bash', { command: ' ' }, 'command is required'],
    ['that changes what is not there', 'edit', { path: 'x', edits: [{ oldText: 'a', newText: 'b' }] }, 'no such file'],
  ])('%s fails, and nobody is asked', async (_name, tool, args, words) => {
    const { call, events } = open()
    const { content, isError } = await call(tool, args)
    expect(isError).toBe(true)
    expect(content).toContain(words)
    expect(events).toEqual([])
  })
})

describe('the judge', () => {
  test.each<[PermissionMode, string, object, 'runs' | 'asks' | 'refuses']>([
    ['ask', 'read', { path: 'a' }, 'runs'],
    ['ask', 'list', {}, 'runs'],
    ['ask', 'search', { pattern: 'x' }, 'runs'],
    ['ask', 'read', { path: '../secret' }, 'asks'],
    ['ask', 'list', { path: '/' }, 'asks'],
    ['ask', 'search', { pattern: 'x', path: '..' }, 'asks'],
    ['ask', 'write', { path: 'b', content: '' }, 'asks'],
    ['ask', 'bash', { command: 'cat a' }, 'runs'],
    ['ask', 'bash', { command: 'touch b' }, 'asks'],
    ['edits', 'write', { path: 'b', content: '' }, 'runs'],
    ['edits', 'write', { path: '../b', content: '' }, 'asks'],
    ['edits', 'bash', { command: 'touch b' }, 'asks'],
    ['allow', 'bash', { command: 'true' }, 'runs'],
    ['plan', 'write', { path: 'b', content: '' }, 'refuses'],
    ['plan', 'bash', { command: 'touch b' }, 'refuses'],
    ['plan', 'read', { path: 'a' }, 'runs'],
    ['read', 'bash', { command: 'touch b' }, 'refuses'],
  ])('in the mode %s: %s %j %s', async (mode, tool, args, expected) => {
    const { toolHost, call, events, folder, inFolder } = open(null)
    toolHost.judgeWith(rulesOf(mode, folder))
    writeFileSync(inFolder('a'), 'x\n')
    const result = call(tool, args)
    const seen = await vi.waitFor(async () => {
      if (events.some(({ type }) => type === 'permission_requested')) return 'asks'
      const settled = await Promise.race([result, Promise.resolve(null)])
      if (settled === null) throw new Error('nothing has happened yet')
      return events.some(({ type }) => type === 'call_refused') ? 'refuses' : 'runs'
    }, 20_000)
    expect(seen).toBe(expected)
    if (seen === 'asks') toolHost.endTurn()
    expect(existsSync(inFolder('b'))).toBe(seen === 'runs' && tool === 'write')
    await result
  })

  test('refuses by a rule also in the mode that allows everything', async () => {
    const { toolHost, call, of, folder, inFolder } = open(null)
    toolHost.judgeWith(rulesOf('allow', folder, ['Bash(touch:*)', 'Read(.env)']))
    writeFileSync(inFolder('.env'), 'KEY=1')
    expect(await call('bash', { command: 'touch made' })).toMatchObject({ isError: true })
    expect(await call('read', { path: '.env' })).toMatchObject({ isError: true })
    expect(of('call_refused').map(({ callId }) => callId)).toEqual(['own-1', 'own-2'])
    expect(existsSync(inFolder('made'))).toBe(false)
  })

  test.each<[string, object]>([
    ['write', { path: 'link/b', content: '' }],
    ['edit', { path: 'link/a', edits: [{ oldText: 'x', newText: 'y' }] }],
    ['read', { path: 'link/a' }],
    ['list', { path: 'link' }],
    ['search', { path: 'link', pattern: 'x' }],
  ])('refuses %s where a rule has the name of a link', async (tool, args) => {
    const { toolHost, call, of, folder, inFolder } = open(null)
    toolHost.judgeWith(rulesOf('allow', folder, ['Edit(link/**)', 'Read(link/**)', 'Read(link)']))
    mkdirSync(inFolder('real'))
    symlinkSync('real', inFolder('link'))
    writeFileSync(inFolder('real/a'), 'x\n')
    expect(await call(tool, args)).toMatchObject({ isError: true })
    expect(of('call_refused')).toHaveLength(1)
    expect(readFileSync(inFolder('real/a'), 'utf8')).toBe('x\n')
    expect(existsSync(inFolder('real/b'))).toBe(false)
  })

  test('does not read what a link leads to since the call was asked about', async () => {
    const { toolHost, call, asked, inFolder } = open()
    writeFileSync(inFolder('shown'), 'shown\n')
    writeFileSync(inFolder('secret'), 'secret\n')
    symlinkSync('shown', inFolder('link'))
    const result = call('read', { path: 'link' })
    const { id, paths } = await asked()
    expect(paths).toEqual([inFolder('link'), inFolder('shown')])
    rmSync(inFolder('link'))
    symlinkSync('secret', inFolder('link'))
    toolHost.answerPermission(id, { answer: 'allow' })
    expect(await result).toMatchObject({ isError: true, content: expect.stringContaining('leads to another file') })
  })

  test.each<[string, Judge | null]>([
    [
      'that fails',
      () => {
        throw new Error('broken')
      },
    ],
    ['that is absent', null],
  ])('%s asks', async (_name, judge) => {
    const { toolHost, call, asked, turn } = open(judge)
    const result = call('read', { path: '.' })
    expect(await asked()).toMatchObject({ tool: 'read' })
    turn.abort()
    expect(await result).toMatchObject({ isError: true })
    expect(toolHost.hasDeferred).toBe(false)
  })
})

describe('the end of a turn', () => {
  test('refuses waiting calls and ends running ones', async () => {
    const { call, asked, turn, of, inFolder } = open(request =>
      (request.command?.includes('sleep') ? allow : ask)(request),
    )
    const running = call('bash', { command: 'echo begun; sleep 20; touch ended' })
    const waiting = call('bash', { command: 'touch made' })
    await asked()
    await vi.waitFor(() => expect(of('tool_progressed')).toHaveLength(1))
    turn.abort()
    expect((await Promise.all([running, waiting])).map(({ isError }) => isError)).toEqual([true, true])
    expect(of('permission_decided')).toMatchObject([{ allowed: false, by: 'end' }])
    expect([existsSync(inFolder('ended')), existsSync(inFolder('made'))]).toEqual([false, false])
    expect(await call('bash', { command: 'sleep 0; touch late' })).toMatchObject({ isError: true })
    expect(existsSync(inFolder('late'))).toBe(false)
  })

  test('comes with the answer `stop`, which refuses all waiting calls', async () => {
    const { toolHost, call, asked, of } = open()
    const results = [call('bash', { command: 'touch a' }), call('bash', { command: 'touch b' })]
    await asked(2)
    const [first] = of('permission_requested')
    toolHost.answerPermission(first?.id ?? '', { answer: 'stop' })
    expect((await Promise.all(results)).map(({ isError }) => isError)).toEqual([true, true])
    const stopped = { allowed: false, by: 'user', words: 'Not run: the user stopped the turn.' }
    expect(of('permission_decided')).toMatchObject([stopped, stopped])
  })
})

describe('a call that takes longer than the agent waits', () => {
  test('is reported with another prompt once the user has decided, and until then no other runs', async () => {
    const { toolHost, call, asked, of, inFolder } = open(ask, { patience: 20 })
    const held = await call('bash', { command: 'echo done > made' })
    expect(held).toMatchObject({ isError: true, isDeferred: true })
    expect(held.content).toMatch(/^Not run yet: the user has not answered.*End your turn now/)
    expect(toolHost.hasDeferred).toBe(true)
    expect((await call('read', { path: '.' })).content).toMatch(/^Not run: an earlier call has not finished/)
    const outcomes = toolHost.outcomes()
    toolHost.answerPermission((await asked()).id, { answer: 'allow' })
    expect(await outcomes).toMatch(/^The calls that were held have been decided.*## bash \(call_1\)\n\n\$ echo done/s)
    expect(of('tool_finished')).toMatchObject([{ id: 'own-1', failed: false }])
    expect(readFileSync(inFolder('made'), 'utf8')).toBe('done\n')
    expect(toolHost.hasDeferred).toBe(false)
  })

  test('continues if it runs already', async () => {
    const { toolHost, call, of, inFolder } = open(allow, { patience: 100 })
    const command = 'until [ -e go ]; do sleep 0.05; done; echo over'
    expect((await call('bash', { command })).content).toMatch(/^This call is still running/)
    expect((await toolHost.listRunning()).map(each => [each.command, each.callId])).toEqual([[command, 'own-1']])
    writeFileSync(inFolder('go'), '')
    expect(await toolHost.outcomes()).toContain('over')
    expect(of('tool_finished')).toHaveLength(1)
    expect(await toolHost.listRunning()).toEqual([])
  })

  test('ends with the turn', async () => {
    const { toolHost, call, turn, of, inFolder } = open(ask, { patience: 20 })
    await call('bash', { command: 'touch made' })
    const outcomes = toolHost.outcomes()
    turn.abort()
    await outcomes
    toolHost.endTurn()
    expect(of('permission_decided')).toMatchObject([{ allowed: false, by: 'end' }])
    expect(toolHost.hasDeferred).toBe(false)
    expect(existsSync(inFolder('made'))).toBe(false)
  })
})

test('a command in the background is listed, can be ended, and ends with the agent', async () => {
  const watched: string[] = []
  const { toolHost, call } = open(allow, {
    watch: leader => {
      watched.push(leader > 1 ? 'began' : 'wrong')
      return () => watched.push('ended')
    },
  })
  for (const seconds of [61, 62]) await call('bash', { command: `sleep ${seconds} >/dev/null 2>&1 &` })
  expect(watched).toEqual(['began', 'ended', 'began', 'ended'])
  // Until a process has begun with its own program it is still its shell.
  const [first, second] = await vi.waitFor(async () => {
    const running = await toolHost.listRunning()
    expect(running.map(({ callId, command }) => [callId, command])).toEqual([
      [null, 'sleep 61'],
      [null, 'sleep 62'],
    ])
    return running
  })
  expect(await toolHost.endRunning(first?.pid ?? 0)).toEqual({ ok: true, value: undefined })
  expect(await toolHost.endRunning(1)).toMatchObject({ ok: false })
  await toolHost.close()
  await vi.waitFor(async () => expect((await readProcesses()).map(({ pid }) => pid)).not.toContain(second?.pid))
})

test('the model learns that a mode restricts it, and when that ends', () => {
  const { toolHost, events } = open()
  const notes = (['ask', 'plan', 'plan', 'edits', 'allow'] as const).map(mode => {
    toolHost.setPermissionMode(mode)
    return toolHost.modeNote()?.split('.')[0] ?? null
  })
  expect(notes).toEqual([null, 'Permission mode: plan', null, 'Permission mode: edits', null])
  toolHost.setPermissionMode('read')
  expect(toolHost.modeNote()).toContain('read-only')
  toolHost.forgetMode()
  expect(toolHost.modeNote()).toContain('read-only')
  expect(events.map(({ type }) => type)).toEqual(Array.from({ length: 6 }, () => 'permission_mode_changed'))
})

test('the tools are those of zotui, with their schemas', () => {
  const { toolHost } = open()
  expect(toolHost.tools.map(({ name }) => name)).toEqual(['read', 'list', 'search', 'write', 'edit', 'bash'])
  for (const { schema } of toolHost.tools) expect(schema).toMatchObject({ type: 'object' })
})

const words = (id: string) => ({ id, prompt: { text: `words ${id}`, images: [] } })

describe('words of the user to the running turn', () => {
  test('go with the result of the call that ends next, and only there', async () => {
    const { toolHost, call, asked } = open()
    toolHost.beginTurn()
    const [first, second] = [call('bash', { command: 'echo one' }), call('bash', { command: 'echo two' })]
    const [one, two] = [await asked(1), await asked(2)]
    const steered = [toolHost.steer(words('a')), toolHost.steer(words('b'))]
    toolHost.answerPermission(two.id, { answer: 'allow' })
    const taken = (await second).words
    expect(taken?.text).toMatch(/words a\n\nwords b$/)
    taken?.delivered()
    expect(await Promise.all(steered)).toEqual([{ how: 'delivered' }, { how: 'delivered' }])
    toolHost.answerPermission(one.id, { answer: 'allow' })
    expect((await first).words).toBeUndefined()
  })

  test('do not answer the question, and go with a refusal, too', async () => {
    const { toolHost, call, asked, of } = open()
    toolHost.beginTurn()
    const result = call('bash', { command: 'touch made' })
    const { id } = await asked()
    void toolHost.steer(words('a'))
    expect(of('permission_decided')).toEqual([])
    toolHost.answerPermission(id, { answer: 'refuse', words: '' })
    expect((await result).words?.prompts).toMatchObject([{ text: 'words a' }])
  })

  test('that an agent did not get wait for the next result, and are over with the turn', async () => {
    const { toolHost, call, of } = open(allow)
    toolHost.beginTurn()
    const steered = toolHost.steer(words('a'))
    ;(await call('bash', { command: 'true' })).words?.back()
    const again = (await call('bash', { command: 'true' })).words
    expect(again?.text).toContain('words a')
    toolHost.endTurn()
    again?.back()
    expect(await steered).toEqual({ how: 'over' })
    expect(of('steer_delivered')).toEqual([])
  })

  test('are not in the result of a stopped call', async () => {
    const { toolHost, call, turn, asked } = open()
    toolHost.beginTurn()
    const result = call('bash', { command: 'true' })
    await asked()
    const steered = toolHost.steer(words('a'))
    toolHost.stopTurn()
    turn.abort()
    expect((await result).words).toBeUndefined()
    expect(await steered).toEqual({ how: 'over' })
    expect(await toolHost.steer(words('b'))).toEqual({ how: 'over' })
  })

  test('while a call waits for longer than its agent go with the outcome', async () => {
    const { toolHost, call, asked, of } = open(ask, { patience: 20 })
    toolHost.beginTurn()
    expect(await call('bash', { command: 'echo over' })).toMatchObject({ isDeferred: true })
    const steered = toolHost.steer(words('a'))
    toolHost.answerPermission((await asked()).id, { answer: 'allow' })
    const outcomes = await toolHost.outcomes()
    expect(of('steer_delivered')).toEqual([])
    const sent: string[] = []
    const send = (isSent: boolean): void =>
      toolHost.sendOutcomes(outcomes, text => {
        sent.push(text)
        return isSent
      })
    send(false)
    expect(of('steer_delivered')).toEqual([])
    send(true)
    expect(sent[1]).toMatch(/over\n.*words a$/s)
    expect(sent[0]).toBe(sent[1])
    expect(await steered).toEqual({ how: 'delivered' })
    expect(of('steer_delivered')).toMatchObject([{ id: 'a' }])
  })

  test('can be taken back, and cannot bring images', async () => {
    const { toolHost, call } = open(allow)
    toolHost.beginTurn()
    const images = [{ mimeType: 'image/png', data: 'iVBORw0KGgo=' }]
    expect(await toolHost.steer({ id: 'i', prompt: { text: 'see', images } })).toMatchObject({ how: 'refused' })
    const steered = toolHost.steer(words('a'))
    toolHost.withdrawSteer('a')
    toolHost.withdrawSteer('nobody')
    expect(await steered).toEqual({ how: 'withdrawn' })
    expect((await call('bash', { command: 'true' })).words).toBeUndefined()
  })
})
