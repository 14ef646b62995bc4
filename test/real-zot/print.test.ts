/** A script, and a real zot under it: one prompt without the UI. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { transcriptOf } from '../../bin/wiring/transcript.ts'
import { parseRecording } from '../../src/agents/recording/recording.ts'
import { printLineSchema } from '../../src/print/json-lines.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { hold, httpError, reply, startModel, type Step } from '../helpers/model.ts'
import { alive, descendants } from '../helpers/processes.ts'
import { program } from '../stories/stage.ts'
import { eventsOf } from '../recordings/playing.ts'
import { zot } from './talk.ts'

/** A machine with a real zot, whose model says `script`. */
async function machine(script: readonly Step[], more: Record<string, string> = {}) {
  const home = makeHome()
  onTestFinished(() => home.remove())
  const model = await startModel(script)
  const env = environment(home.path, { ZOTUI_ZOT: zot, ZOT_HOME: path.join(home.path, '.zot'), ...more })
  const run = (file: string, args: readonly string[], input = '') =>
    execa(file, args, { cwd: home.project, env, extendEnv: false, input, reject: false, timeout: 30_000 })
  return {
    home,
    model,
    zot: (...args: string[]) => run(zot, [...args, ...model.flags]),
    zotui: (...args: string[]) => run(process.execPath, [program, ...args]),
    print: (args: readonly string[], input?: string) =>
      run(process.execPath, [program, '-p', ...model.flags, ...args], input),
  }
}

/** The messages, without the warning of the key in the flags of the model. */
const messages = (stderr: string): string => stderr.replace(/^zotui: --api-key is visible[^\n]*\n?/, '')

/** Resolves when it has printed this. */
async function printed(stdout: Readable, text: string): Promise<void> {
  let out = ''
  for await (const chunk of stdout.iterator({ destroyOnReturn: false })) {
    out += String(chunk)
    if (out.includes(text)) return
  }
}

