/** Hooks as real processes: fast, slow and failing ones, and what they are told. */
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { HookEvent } from '../../src/config/hooks.ts'
import type { WrittenHook } from '../../src/config/layers.ts'
import { createHooks, type Hooks } from '../../src/hooks/hooks.ts'
import { createPromptHooks } from '../../src/hooks/prompts.ts'
import { descendants } from '../helpers/processes.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'zotui-hooks-')))
afterAll(() => rmSync(folder, { recursive: true }))
const said: string[] = []
const asked: (readonly string[])[] = []
beforeEach(() => {
  said.length = 0
  asked.length = 0
})

type Row = [event: HookEvent, command: string, more?: Partial<WrittenHook>]

function hooksOf(rows: readonly Row[], env: NodeJS.ProcessEnv = {}): Hooks {
  const written = rows.map(([event, command, more]): WrittenHook => ({
    event,
    command,
    matcher: null,
    timeout: 10_000,
    source: 'user',
    place: 'config.json line 1',
    isTrusted: true,
    ...more,
  }))
  return createHooks({
    written: () => written,
    facts: () => ({ session_id: 's1', cwd: '/far', machine: 'ssh:build', agent: 'zot', permission_mode: 'ask' }),
    folder,
    env: { PATH: process.env['PATH'], SHELL: '/bin/sh', ...env },
    now: () => 7,
    onMessage: text => void said.push(text),
    onAsked: events => void asked.push(events),
  })
}

const lasts = (hooks: Hooks) => hooks.rows().map(({ last }) => last && [last.exitCode, last.says, last.words])

/** The number of hooks that have begun. */
const begun = (): number =>
  existsSync(join(folder, 'count')) ? readFileSync(join(folder, 'count'), 'utf8').length / 2 : 0

