/** A user looks at a session again. */
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { KEY, startFakeRoz } from '../agents/roz/fake-server.ts'
import { readAcpRecording } from '../helpers/acp-recordings.ts'
import { environment, fill, type Home } from '../helpers/home.ts'
import { alive } from '../helpers/processes.ts'
import { readRecording } from '../helpers/recording.ts'
import { open } from '../helpers/screen.ts'
import { eventsOf } from '../recordings/playing.ts'
import { sessionFile, storeSession } from '../replay/sessions.ts'
import { installAgent, installZot, lastingHome, program, run, type Outcome } from './stage.ts'

/** Monday, 5 January 2026, 14:02 UTC. */
const MONDAY = Date.UTC(2026, 0, 5, 14, 2)
const HOUR = 3_600_000

const events = (name: string): Promise<AgentEvent[]> => eventsOf(readRecording('zot-0.3.3x', name), MONDAY)
const later = (told: readonly AgentEvent[], ms: number): AgentEvent[] =>
  told.map(event => ({ ...event, at: event.at + ms }))
/** Two conversations of zot in one session, with an hour between. */
async function twoTurns(): Promise<AgentEvent[]> {
  const [first, second] = [await events('text'), await events('bash-ok-and-fail')]
  return [...first, ...later(second, HOUR)]
}

async function inHome(home: Home, ...args: string[]): Promise<Outcome> {
  const { exitCode, stdout, stderr } = await execa(process.execPath, [program, ...args], {
    cwd: home.project,
    env: environment(home.path),
    extendEnv: false,
    reject: false,
    stdin: 'ignore',
  })
  return { code: exitCode, stdout, stderr }
}

describe.each([
  [80, 24],
  [40, 20],
])('at %dx%d', (columns, rows) => {
  test('a session is played at its pace, long waits shortened, and takes no prompt', async () => {
    const home = lastingHome()
    const { id, file } = storeSession(home, await twoTurns(), 'words')
    const before = { text: readFileSync(file, 'utf8'), changed: statSync(file).mtimeMs }
    const zotui = await open({ home, columns, rows, args: ['replay', id] })
    await zotui.see('A replay: nothing is sent.')
    const said = () => zotui.history().join(' ').replaceAll(/ +/g, ' ')
    const begin = /Replaying words, [\d.]+s: .* Waits of more than 3\.0s are shortened; 59m5\ds are left out\./
    await zotui.until('the waits that are left out', { check: () => begin.test(said()) })
    await zotui.see('Hello world')
    await zotui.see(/A wait, shortened by 59m5\ds\./)
    expect(zotui.history().join('\n')).not.toContain('echo one')
    await zotui.type('hello')
    await zotui.seeInHistory(/● bash +echo one/)
    await zotui.see('End of the replay. q quits.')
    expect(zotui.history().join('\n')).not.toMatch(/Enter sends|hello|\/restart/)
    await zotui.press('q')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    expect({ text: readFileSync(file, 'utf8'), changed: statSync(file).mtimeMs }).toEqual(before)
  })
})

