import { spokenPages } from '../pages.ts'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import process from 'node:process'
import { afterAll, describe, expect, test } from 'vitest'
import { List } from '../../../src/conversation/list.ts'
import { join } from 'node:path'
import { pickerTable } from '../../../components/picker/table.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { createController } from '../../../src/app/controller.ts'
import { initialState, type AppState } from '../../../src/state/state.ts'
import { createAppStore } from '../../../src/state/app-store.ts'
import { FakeBackend } from '../fake-backend.ts'

const folder = mkdtempSync(join(tmpdir(), 'zotui-shell-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function stage(parts: { secrets?: readonly string[] } = {}) {
  const store = createAppStore(initialState({ version: '1', folder: '~', branch: null, demo: false }, 0))
  const backend = new FakeBackend(() => 0)
  const { promise: left, resolve: onLeave } = Promise.withResolvers<number>()
  const controller = createController({
    slashCommands,
    pickers: pickerTable,
    permissions: null,
    ...parts,
    store,
    backend,
    now: () => 0,
    composerWidth: () => 78,
    screenRows: () => 24,
    redraw: () => undefined,
    pages: spokenPages,
    onLeave,
    host: {
      folder,
      home: folder,
      env: { PATH: process.env['PATH'], SHELL: '/bin/sh' },
      platform: process.platform,
      lendTerminal: async run => run(),
      suspend: null,
    },
  })
  controller.start(null)
  /** Resolves when the state is so. */
  const until = (check: (state: AppState) => boolean): Promise<void> =>
    new Promise(resolve => {
      const look = (): void => {
        if (!check(store.get())) return
        stop()
        resolve()
      }
      const stop = store.subscribe(look)
      look()
    })
  await until(state => state.chat.agent.phase === 'ready')
  const say = (text: string): void => {
    controller.type(text)
    controller.press('enter')
  }
  const idle = () => until(state => state.chat.shell === null)
  return { store, backend, controller, until, say, idle, left }
}

const prompts = (backend: FakeBackend): string[] =>
  backend.prompts.map(({ before = [], text }) => [...before, text].join('\n'))

describe.skipIf(process.platform === 'win32')('a command behind !', () => {
  test('runs in the folder, and its output is sent once, with the next prompt', async () => {
    const { store, backend, say, idle } = await stage()
    say('!pwd; exit 3')
    expect(store.get().chat.shell?.tool).toMatchObject({ state: 'running', arguments: { command: 'pwd; exit 3' } })
    expect(store.get().editor.text).toBe('')
    await idle()
    expect(store.get().chat.entries).toMatchObject([{ kind: 'shell', shared: true, tool: { state: 'failed' } }])
    say('why?')
    const [sent = ''] = prompts(backend)
    expect(sent).toMatch(
      /^I ran this command myself; it exited with code 3[\s\S]*\$ pwd; exit 3\n.*zotui-shell-.*\n```\n\nwhy\?$/,
    )
    expect(store.get().chat.open).toMatchObject({ prompt: 'why?', before: [expect.stringContaining('pwd')] })
    backend.end({ type: 'turn_ended' })
    await new Promise(setImmediate)
    say('and now?')
    expect(prompts(backend)[1]).toBe('and now?')
  })

  test('after !! is not sent to the agent', async () => {
    const { store, backend, say, idle } = await stage()
    say('!!echo secret')
    await idle()
    expect(store.get().chat.entries).toMatchObject([{ kind: 'shell', shared: false, tool: { state: 'ok' } }])
    say('hello')
    expect(prompts(backend)).toEqual(['hello'])
  })

  test('runs while the agent works, belongs to that turn, and Esc stops it first', async () => {
    const { store, backend, controller, say, idle } = await stage()
    say('work')
    say('!exec sleep 60')
    expect(store.get().chat).toMatchObject({ open: { kind: 'turn' }, shell: { stopping: false } })
    controller.press('escape')
    expect(store.get().chat.shell).toMatchObject({ stopping: true })
    await idle()
    expect(store.get().chat.open).toMatchObject({
      aborting: false,
      parts: List.of([{ kind: 'shell', tool: { state: 'aborted' } }]),
    })
    controller.press('escape')
    expect(backend.asked).toContain('abort')
  })

  test('is not started while another one runs, and the draft stays', async () => {
    const { store, controller, say, idle } = await stage()
    say('!exec sleep 60')
    say('!echo two')
    expect(store.get().editor.text).toBe('!echo two')
    expect(store.get().hint).toContain('A command is running')
    controller.press('ctrl+c')
    await idle()
  })

  test('that is empty shows a hint', async () => {
    const { store, say } = await stage()
    say('!')
    expect(store.get().hint).toContain('after !')
    expect(store.get().chat.shell).toBeNull()
  })

  test('does not outlive zotui', async () => {
    const { store, controller, say, left } = await stage()
    say('!exec sleep 60')
    controller.press('ctrl+d')
    expect(await left).toBe(0)
    expect(store.get().chat.shell).toBeNull()
  })

  test('is sent again if the prompt with it was refused', async () => {
    const { backend, say, idle } = await stage()
    say('!echo output')
    await idle()
    say('one')
    backend.end({ type: 'prompt_refused', message: 'busy' })
    await new Promise(setImmediate)
    say('two')
    expect(prompts(backend)[1]).toMatch(/echo output[\s\S]*\ntwo$/)
  })

  test('is not sent to another conversation', async () => {
    const { store, backend, say, idle } = await stage()
    say('!echo output')
    await idle()
    say('/clear')
    await new Promise(setImmediate)
    expect(store.get().chat.entries.at(-1)?.kind).toBe('cleared')
    say('one')
    expect(prompts(backend)).toEqual(['one'])
  })

  test('sends no known secret to the agent', async () => {
    const { backend, say, idle } = await stage({ secrets: ['sk-ant-0123456789'] })
    say('!echo the key is sk-ant-0123456789')
    await idle()
    say('one')
    expect(prompts(backend)[0]).toMatch(/the key is sk-\[hidden\]/)
    expect(prompts(backend)[0]).not.toContain('0123456789')
  })

  test('is sent again by /retry', async () => {
    const { backend, say, idle } = await stage()
    say('!echo output')
    await idle()
    say('one')
    backend.end({ type: 'turn_ended' })
    await new Promise(setImmediate)
    say('/retry')
    expect(prompts(backend)[1]).toBe(prompts(backend)[0])
  })
})
