/** The rules that hold for every zot that asks before its calls run: the stand-in, and real ones. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import type { Judge } from '../../../../src/agent/permission.ts'
import { removeStaleFolders } from '../../../../src/agents/zot/guard/folder.ts'
import { compiled } from '../../../helpers/home.ts'
import { alive, descendants, type Process } from '../../../helpers/processes.ts'
import { allow, refuse, type Guarded, type GuardedOptions } from './guarded.ts'

export type Call = { id: string; name: string; args: unknown }
/** A reply of the model. */
export type ScriptStep = { calls: readonly Call[] } | { text: string }

export type OpenedZot = Guarded & {
  /** The model's request with this number, from 1. */
  heard: (request: number) => Promise<string>
  /** All that the model was told so far. */
  told: () => string
  /** Lets the model answer where it holds back its first answer. */
  letGo: () => void
}

export type MakeOptions = Omit<GuardedOptions, 'zot'> & { holdsBack?: boolean }

/** Makes a zot whose model says the script, without opening it. */
export type MakeZot = (script: readonly ScriptStep[], options?: MakeOptions) => Promise<OpenedZot>

export const bash = (command: string, id = 'call', more: object = {}): Call => ({
  id,
  name: 'bash',
  args: { command, ...more },
})
export const write = (file: string, content: string, id = 'call'): Call => ({
  id,
  name: 'write',
  args: { path: file, content },
})
export const read = (file: string, id = 'call'): Call => ({ id, name: 'read', args: { path: file } })
/** Stripping types takes longer than all that the programs of these tests do else. */
export const cache = path.join(compiled, 'agents')
const done: ScriptStep = { text: 'Done.' }
export const mortal = fileURLToPath(new URL('mortal.ts', import.meta.url))
const prompt = { text: 'go', images: [] }

/** The processes of the newest zot: itself, its guard, and its commands. */
function processesOf({ zots }: Guarded): { zot: number; guard: Process; all: Process[] } {
  const zot = zots.at(-1)?.transport.pid ?? 0
  const all = descendants(zot)
  const guard = all.find(({ command }) => command.includes('zotui-guard'))
  if (!guard) throw new Error(`no guard among ${all.map(({ command }) => command).join(', ')}`)
  return { zot, guard, all }
}

/** Makes the guard silent. */
export function stopGuard(zot: Guarded): void {
  process.kill(processesOf(zot).guard.pid, 'SIGSTOP')
}