describe('hooks', () => {
  test('get JSON on their input and a few variables, and run in the folder', async () => {
    const hooks = hooksOf([
      ['PreToolUse', 'cat >told; echo "$ZOTUI_EVENT $ZOTUI_PROJECT_DIR $ZOTUI_SESSION_ID $PWD" >variables'],
    ])
    expect((await hooks.ask('PreToolUse', { tool_name: '$(touch evil)' }, { name: 'bash' })).says).toBe('nothing')
    expect(JSON.parse(readFileSync(join(folder, 'told'), 'utf8'))).toEqual({
      session_id: 's1',
      cwd: '/far',
      machine: 'ssh:build',
      agent: 'zot',
      permission_mode: 'ask',
      hook_event_name: 'PreToolUse',
      tool_name: '$(touch evil)',
    })
    expect(readFileSync(join(folder, 'variables'), 'utf8')).toBe(`PreToolUse /far s1 ${folder}\n`)
    expect(existsSync(join(folder, 'evil'))).toBe(false)
  })

  test('run at once, and the most careful answer counts', async () => {
    const hooks = hooksOf([
      ['PreToolUse', `until [ -e second ]; do sleep 0.02; done; echo '{"decision":"approve"}'`],
      ['PreToolUse', 'touch second; echo no >&2; exit 2'],
      ['PostToolUse', 'exit 2'],
    ])
    expect(await hooks.ask('PreToolUse', {})).toMatchObject({ says: 'deny', reason: 'no' })
    expect(lasts(hooks)).toEqual([[0, 'allow', '{"decision":"approve"}'], [2, 'deny', 'no'], null])
    expect(asked).toEqual([['PreToolUse'], []])
  })

  test('that are slow, fail, print too much or cannot be started leave a doubt', async () => {
    const hooks = hooksOf([
      ['PreToolUse', 'trap "" TERM; sleep 4731.1; sleep 4731.1', { timeout: 200 }],
      ['PreToolUse', 'echo broken; exit 1'],
      ['PreToolUse', 'yes'],
      ['PreToolUse', 'kill -9 $$'],
      ['PreToolUse', 'zotui-no-such-program'],
    ])
    expect((await hooks.ask('PreToolUse', {})).says).toBe('doubt')
    expect(lasts(hooks)).toEqual([
      [null, 'doubt', 'did not answer within 0.2s'],
      [1, 'doubt', 'failed with exit code 1'],
      [null, 'doubt', 'printed more than 1 MB'],
      [null, 'doubt', 'was ended by SIGKILL'],
      [127, 'doubt', 'failed with exit code 127'],
    ])
    await vi.waitFor(() => expect(descendants(1).filter(({ command }) => command.includes('4731.1'))).toEqual([]))
  })

  test('may leave something in the background, which goes on', async () => {
    const hooks = hooksOf([['Stop', 'sleep 4732.1 & echo $! >left']])
    hooks.notify('Stop', {})
    await hooks.settled()
    const pid = Number(readFileSync(join(folder, 'left'), 'utf8'))
    expect(process.kill(pid, 0)).toBe(true)
    process.kill(pid)
  })

  test('run for their event and their matcher only', () => {
    const hooks = hooksOf([
      ['PreToolUse', 'true', { matcher: 'Edit|Write' }],
      ['Notification', 'true', { matcher: 'idle_prompt' }],
    ])
    expect(hooks.has('PreToolUse', 'edit')).toBe(true)
    expect(hooks.has('PreToolUse', 'bash')).toBe(false)
    expect(hooks.has('PostToolUse', 'edit')).toBe(false)
    expect(hooks.has('Notification', 'permission_prompt')).toBe(false)
  })

  test('of a project that is not trusted do not run', async () => {
    const hooks = hooksOf([['PreToolUse', 'touch untrusted; exit 2', { isTrusted: false }]])
    expect((await hooks.ask('PreToolUse', {})).says).toBe('nothing')
    hooks.notify('PreToolUse', {})
    await hooks.settled()
    expect(existsSync(join(folder, 'untrusted'))).toBe(false)
    expect(lasts(hooks)).toEqual([null])
  })

  test('do not run once they are turned off, nor inside of a hook', () => {
    const hooks = hooksOf([['Stop', 'true']])
    hooks.use(false)
    expect([hooks.has('Stop'), hooks.off()]).toEqual([false, 'you turned hooks off with /hooks off'])
    hooks.use(true)
    expect([hooks.has('Stop'), hooks.off()]).toEqual([true, null])
    const inside = hooksOf([['Stop', 'true']], { ZOTUI_EVENT: 'Stop' })
    inside.use(true)
    expect([inside.has('Stop'), inside.off()]).toEqual([false, 'zotui was started by a hook'])
  })

  test('without an answer run a few at once, and too many are skipped', async () => {
    const hooks = hooksOf([['PostToolUse', 'echo x >>count; until [ -e go ]; do sleep 0.02; done']])
    for (let at = 0; at < 230; at += 1) hooks.notify('PostToolUse', {})
    await vi.waitFor(() => expect(begun()).toBe(8), { timeout: 10_000 })
    expect(lasts(hooks)).toEqual([[null, 'doubt', 'was skipped: 200 others were waiting']])
    hooks.close()
    await hooks.settled()
    expect(begun()).toBe(8)
  })

  test('with an answer run for a few calls at once, and where too many wait, they have not allowed theirs', async () => {
    const hooks = hooksOf([['PreToolUse', 'echo x >>count; until [ -e decided ]; do sleep 0.02; done']])
    const stopped = new AbortController()
    const before = begun()
    const answers = Array.from({ length: 230 }, () => hooks.ask('PreToolUse', {}))
    const last = hooks.ask('PreToolUse', {}, { signal: stopped.signal })
    await vi.waitFor(() => expect(begun()).toBe(before + 8), { timeout: 10_000 })
    const says = await Promise.all([...answers.slice(208), last].map(async answer => answer))
    expect(says.map(each => each.reason)).toEqual(Array(23).fill('was skipped: 200 calls were waiting for theirs'))
    expect(says.every(each => each.says === 'doubt')).toBe(true)
    writeFileSync(join(folder, 'decided'), '')
    const others = await Promise.all(answers.slice(0, 208))
    expect(others.every(each => each.says === 'nothing')).toBe(true)
    expect(begun()).toBe(before + 208)
  })

  test('that wait for their turn do so no longer than the call', async () => {
    const hooks = hooksOf([['PreToolUse', 'touch waits; until [ -e never ]; do sleep 0.02; done']])
    const first = Array.from({ length: 8 }, () => hooks.ask('PreToolUse', {}))
    const stop = new AbortController()
    const next = hooks.ask('PreToolUse', {}, { signal: stop.signal })
    stop.abort()
    expect(await next).toMatchObject({ says: 'doubt', reason: 'was ended' })
    hooks.close()
    expect((await Promise.all(first)).every(each => each.says === 'doubt')).toBe(true)
  })

  test('are ended with zotui', async () => {
    const hooks = hooksOf([['PreToolUse', 'touch begun; sleep 4733.1']])
    const answer = hooks.ask('PreToolUse', {})
    await vi.waitFor(() => expect(existsSync(join(folder, 'begun'))).toBe(true))
    hooks.close()
    expect((await answer).says).toBe('doubt')
  })

  test('may show the user something', async () => {
    const hooks = hooksOf([['Stop', `echo '{"systemMessage":"well done"}'`]])
    hooks.notify('Stop', {})
    await hooks.settled()
    expect(said).toEqual(['well done'])
  })
})