describe.skipIf(!zot)('-p on a real zot', () => {
  test('prints the text before and after a tool, and nothing of the tool', async () => {
    const { print, model } = await machine([
      reply().text('I ', 'look.').tool('bash', { command: 'echo $((40 + 2))' }),
      reply().text('It is there.'),
    ])
    const { exitCode, stdout, stderr } = await print(['what is it?'], 'piped\n')
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: 'I look.\n\nIt is there.' })
    expect(messages(stderr)).toBe('')
    expect(JSON.stringify(model.requests[0]?.body)).toContain(String.raw`what is it?\n\npiped`)
    expect(JSON.stringify(model.requests[1]?.body)).toContain('42')
  })

  test('reviews: what only reads runs, what changes something does not, and the findings are printed', async () => {
    const findings = [{ level: 'error', path: 'a.ts', line: 1, title: 'It leaks' }]
    const { home, model, zotui } = await machine(
      [
        reply().text('I look.').tool('bash', { command: 'ls' }),
        reply().tool('bash', { command: 'touch made' }),
        reply().text(`Not yet.\n\n\`\`\`findings\n${JSON.stringify({ findings })}\n\`\`\``),
      ],
      { ANTHROPIC_API_KEY: 'x' },
    )
    writeFileSync(path.join(home.project, 'a.ts'), 'one\n')
    const how = ['--provider', 'anthropic', '--model', 'claude-sonnet-4-5', '--base-url', model.url]
    const { exitCode, stdout, stderr } = await zotui('review', ...how, '--fail-on', 'warning')
    expect({ exitCode, stdout, stderr }).toEqual({
      exitCode: 1,
      stdout: 'Not yet.\n\na.ts:1: error: It leaks\n\n1 error.',
      stderr: '',
    })
    expect(JSON.stringify(model.requests[1]?.body)).toContain('a.ts')
    expect(existsSync(path.join(home.project, 'made'))).toBe(false)
  })

  test('--quiet prints the final answer only, and no warning', async () => {
    const { print } = await machine([
      reply().text('I look.').tool('bash', { command: 'echo found' }),
      reply().text('It is there.'),
    ])
    expect(await print(['--quiet', 'go'])).toMatchObject({ exitCode: 0, stdout: 'It is there.', stderr: '' })
  })

  test('--json prints every event, valid by the schema, and the result', async () => {
    const { print } = await machine([
      reply().text('I look.').tool('bash', { command: 'echo found' }),
      reply().text('It ', 'is ', 'there.'),
    ])
    const { exitCode, stdout } = await print(['--json', 'go'])
    const events = stdout.split('\n').map(line => printLineSchema.parse(JSON.parse(line)))
    expect(exitCode).toBe(0)
    const types = events.map(({ type }) => type)
    for (const type of ['tool_called', 'tool_finished', 'usage_reported', 'turn_ended']) expect(types).toContain(type)
    expect(types.filter(type => type === 'text_received').length).toBeGreaterThanOrEqual(4)
    expect(types.at(-2)).toBe('agent_ended')
    const [first, last] = [events[0], events.at(-1)]
    expect(last).toMatchObject({ type: 'result', outcome: 'done', answer: 'It is there.', exitCode: 0 })
    expect(first).toMatchObject({ type: 'session_opened', session: last?.type === 'result' ? last.session : '' })
  })

  test('a refused key prints one line and exits with code 1', async () => {
    const { print } = await machine([httpError(401, 'no such key')])
    const { exitCode, stdout, stderr } = await print(['go'])
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(messages(stderr)).toMatch(/^zotui: The provider rejected the API key[^\n]*$/)
  })

  test('a zot that is killed in the middle of its answer exits with code 1', async () => {
    const gate = hold()
    const { print } = await machine([reply().text('The first half').wait(gate).text('.')])
    const child = print(['go'])
    await printed(child.stdout, 'The first half')
    for (const each of descendants(child.pid ?? 0)) if (each.command.includes(' rpc')) process.kill(each.pid, 'SIGKILL')
    const { exitCode, stdout, stderr } = await child
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: 'The first half' })
    expect(messages(stderr)).toMatch(/^zotui: The agent exited during the turn: [^\n]*$/)
  })

  test.each([
    ['--timeout', 1],
    ['SIGINT', 130],
  ] as const)('%s stops the model, and leaves nothing behind', async (how, code) => {
    const gate = hold()
    const { print, model } = await machine([reply().text('The first half').wait(gate)])
    const child = print(how === '--timeout' ? ['--timeout', '3', 'go'] : ['go'])
    await printed(child.stdout, 'The first half')
    const children = descendants(child.pid ?? 0)
    if (how === 'SIGINT') child.kill(how)
    expect(await child).toMatchObject({ exitCode: code, stdout: 'The first half' })
    await model.requests[0]?.abandoned
    await expect.poll(() => children.filter(alive)).toEqual([])
  })

  test('--record omits a key in both directions, and a replay of it, or of the session, prints the same', async () => {
    const key = 'sk-a-key-of-the-environment'
    const { print, zotui, home } = await machine([reply().text('It is sk-a-key', '-of-the-environment.')], {
      SOME_API_KEY: key,
    })
    const file = path.join(home.path, 'wire.ndjson')
    const { stdout } = await print(['--record', file, `what is ${key}?`])
    const text = readFileSync(file, 'utf8')
    expect(text).not.toContain(key)
    const { lines, unread } = parseRecording(text)
    expect({ unread, directions: new Set(lines.map(({ dir }) => dir)) }).toEqual({
      unread: [],
      directions: new Set(['in', 'out']),
    })
    expect(transcriptOf(await eventsOf({ lines }), 80)).toContain(stdout)
    const replayed = await zotui('replay', 'last')
    expect(replayed.stdout).toContain(stdout)
  })

  test('--continue resumes the session, which can be exported as a session of zot', async () => {
    const {
      print,
      zotui,
      zot: runZot,
      model,
      home,
    } = await machine([
      reply().text('The door is blue.').tool('bash', { command: 'echo a knock' }),
      reply().text('Somebody knocked.'),
      reply().text('Blue, as I said.'),
      reply().text('Blue for zot as well.'),
    ])
    expect(await print(['which door?'])).toMatchObject({ exitCode: 0 })
    expect((await print(['--continue', 'which colour?'])).stdout).toBe('Blue, as I said.')
    expect(JSON.stringify(model.requests[2]?.body)).toContain('Somebody knocked.')

    const exported = await zotui('export', 'last', '-f', 'zotsession', '-o', '-')
    const file = path.join(home.project, 'said.jsonl')
    writeFileSync(file, `${exported.stdout}\n`)
    expect((await runZot('-p', 'and now?', '--session', file)).stdout).toBe('Blue for zot as well.')
    const body = JSON.stringify(model.requests[3]?.body)
    for (const words of [
      'which door?',
      'The door is blue.',
      'echo a knock',
      'Somebody knocked.',
      'which colour?',
      'Blue, as I said.',
      'and now?',
    ]) {
      expect(body).toContain(words)
    }
  })
})