/** Whether it runs. A process that has ended and was not yet waited for does not. */
function runs(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

const pause = async (milliseconds: number): Promise<void> => new Promise(resolve => setTimeout(resolve, milliseconds))

/** Opens a zot and sends a prompt. */
export async function openAndAsk(
  make: MakeZot,
  script: readonly ScriptStep[],
  options: Omit<GuardedOptions, 'zot'> = {},
) {
  const zot = await make(script, options)
  await zot.backend.open()
  expect(zot.events.find(({ type }) => type === 'agent_ended')).toBeUndefined()
  const ran = (file = 'ran'): boolean => existsSync(path.join(zot.project, file))
  const turn = zot.backend.prompt(prompt)
  return { ...zot, turn, ran, answer: zot.backend.answerPermission.bind(zot.backend) }
}

/** Starts a zotui that may be killed, with these zots, and waits until each of them asks. */
async function startMortal(watch: 'watched' | 'alone', ...launches: Guarded['launch'][]) {
  const program = spawn(process.execPath, [mortal, JSON.stringify(launches), watch], {
    env: { ...process.env, NODE_COMPILE_CACHE: cache },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let asked = 0
  for await (const line of createInterface({ input: program.stdout })) {
    if (line.includes('permission_requested')) asked += 1
    if (asked === launches.length) break
  }
  return program
}

const allowTouchRan: Judge = request => (request.command === 'touch ran' ? allow(request) : refuse(request))

/** Each test is about one zot; `make` starts it. */
export function holdsForEveryZot(make: MakeZot): void {
  const open = (script: readonly ScriptStep[], options?: Omit<GuardedOptions, 'zot'>) =>
    openAndAsk(make, script, options)

  test('a command runs once it is allowed, whole and with its output', async () => {
    const { next, answer, turn, result, ran, heard, project } = await open([
      { calls: [bash('touch ran; cat <<E\n$((40 + 2)) it is\nE')] },
      done,
    ])
    const asked = await next('permission_requested')
    expect(asked).toMatchObject({ callId: 'call', tool: 'bash', kind: 'command', folder: project })
    expect(ran()).toBe(false)
    answer(asked.id, { answer: 'allow' })
    await turn
    expect(ran()).toBe(true)
    expect(result('call')).toMatch(/^\$ touch ran; cat <<E\n\$\(\(40 \+ 2\)\) it is\nE\n\n42 it is\n/)
    expect(await heard(2)).toContain('42 it is')
  })

  test('what the judge allows runs at once, what it refuses does not, and where it fails the user is asked', async () => {
    const { turn, types, ran, heard, next, answer } = await open(
      [
        { calls: [bash('touch ran', 'a'), bash('touch other', 'b'), write('third', 'x', 'c'), bash('touch d', 'd')] },
        done,
      ],
      {
        judge(request) {
          if (request.callId === 'd') throw new Error('broken rules')
          return allowTouchRan(request)
        },
      },
    )
    const { id, callId } = await next('permission_requested')
    expect(callId).toBe('d')
    answer(id, { answer: 'refuse', words: '' })
    await turn
    expect([ran(), ran('other'), ran('third'), ran('d')]).toEqual([true, false, false, false])
    expect(types().filter(type => type === 'permission_requested')).toHaveLength(1)
    expect(await next('call_refused')).toMatchObject({ callId: 'b', tool: 'bash', because: 'the test refuses' })
    expect(await next('call_refused')).toMatchObject({ callId: 'c', tool: 'write' })
    expect(await heard(2)).toContain('no such calls here')
  })

  test('git gets its settings where the judge or an answer allows it to read, and nobody sees them', async () => {
    const git = [['a.x=y.b', "it's"]] as const
    const command = 'git config core.hooksPath; git config a.x=y.b; echo "$GIT_OPTIONAL_LOCKS$zotui_gate."'
    const { next, answer, turn, result, heard } = await open(
      [{ calls: [bash(command, 'a'), bash(command, 'b'), bash(command, 'c')] }, done],
      {
        judge: async ({ callId }) =>
          callId === 'a'
            ? { verdict: 'allow', because: 'it reads', box: { kind: 'reading', git } }
            : { verdict: 'ask', because: 'a test' },
      },
    )
    answer((await next('permission_requested')).id, { answer: 'allow', box: { kind: 'reading', git } })
    answer((await next('permission_requested')).id, { answer: 'allow' })
    await turn
    const held = `$ ${command}\n\n/dev/null\nit's\n0.\n`
    expect([result('a'), result('b')].map(text => text?.slice(0, held.length))).toEqual([held, held])
    expect(result('c')).toMatch(/\n\n\.\n/)
    expect(result('c')?.startsWith(`$ ${command}\n`)).toBe(true)
    expect(await heard(2)).toContain('/dev/null')
  })

  test('an edit is shown as a diff, and runs in zotui; one that is refused changes nothing', async () => {
    const { next, answer, turn, project, ran, result, heard } = await open([
      { calls: [write('sub/ran', 'one\n', 'a'), write('ran', 'one\n', 'b')] },
      done,
    ])
    const asked = await next('permission_requested')
    expect(asked).toMatchObject({ callId: 'a', kind: 'edit', paths: [path.join(project, 'sub/ran')] })
    expect(asked.diff).toContain('+one')
    expect(ran('sub')).toBe(false)
    answer(asked.id, { answer: 'allow' })
    const { id } = await next('permission_requested')
    answer(id, { answer: 'refuse', words: 'not here' })
    await turn
    expect(readFileSync(path.join(project, 'sub/ran'), 'utf8')).toBe('one\n')
    expect(result('a')).toBe('one\n')
    expect(ran()).toBe(false)
    expect(await heard(2)).toContain('not here')
  })

  test('an empty file is read and written as one, and an image is shown to the model', async () => {
    const png = Buffer.from('\x89PNG\r\n\x1a\n and the rest', 'latin1')
    const { turn, project, events, heard } = await open(
      [{ calls: [write('empty', '', 'a'), read('empty', 'b'), read('dot.png', 'c')] }, done],
      {
        judge(request) {
          writeFileSync(path.join(request.folder, 'dot.png'), png)
          return allow(request)
        },
      },
    )
    await turn
    expect(readFileSync(path.join(project, 'empty'), 'utf8')).toBe('')
    const results = events.flatMap(event => (event.type === 'tool_finished' ? [event] : []))
    expect(results).toMatchObject([
      { id: 'a', failed: false, content: [{ type: 'text', text: '\n' }] },
      { id: 'b', failed: false, content: [{ type: 'text', text: '\n' }] },
      { id: 'c', failed: false, content: [{ type: 'image', mimeType: 'image/png', bytes: png.length }] },
    ])
    expect(await heard(2)).toContain(png.toString('base64'))
  })

  test('the calls of a batch are asked one after another, each has its own answer, and the model gets the reason', async () => {
    const { next, answer, turn, ran, result, heard } = await open([
      {
        calls: [
          bash('touch a', 'a'),
          write('b', 'x', 'b'),
          bash('touch c', 'c'),
          bash('touch d', 'd'),
          bash('touch e', 'e'),
        ],
      },
      done,
    ])
    const refused = { answer: 'refuse', words: 'use "make\\n"\nand 100% care' } as const
    for (const [callId, decision] of [
      ['a', { answer: 'allow' }],
      ['b', { answer: 'refuse', words: '' }],
      ['c', { answer: 'allow' }],
      ['d', refused],
      ['e', { answer: 'allow_changed', command: "touch other; echo 'it''s' $((40 + 2))" }],
    ] as const) {
      const asked = await next('permission_requested')
      expect(asked.callId).toBe(callId)
      answer(asked.id, decision)
      const allowed = decision.answer !== 'refuse'
      expect(await next('permission_decided')).toMatchObject({ id: asked.id, allowed, by: 'user' })
    }
    await turn
    expect(['a', 'b', 'c', 'd', 'e', 'other'].filter(file => ran(file))).toEqual(['a', 'c', 'other'])
    expect(result('d')).toContain(refused.words)
    expect(result('e')).toMatch(/^\$ touch other/)
    expect(result('e')).toContain('its 42')
    const told = await heard(2)
    expect(told).toContain('100% care')
    expect(told).toContain('changed this command')
  })

  test('arguments that zot would read in another way than zotui do not run', async () => {
    const { turn, ran, types, heard } = await open(
      [
        {
          calls: [
            { id: 'a', name: 'bash', args: { command: 'true', Command: 'touch ran' } },
            { id: 'b', name: 'bash', args: { COMMAND: 'touch ran' } },
            { id: 'c', name: 'bash', args: {} },
            { id: 'd', name: 'bash', args: { command: ['touch ran'] } },
          ],
        },
        done,
      ],
      { judge: allow },
    )
    await turn
    expect(ran()).toBe(false)
    expect(types()).not.toContain('permission_requested')
    expect(await heard(2)).toContain('read in two ways')
  })

  test('a command waits beside another extension, too, and runs in zotui', async () => {
    const other = mkdtempSync(path.join(tmpdir(), 'other-'))
    const script = path.join(other, 'other.mjs')
    writeFileSync(script, tells({ type: 'hello', name: 'other', version: '1' }, { type: 'ready' }))
    writeFileSync(
      path.join(other, 'extension.json'),
      JSON.stringify({ name: 'other', exec: process.execPath, args: [script] }),
    )
    const { next, answer, turn, ran, result, heard } = await open(
      [{ calls: [bash('touch ran; echo $((40 + 2))', 'a')] }, done],
      { options: { ext: [other] } },
    )
    const { id } = await next('permission_requested')
    expect(ran()).toBe(false)
    answer(id, { answer: 'allow' })
    await turn
    expect(ran()).toBe(true)
    expect(result('a')).toContain('\n42\n')
    expect(await heard(2)).toContain('42')
  })

  test('a call that is too long for the guard is refused unasked, and a long answer of an edit is reported as done', async () => {
    const long = 'x'.repeat(5_000_000)
    const { next, answer, turn, project, heard, result } = await open([
      { calls: [bash(`touch ran; echo ${long}`, 'a'), write('long', long, 'b')] },
      done,
    ])
    const asked = await next('permission_requested')
    expect(asked.callId).toBe('b')
    answer(asked.id, { answer: 'allow' })
    await turn
    expect(existsSync(path.join(project, 'ran'))).toBe(false)
    expect(readFileSync(path.join(project, 'long'), 'utf8')).toBe(long)
    expect(result('b')).toContain('was carried out')
    expect(await heard(2)).toContain('this command is too long')
  })

  test('a command waits longer than zot waits for an extension', async () => {
    const { next, answer, turn, ran } = await open([{ calls: [bash('touch ran'), write('other', 'x', 'w')] }, done])
    const { id } = await next('permission_requested')
    await pause(5600)
    expect(ran()).toBe(false)
    answer(id, { answer: 'allow' })
    const second = await next('permission_requested')
    expect(ran()).toBe(true)
    await pause(5600)
    expect(ran('other')).toBe(false)
    answer(second.id, { answer: 'allow' })
    await turn
    expect(ran('other')).toBe(true)
  })

  test('the time of waiting does not count as time of the command, but its own does', async () => {
    const { next, answer, turn, ran } = await open([
      { calls: [bash('touch ran; sleep 30; touch late', 'call', { timeout: 1 })] },
      done,
    ])
    const { id } = await next('permission_requested')
    await pause(1500)
    const began = performance.now()
    answer(id, { answer: 'allow' })
    await turn
    expect(performance.now() - began).toBeGreaterThan(900)
    expect([ran(), ran('late')]).toEqual([true, false])
  })

  test('a call waits in zot where it can wait neither at a gate nor in zotui, and then it is deferred', async () => {
    const { next, answer, turn, events, types, heard, project } = await open(
      [{ calls: [read('facts', 'call')] }, { calls: [bash('touch never')] }, done],
      { limits: { holdIntercept: 300 } },
    )
    writeFileSync(path.join(project, 'facts'), 'forty-two')
    const { id, kind } = await next('permission_requested')
    expect(kind).toBe('read')
    await pause(800)
    expect(types()).not.toContain('tool_finished')
    expect(types()).not.toContain('turn_ended')
    answer(id, { answer: 'allow' })
    const again = await next('permission_requested')
    answer(again.id, { answer: 'refuse', words: '' })
    await turn
    expect(await heard(2)).toContain('forty-two')
    expect(types().filter(type => type === 'turn_ended' || type === 'prompt_sent')).toHaveLength(2)
    expect(types()).not.toContain('error_reported')
    expect(JSON.stringify(events)).not.toContain('Held:')
    const steps = events.flatMap(event => (event.type === 'step_started' ? [event.step] : []))
    expect(steps).toEqual([1, 2, 3])
  })

  test('an edit that waits long is deferred, and done in zotui only once it is allowed; the model gets the result', async () => {
    const { next, answer, backend, turn, result, ran, heard, types, events } = await open(
      [
        { calls: [write('ran', 'one\n', 'a'), bash('touch later', 'b')] },
        done,
        { calls: [write('refused', 'one\n', 'c')] },
        done,
        { calls: [write('stopped', 'one\n', 'd')] },
        done,
      ],
      { limits: { holdTool: 300 } },
    )
    const { id } = await next('permission_requested')
    await next('tool_finished')
    expect(result('b')).toContain('an earlier call waits')
    await pause(300)
    expect([ran(), ran('later')]).toEqual([false, false])
    expect(types()).not.toContain('turn_ended')
    answer(id, { answer: 'allow' })
    await turn
    expect([ran(), ran('later')]).toEqual([true, false])
    expect(result('a')).toBe('one\n')
    expect(await heard(2)).toContain('have been decided')

    const second = backend.prompt(prompt)
    const refused = await next('permission_requested')
    await pause(500)
    answer(refused.id, { answer: 'refuse', words: 'leave it' })
    await second
    expect(await heard(4)).toContain('leave it')

    const third = backend.prompt(prompt)
    await next('permission_requested')
    await pause(500)
    backend.abort()
    await third
    expect([ran('refused'), ran('stopped')]).toEqual([false, false])
    expect(types().slice(-3)).toContain('turn_ended')
    const decided = events.findLast(({ type }) => type === 'permission_decided')
    expect(decided).toMatchObject({ allowed: false, by: 'end' })
  })

  test('an answer 0, 90, 100, 110 or 200 ms after the question is the only one, also beside the deferral', async () => {
    const files = ['0', '90', '100', '110', '200']
    const { next, answer, backend, turn, ran, result, events } = await open(
      files.flatMap(file => [{ calls: [write(file, 'one\n', file)] }, done]),
      { limits: { holdTool: 100 } },
    )
    for (const [index, file] of files.entries()) {
      const going = index === 0 ? turn : backend.prompt(prompt)
      const { id } = await next('permission_requested')
      await pause(Number(file))
      answer(id, { answer: 'allow' })
      answer(id, { answer: 'refuse', words: '' })
      await going
      expect(ran(file)).toBe(true)
      expect(result(file)).toBe('one\n')
      expect(events.filter(({ type }) => type === 'permission_decided')).toHaveLength(index + 1)
      expect(events.filter(({ type }) => type === 'tool_finished')).toHaveLength(index + 1)
    }
  })

  test('a stop while a call waits at a gate, in zotui or in zot runs nothing of the batch, and is quick', async () => {
    const waiting = [bash('touch ran', '0'), write('ran', 'x', '1'), read('ran', '2')]
    const { next, backend, turn, ran } = await open(
      waiting.map(call => ({
        calls: [call, write('w', 'x', `w${call.id}`), bash('touch b', `b${call.id}`), write('v', 'x', `v${call.id}`)],
      })),
    )
    for (const { id } of waiting) {
      const going = id === '0' ? turn : backend.prompt(prompt)
      expect(await next('permission_requested')).toMatchObject({ callId: id })
      const began = performance.now()
      backend.abort()
      await going
      expect(performance.now() - began).toBeLessThan(2000)
      await pause(100)
      expect(['ran', 'w', 'b', 'v'].filter(file => ran(file))).toEqual([])
    }
  })

  test('a command that is aborted is ended with all that it started, and what it printed stays', async () => {
    const { next, backend, turn, result, ran } = await open(
      [{ calls: [bash('echo begun; (sleep 0.5; touch late) & sleep 60; touch never', 'a')] }, done],
      { judge: allow },
    )
    await next('tool_progressed')
    backend.abort()
    await turn
    expect(result('a')).toMatch(/^\$ echo begun; .*\n\nbegun\n\n\[exit -1\]/)
    await pause(1000)
    expect([ran('late'), ran('never')]).toEqual([false, false])
  })

  test('a command runs on while zot waits no longer, and its outcome is the next prompt of the same turn', async () => {
    const { next, turn, result, heard, types, events } = await open(
      [{ calls: [bash('echo one; sleep 1; echo two', 'a'), bash('touch later', 'b')] }, done],
      { judge: allow, limits: { holdTool: 300 } },
    )
    await next('tool_progressed')
    await turn
    expect(result('a')).toMatch(/^\$ echo one; sleep 1; echo two\n\none\ntwo\n\n\[exit 0\]/)
    expect(result('b')).toContain('Not run: an earlier call')
    expect(await heard(2)).toMatch(/have been decided.*one.*two/s)
    expect(types().filter(type => type === 'turn_ended' || type === 'prompt_sent')).toHaveLength(2)
    expect(JSON.stringify(events)).not.toContain('still running')
  })

  test('the answer "stop" refuses all and stops the turn; the next turn works', async () => {
    const { next, answer, backend, turn, ran, types } = await open([
      { calls: [bash('touch ran'), bash('touch b', 'b')] },
      { calls: [bash('touch c', 'c')] },
      done,
    ])
    const { id } = await next('permission_requested')
    answer(id, { answer: 'stop' })
    await turn
    expect([ran(), ran('b')]).toEqual([false, false])
    expect(types()).toContain('abort_requested')
    const second = backend.prompt(prompt)
    answer((await next('permission_requested')).id, { answer: 'allow' })
    await second
    expect(ran('c')).toBe(true)
  })

  test.each([
    ['a command waits', bash('touch ran')],
    ['an edit waits', write('ran', 'x')],
    ['another call waits', read('ran')],
  ])('a guard that is killed while %s ends zot at once, and nothing runs', async (_what, call) => {
    const zot = await open([{ calls: [call, bash('touch next', 'n')] }, done])
    await zot.next('permission_requested')
    const { guard, zot: leader } = processesOf(zot)
    const began = performance.now()
    process.kill(guard.pid, 'SIGKILL')
    while (runs(leader) && performance.now() - began < 5000) await pause(1)
    // Measured 5 to 20 ms; zot would run the call after 5 s, and the next at once.
    expect(performance.now() - began).toBeLessThan(4000)
    const ended = await zot.next('agent_ended')
    expect(ended).toMatchObject({ expected: false })
    expect(`${ended.reason} ${ended.hint}`).toMatch(/guard.*\/restart/)
    expect(await zot.next('permission_decided')).toMatchObject({ allowed: false, by: 'end' })
    await zot.turn
    await pause(100)
    expect([zot.ran(), zot.ran('next')]).toEqual([false, false])
  })

  test('a guard that stops answering ends zot before zot runs anything', async () => {
    const zot = await open([{ calls: [bash('touch ran', 'a'), bash('touch next', 'b')] }, done])
    const { id } = await zot.next('permission_requested')
    stopGuard(zot)
    zot.answer(id, { answer: 'refuse', words: '' })
    const ended = await zot.next('agent_ended')
    expect(ended.reason).toContain('does not answer')
    await zot.turn
    await pause(100)
    expect([zot.ran(), zot.ran('next')]).toEqual([false, false])
  })

  test('a guard that loses zotui refuses whatever comes', async () => {
    const { next, zots, turn, ran, result } = await open([
      { calls: [bash('touch ran', 'a'), bash('touch b', 'b'), write('c', 'x', 'c')] },
      done,
    ])
    await next('permission_requested')
    void zots[0]?.link.close()
    await turn
    expect([ran(), ran('b'), ran('c')]).toEqual([false, false, false])
    expect(result('a')).toContain('connection to zotui is lost')
    expect(result('b')).toContain('connection to zotui is lost')
  })

  test('zotui is killed while a command, an edit and another call wait: nothing runs, its zots and guards end, and the next start tidies up', async () => {
    const waiting = [bash('touch ran'), write('ran', 'x'), read('ran')]
    const zots = await Promise.all(waiting.map(call => make([{ calls: [call, bash('touch next', 'n')] }, done])))
    const program = await startMortal('watched', ...zots.map(({ launch }) => launch))
    const started = descendants(program.pid ?? 0)
    expect(started.filter(({ command }) => command.includes('zotui-guard.'))).toHaveLength(3)
    program.kill('SIGKILL')
    await once(program, 'exit')
    for (const end = performance.now() + 8000; started.some(alive) && performance.now() < end;) await pause(20)
    expect(started.filter(alive).map(({ command }) => command)).toEqual([])
    for (const { project, places } of zots) {
      expect(['ran', 'next'].filter(file => existsSync(path.join(project, file)))).toEqual([])
      expect(readdirSync(places)).toHaveLength(1)
      await removeStaleFolders([places])
      expect(readdirSync(places)).toEqual([])
    }
  })

  test('zotui is killed and nothing else watches: nothing runs, and the guard ends zot', async () => {
    const { launch, project } = await make([{ calls: [bash('touch ran'), bash('touch next', 'n')] }, done])
    const program = await startMortal('alone', launch)
    const started = descendants(program.pid ?? 0)
    program.kill('SIGKILL')
    await once(program, 'exit')
    for (const end = performance.now() + 6000; started.some(alive) && performance.now() < end;) await pause(20)
    expect(started.filter(alive).map(({ command }) => command)).toEqual([])
    expect(['ran', 'next'].filter(file => existsSync(path.join(project, file)))).toEqual([])
    await removeStaleFolders([launch.places.parents[0] ?? ''])
  })

  test('what runs is listed and can be ended without the turn, and so can what was left in the background', async () => {
    const { next, backend, turn, result, answer, heard } = await open([
      { calls: [bash('(sleep 4242 & echo) ; sleep 4243; true', 'a')] },
      { calls: [bash('true', 'b')] },
      done,
    ])
    const first = await next('permission_requested')
    expect(await backend.listRunning()).toEqual([])
    const allowed = Date.now()
    answer(first.id, { answer: 'allow' })
    await next('tool_progressed')
    const [running] = (await backend.listRunning()) ?? []
    expect(running).toMatchObject({ callId: 'a', command: '(sleep 4242 & echo) ; sleep 4243; true' })
    expect(Math.abs((running?.startedAt ?? 0) - allowed)).toBeLessThan(30_000)
    await expect.poll(() => descendants(running?.pid ?? 0).length).toBeGreaterThan(0)
    expect(await backend.endRunning(running?.pid ?? 0)).toEqual({ ok: true, value: undefined })
    await next('tool_finished')
    expect(result('a')).toContain('[exit -1]')
    expect(await backend.endRunning(running?.pid ?? 0)).toMatchObject({ ok: false })
    answer((await next('permission_requested')).id, { answer: 'allow' })
    await turn
    expect(await heard(3)).toBeDefined()
  })

  test.each([
    ['is missing', null],
    ['ends at once', 'process.exit(1)'],
    ['never comes to zotui', tells({ type: 'hello', name: 'x', version: '1' }, { type: 'ready' })],
    [
      'comes to zotui but never asks',
      `import { connect } from 'node:net'; connect(process.argv[2]); ${tells({ type: 'hello', name: 'x', version: '1' }, { type: 'ready' })}`,
    ],
  ])('no prompt is sent to a zot whose guard %s', async (_what, code) => {
    const zot = await make([{ calls: [bash('touch ran')] }, done], {
      limits: { guard: 500 },
      ...scriptOf(code),
    })
    await zot.backend.open()
    const ended = await zot.next('agent_ended')
    expect(`${ended.reason} ${ended.hint}`).toMatch(/without the guard.*\/restart.*--no-guard/)
    await zot.backend.prompt(prompt)
    expect(zot.types()).toContain('prompt_refused')
    expect(existsSync(path.join(zot.project, 'ran'))).toBe(false)
  })

  test('a zot that takes over has a guard of its own, and the folder of the first is removed', async () => {
    const { backend, places, next, answer, turn, ran } = await open([done, { calls: [bash('touch ran')] }, done])
    await turn
    const [first] = readdirSync(places)
    expect(await backend.replace({})).toEqual({ ok: true, value: undefined })
    const left = readdirSync(places)
    expect(left).toHaveLength(1)
    expect(left[0]).not.toBe(first)
    const second = backend.prompt(prompt)
    answer((await next('permission_requested')).id, { answer: 'allow' })
    await second
    expect(ran()).toBe(true)
    await backend.close()
    expect(readdirSync(places)).toEqual([])
  })
}

function tells(...frames: object[]): string {
  return `process.stdout.write(${JSON.stringify(frames.map(frame => `${JSON.stringify(frame)}\n`).join(''))}); process.stdin.resume(); process.stdin.on('end', () => process.exit())`
}

function scriptOf(code: string | null): { script: string } {
  const file = path.join(mkdtempSync(path.join(tmpdir(), 'script-')), 'zotui-guard.mjs')
  if (code !== null) writeFileSync(file, code)
  return { script: file }
}