describe('a prompt', () => {
  test('goes with the texts of the start, once, and with its own', async () => {
    const prompts = createPromptHooks(
      hooksOf([
        ['SessionStart', 'sed "s/.*source\\":\\"\\([a-z]*\\).*/begun by \\1/"'],
        ['UserPromptSubmit', 'sed "s/.*prompt\\":\\"\\([a-z]*\\).*/asked \\1/"'],
      ]),
    )
    expect(prompts.apply()).toBe(true)
    prompts.begin('resume')
    const first = await prompts.check('one')
    expect(first.ok && first.context.map(text => text.split('\n').at(-3))).toEqual(['begun by resume', 'asked one'])
    if (first.ok) first.onSent()
    const second = await prompts.check('two')
    expect(second.ok && second.context.map(text => text.split('\n').at(-3))).toEqual(['asked two'])
  })

  test('that has to wait after its check keeps the text of the start', async () => {
    const prompts = createPromptHooks(hooksOf([['SessionStart', 'echo begun']]))
    prompts.begin('startup')
    await prompts.check('one')
    expect(prompts.apply()).toBe(true)
    const again = await prompts.check('one')
    expect(again.ok && again.context).toEqual([expect.stringContaining('begun')])
    if (again.ok) again.onSent()
    expect(prompts.apply()).toBe(false)
  })

  test('that is sent does not take the text of a session that began since', async () => {
    const prompts = createPromptHooks(hooksOf([['SessionStart', 'echo begun']]))
    prompts.begin('startup')
    const first = await prompts.check('one')
    prompts.begin('clear')
    if (first.ok) first.onSent()
    expect(prompts.apply()).toBe(true)
  })

  test('needs no check without hooks', () => {
    const prompts = createPromptHooks(hooksOf([['Stop', 'true']]))
    prompts.begin('startup')
    expect(prompts.apply()).toBe(false)
  })

  test.each([
    ['echo it has a key >&2; exit 2', 'It has a key.'],
    ['exit 2', 'It gave no reason.'],
    [`echo '{"decision":"block","reason":"later"}'`, 'Later.'],
    [`echo '{"continue":false,"stopReason":"enough"}'`, 'Enough.'],
    ['exit 1', 'It failed with exit code 1.'],
    ['echo "{"', 'It printed JSON that is not valid.'],
  ])('is blocked by %j', async (command, words) => {
    const prompts = createPromptHooks(hooksOf([['UserPromptSubmit', command]]))
    expect(await prompts.check('x')).toEqual({ ok: false, words: `A hook blocked the prompt: ${words}` })
  })

  test('is not sent if the user stops a slow hook', async () => {
    const prompts = createPromptHooks(hooksOf([['UserPromptSubmit', 'touch slow; sleep 4734.1']]))
    expect(prompts.stop()).toBe(false)
    const checked = prompts.check('x')
    await vi.waitFor(() => expect(existsSync(join(folder, 'slow'))).toBe(true))
    expect(prompts.stop()).toBe(true)
    expect(await checked).toEqual({ ok: false, words: 'Stopped the hooks that check the prompt.' })
  })
})