test('a paused replay waits with the agent ready, and keys step, go to the next prompt, or continue', async () => {
  const home = lastingHome()
  const file = sessionFile(home, 'two.jsonl', await twoTurns())
  const zotui = await open({ home, args: ['replay', file, '--paused', '--speed', '60'] })
  await zotui.seeInHistory('Replaying two.jsonl')
  await zotui.see(/zot unknown/)
  await zotui.see(/Paused at .*Space resumes/)
  expect(zotui.history().join('\n')).not.toMatch(/^▌ hi/m)
  await zotui.press('right')
  await zotui.see(/^▌ hi/m)
  expect(zotui.history().join('\n')).not.toContain('Hello world')
  await zotui.press('n')
  await zotui.see('Hello world')
  await zotui.see(/^▌ go/m)
  await zotui.see(/Paused at/)
  expect(zotui.history().join('\n')).not.toContain('echo one')
  await zotui.press('space')
  await zotui.see(/● bash +echo one/)
  // Keys that arrive together all count.
  await zotui.type(' q')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('Ctrl+C ends a replay, and the viewer has its own keys and does not move it', async () => {
  const home = lastingHome()
  const file = sessionFile(home, 'tools.jsonl', await events('bash-ok-and-fail'))
  const zotui = await open({ home, args: ['replay', file, '--at-once'] })
  await zotui.see('End of the replay')
  await zotui.press('ctrl+o')
  await zotui.type('/')
  await zotui.type('bad')
  await zotui.see('/bad')
  await zotui.press('enter')
  await zotui.see(/1 of \d/)
  await zotui.type('q')
  await zotui.see('A replay: nothing is sent.')
  await zotui.see('End of the replay')
  await zotui.press('ctrl+c')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('a replay is read out to people who use a screen reader', async () => {
  const home = lastingHome()
  fill(home, { '.config/zotui/config.json': '{"screenReader": true}' })
  const zotui = await open({
    home,
    args: ['replay', sessionFile(home, 'text.jsonl', await events('text')), '--at-once'],
  })
  await zotui.seeInHistory('Replaying text.jsonl')
  await zotui.seeInHistory('Hello world')
  await zotui.seeInHistory('End of the replay')
  await zotui.type('q')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})

test('a long session is at its end at once', async () => {
  const home = lastingHome()
  const told = Array.from({ length: 3000 }, (_, turn): AgentEvent[] => {
    const at = MONDAY + turn * HOUR
    return [
      { type: 'prompt_sent', at, text: `prompt ${turn}`, images: [] },
      { type: 'prompt_accepted', at },
      { type: 'text_received', at: at + 100, text: `answer ${turn} ` },
      { type: 'text_received', at: at + 200, text: 'is here.' },
      { type: 'turn_ended', at: at + 300 },
    ]
  })
  const zotui = await open({ home, args: ['replay', sessionFile(home, 'long.jsonl', told.flat())] })
  await zotui.see('prompt 0')
  await zotui.press('end')
  await zotui.see('answer 2999 is here.')
  await zotui.see('End of the replay')
})

test('closing the terminal ends a replay, with nothing in the log', async () => {
  const home = lastingHome()
  const file = sessionFile(home, 'text.jsonl', await events('text'))
  const zotui = await open({ home, args: ['replay', '--at-once', file], job: 'of the shell' })
  await zotui.see('End of the replay')
  const itself = zotui.itself()
  zotui.hangUp()
  await expect.poll(() => alive(itself), { timeout: 8000 }).toBe(false)
  expect(existsSync(join(home.path, '.local', 'state', 'zotui', 'zotui.log'))).toBe(false)
})

test('what once happened does not happen again: no question, no login, no restart, no limit of cost', async () => {
  const home = lastingHome()
  const { lines } = readAcpRecording('claude', 'write-allow')
  const claude = await eventsOf({ lines: lines.map(line => Object.assign(line, { agent: 'claude' })) }, MONDAY)
  const at = claude.at(-1)?.at ?? MONDAY
  const file = sessionFile(home, 'claude.jsonl', [
    ...claude,
    { type: 'login_needed', at, methods: [{ id: 'a', name: 'a browser', command: { file: 'touch', args: ['made'] } }] },
    {
      type: 'question_asked',
      at,
      id: 'q',
      message: 'Which one?',
      fields: [{ id: 'f', label: 'Name', kind: 'text', required: true }],
    },
    { type: 'agent_ended', at, code: 1, signal: null, reason: 'It crashed.', hint: '', expected: false },
  ])
  fill(home, { '.config/zotui/config.json': '{"maxCostUsd": 0.0001}' })
  const zotui = await open({ home, args: ['replay', file, '--at-once'], env: { ZOTUI_PERMISSIONS: 'ask' } })
  await zotui.seeInHistory('Finished writing.')
  await zotui.seeInHistory('It crashed.')
  await zotui.see('End of the replay')
  expect(zotui.history().join('\n')).not.toMatch(/log in with|needs a login|Restarted|has cost|›/)
  expect(zotui.children().filter(({ command }) => !command.includes('watchdog'))).toEqual([])
  await zotui.press('q')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
  expect(existsSync(join(zotui.cwd, 'made'))).toBe(false)
})

test('a session that breaks off in a turn is played up to its end, and damaged lines are reported', async () => {
  const home = lastingHome()
  const whole = await events('bash-ok-and-fail')
  const cut = whole.findLastIndex(({ type }) => type === 'tool_finished')
  const file = sessionFile(home, 'cut.jsonl', whole.slice(0, cut))
  writeFileSync(file, '{"type":"text_rec', { flag: 'a' })
  const reported = 'Skipped one line that could not be read.'
  const printed = await run(['replay', file])
  expect(printed).toMatchObject({ code: 0, stderr: `zotui: ${reported}` })
  expect(printed.stdout).toMatch(/^> go\n\n {2}Running\.\n\n● bash +echo one/)
  const zotui = await open({ home, args: ['replay', file, '--at-once'] })
  await zotui.seeInHistory(reported)
  await zotui.seeInHistory(/● bash +echo one/)
  await zotui.see('End of the replay')
  await zotui.gone(/Esc stops|working/)
})

describe('a session of every agent', () => {
  const agent = fileURLToPath(new URL('../fixtures/agents/acp-replay.ts', import.meta.url))

  test.each<
    [name: string, args: string[], env: (home: Home) => Record<string, string> | Promise<Record<string, string>>]
  >([
    ['zot', [], home => ({ ZOTUI_ZOT: installZot(home, 'echo') })],
    ['an agent of ACP', ['--agent', `${process.execPath} ${agent}`], () => ({ ACP_RECORDING: 'codex/text' })],
    [
      'Meerkat',
      ['--agent', 'meerkat', '--permissions', 'ask'],
      home => ({ ZOTUI_RKAT_RPC: installAgent(home, { name: 'rkat-rpc', agent: 'meerkat-sessions' }) }),
    ],
    ['roz', ['--agent', 'roz'], async () => ({ ROZ_API_KEY: KEY, ROZ_API_URL: (await startFakeRoz()).url })],
  ])('is played: %s', async (_, args, variables) => {
    const home = lastingHome()
    const options = { cwd: home.project, extendEnv: false, reject: false, stdin: 'ignore' } as const
    const env = environment(home.path, await variables(home))
    const live = await execa(process.execPath, [program, ...args, '-p', 'hello'], { ...options, env })
    expect(live).toMatchObject({ exitCode: 0 })
    const said = live.stdout.trim().split('\n')[0] ?? ''
    expect(said).not.toBe('')
    const printed = await inHome(home, 'replay', 'last')
    expect(printed).toMatchObject({ code: 0, stderr: '' })
    expect(printed.stdout).toContain('> hello\n')
    expect(printed.stdout).toContain(said)
    const zotui = await open({ home, args: ['replay', 'last', '--speed', '50'] })
    await zotui.see(/^▌ hello/m)
    await zotui.see(said)
    await zotui.see('End of the replay')
    await zotui.press('q')
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
  })
})

test('a session has many names, and one that fits none or several is explained in one line', async () => {
  const home = lastingHome()
  const [text, tools] = [await events('text'), await events('bash-ok-and-fail')]
  const { id } = storeSession(home, text, 'the words')
  const other = storeSession(home, later(tools, HOUR), 'The Tools')
  for (const name of [id, id.slice(0, -3), id.slice(-8), 'the words', 'Words', 'hi'])
    expect(await inHome(home, 'replay', name)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^> hi\n/) })
  expect((await inHome(home, 'replay', 'last')).stdout).toMatch(/^> go\n/)
  const wrong = async (...words: string[]) => {
    const { code, stdout, stderr } = await inHome(home, 'replay', ...words)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^zotui: [^\n]+$/)
    return stderr
  }
  const both = [other.id, id].join(', ')
  expect(await wrong('2026')).toContain(`2 sessions match 2026: ${both}. Type more of the ID.`)
  expect(await wrong('the')).toContain(`2 sessions match the: ${both}. Type more of the name, or an ID.`)
  expect(await wrong('the werds')).toContain('There is no session the werds. Did you mean the words?')
  expect(await wrong('nothing of that kind')).toMatch(/There is no session .*`zotui sessions --all` lists them\./)
  expect(await wrong('text.jsonl')).toMatch(
    /text\.jsonl cannot be read \(ENOENT\)\. Choose one of `zotui sessions --all`/,
  )
  expect(await wrong(id, '--speed', 'quick')).toMatch(/--speed needs a number .*"quick"/)
})

test.skipIf(process.platform === 'win32')('a file that is none of a session is refused in one line', async () => {
  const home = lastingHome()
  const recording = fileURLToPath(new URL('../fixtures/recordings/zot-0.3.3x/text.ndjson', import.meta.url))
  const pipe = join(home.path, 'pipe')
  execFileSync('mkfifo', [pipe])
  const huge = join(home.path, 'huge.jsonl')
  writeFileSync(huge, '')
  execFileSync('truncate', ['--size', '300M', huge])
  for (const [file, words] of [
    [recording, /is a recording of --record, not a session\. .*`node scripts\/play-recording\.ts FILE` plays it\.$/],
    [program, /zotui\.js is not a session\. Choose one of/],
    [pipe, /is a pipe, not a file/],
    ['.', /is a folder/],
    ['/dev/zero', /is a device, not a file/],
    [huge, /is larger than/],
  ] as const) {
    const { code, stdout, stderr } = await inHome(home, 'replay', file)
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(words)
    expect(stderr).toMatch(/^zotui: [^\n]+$/)
  }
})

test('texts of the file of a stranger cannot drive the terminal', async () => {
  const home = lastingHome()
  const evil = '\u001B]0;owned\u0007\u001B[2J\u202E'
  const file = sessionFile(home, 'evil.jsonl', [
    { type: 'session_titled', at: 1, title: evil },
    { type: 'prompt_sent', at: 1, text: evil, images: [] },
    { type: 'text_received', at: 1e300, text: `${evil} it says` },
    { type: 'tool_called', at: -1, id: '__proto__', name: evil, arguments: { [evil]: evil, path: evil } },
    { type: 'error_reported', at: 2, message: evil },
    { type: 'turn_ended', at: 3 },
  ])
  const zotui = await open({ home, args: ['replay', file, '--at-once'] })
  await zotui.seeInHistory('␛]0;owned')
  await zotui.see('End of the replay')
  expect(zotui.around.title).not.toContain('owned')
  await zotui.press('q')
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})
