/** A script, or a user with a pipe, uses zotui without the UI. */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { printLineSchema } from '../../src/print/json-lines.ts'
import { DEFAULT_LIMITS } from '../../src/agents/zot/limits.ts'
import { environment, type Home } from '../helpers/home.ts'
import { alive, descendants } from '../helpers/processes.ts'
import { open } from '../helpers/screen.ts'
import { homeAfter, installZot, lastingHome, openZot, program, quick, run } from './stage.ts'

/** The additional time on a machine with other work to do, in milliseconds. */
const BUSY = 2000
/** The same where the agent would run for ever: any end shows that a limit holds. */
const VERY_BUSY = 15_000

/** Starts zotui with pipes, on a fake zot; `frames` is what the agent `hostile` answers to the prompt `go`. */
function start(agent: string, args: readonly string[], frames: readonly object[] = []) {
  const home = lastingHome()
  writeFileSync(join(home.path, 'go.json'), JSON.stringify(frames))
  writeFileSync(join(home.path, 'abort.json'), JSON.stringify(aborted))
  const child = execa(process.execPath, [program, ...args], {
    cwd: home.project,
    env: environment(home.path, { ZOTUI_ZOT: installZot(home, agent) }),
    extendEnv: false,
    stdin: 'ignore',
    reject: false,
    timeout: 20_000,
  })
  let out = ''
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  return {
    child,
    letGo: (gate: string) => writeFileSync(join(home.path, gate), ''),
    /** Resolves when it has printed this. */
    async printed(text: string): Promise<void> {
      while (!out.includes(text)) await once(child.stdout, 'data')
    },
  }
}

const answer = [
  { type: 'turn_start', step: 1 },
  { type: 'assistant_start' },
  { type: 'text_delta', delta: 'first ' },
  { gate: 'more' },
  { type: 'text_delta', delta: 'second' },
  { type: 'assistant_message', content: [{ type: 'text', text: 'first second' }] },
  { type: 'turn_end', stop: 'end' },
  { type: 'done' },
]
const aborted = [{ type: 'turn_end', stop: 'aborted', error: 'context canceled' }, { type: 'done' }]
const failure = (error: string) => [
  { type: 'turn_start', step: 1 },
  { type: 'turn_end', stop: 'error', error },
  { type: 'error', message: error },
  { type: 'done' },
]
/** A step that costs so much and is followed by another, which waits. */
const costly = (cost: number) => [
  { type: 'turn_start', step: 1 },
  { type: 'assistant_start' },
  { type: 'usage', input: 10, output: 5, cache_read: 0, cache_write: 0, cost_usd: cost },
  { type: 'assistant_message', content: [{ type: 'tool_call', id: 'a', name: 'read', args: { path: 'x' } }] },
  { type: 'tool_call', id: 'a', name: 'read', args: { path: 'x' } },
  { type: 'turn_end', stop: 'tool_use' },
  { type: 'tool_result', id: 'a', is_error: false, content: [{ type: 'text', text: 'found' }] },
  { type: 'turn_start', step: 2 },
]

/** The lines that `--json` printed: each as the schema says. */
const eventsIn = (stdout: string) => stdout.split('\n').map(line => printLineSchema.parse(JSON.parse(line)))

describe('the prompt', () => {
  test('--print prints the answer to standard output', async () => {
    const said = { code: 0, stdout: 'You are welcome. **Ctrl+D** on an empty line leaves.', stderr: '' }
    expect(await run(['--demo', '--print', '--prompt', 'thanks'])).toEqual(said)
  })

  test('piped input is the prompt, or is appended to it, and no prompt is a command of the UI', async () => {
    const home = lastingHome()
    const env = { ZOTUI_ZOT: installZot(home, 'echo') }
    expect(await run([], { env, input: 'from a pipe\n' })).toMatchObject({ code: 0, stdout: 'You said: from a pipe.' })
    expect(await run(['-p', '/compact'], { env, input: 'one\ntwo\n' })).toMatchObject({
      code: 0,
      stdout: 'You said: /compact\n\none\ntwo.',
    })
    // No command of the UI: those are no business of a script.
    expect(await run(['/compact'], { env })).toMatchObject({ code: 0, stdout: 'You said: /compact.' })
  })

  test.each([[[]], [['-p']], [['-p', ' ']]])('%j is rejected without a prompt', async args => {
    const { code, stdout, stderr } = await run(['--demo', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^zotui: There is no prompt\. .*-p.*pipe.*$/)
  })

  test('is sent unchanged, however long it is', async () => {
    const home = lastingHome()
    const env = { ZOTUI_ZOT: installZot(home, 'echo') }
    const long = 'ten bytes '.repeat(1_000_000)
    const { code, stdout } = await run(['-p'], { env, input: long })
    expect({ code, length: stdout.length }).toEqual({ code: 0, length: `You said: ${long.trimEnd()}.`.length })
  })

  test('is rejected if it is too long or not text', async () => {
    const input = Buffer.concat([Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00]), Buffer.alloc(99)])
    const binary = await run(['--demo', '-p', 'what is this?'], { input })
    expect(binary).toMatchObject({ code: 2, stdout: '' })
    expect(binary.stderr).toMatch(/^zotui: Standard input is not text\. Name the file.*$/)
    const long = await run(['--demo', '-p'], { input: 'x'.repeat(16_000_001) })
    expect(long).toMatchObject({ code: 1, stdout: '' })
    expect(long.stderr).toMatch(/^zotui: Standard input is too long for a prompt\..*$/)
  })

  test.each([
    [['-p', 'x', '--timeout', 'soon'], /--timeout needs a time/],
    [['-p', 'x', '--continue'], /Demo sessions are not saved/],
  ])('%j is one line and exit code 2', async (args, words) => {
    const { code, stdout, stderr } = await run(['--demo', ...args])
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(words)
  })

  test('the flags for printing need -p in a terminal', async () => {
    const zotui = await open({ args: ['--demo', '--json', '--quiet'] })
    expect(await zotui.exit()).toEqual({ code: 2, signal: null })
    await zotui.see('--json, --quiet can only be used with -p')
  })
})

test('an unknown theme is a mistake on the command line, even without the UI', async () => {
  expect(await run(['--demo', '-p', '--theme', 'drak', 'hi'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringContaining('There is no theme "drak". Did you mean dark?'),
  })
})

describe('the answer', () => {
  test('is sanitised for a terminal', async () => {
    const hostile = await open({ args: ['--demo', '-p', 'hostile'], env: quick })
    expect(await hostile.exit()).toEqual({ code: 0, signal: null })
    await hostile.seeInHistory('␛')
  })

  test('goes to a file while tools and notices go to the terminal', async () => {
    const home = lastingHome()
    const zotui = await open({ args: ['--demo', '-p', 'tools'], env: quick, home, under: 'exec "$@" >answer' })
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    await zotui.seeInHistory(/^● bash /m)
    const written = readFileSync(join(home.project, 'answer'), 'utf8')
    expect(written.length).toBeGreaterThan(40)
    expect(written).not.toContain('●')
  })

  test('--quiet prints only the answer', async () => {
    const zotui = await open({ args: ['--demo', '-p', '--quiet', 'tools'], env: quick })
    expect(await zotui.exit()).toEqual({ code: 0, signal: null })
    expect(zotui.history().join('\n')).not.toMatch(/^● /m)
  })

  test('--quiet omits notices about the command line', async () => {
    const home = lastingHome()
    const env = { ZOTUI_ZOT: installZot(home, 'echo') }
    const args = ['-p', '--api-key', 'a-key-that-is-no-key', 'hello']
    expect((await run(args, { env })).stderr).toMatch(/^zotui: --api-key is visible to other users/)
    expect(await run(['--quiet', ...args], { env })).toMatchObject({ code: 0, stderr: '' })
  })

  test('--json prints every event, including pieces of text', async () => {
    const { code, stdout, stderr } = await run(['--demo', '-p', '--json', 'thanks'])
    const events = eventsIn(stdout)
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(events.slice(0, 3).map(({ type }) => type)).toEqual([
      'session_opened',
      'permission_mode_changed',
      'agent_starting',
    ])
    expect(events.filter(event => event.type === 'text_received').length).toBeGreaterThan(3)
    expect(events.slice(-2)).toMatchObject([{ type: 'agent_ended', expected: true }, { type: 'result' }])
  })

  test('is printed as it streams, and ends without an error when the reader closes the pipe', async () => {
    const zotui = start('hostile', ['-p', 'go'], answer)
    await zotui.printed('first ')
    zotui.child.stdout.destroy()
    zotui.letGo('more')
    expect(await zotui.child).toMatchObject({ exitCode: 0, stderr: '' })
  })
})

/** Runs zotui again and again in one home, each time on the fake zot that is named. */
function runIn(home: Home) {
  return (agent: string, ...args: string[]) =>
    execa(process.execPath, [program, ...args], {
      cwd: home.project,
      env: environment(home.path, { ZOTUI_ZOT: installZot(home, agent) }),
      extendEnv: false,
      stdin: 'ignore',
      reject: false,
      timeout: 20_000,
    })
}

/** The limit of the cost is reached at the end of each. */
async function rememberTwo(home: Home): Promise<void> {
  for (const color of ['blue', 'red']) {
    const args = ['-p', '--max-cost', '0.0042', `remember the ${color} door`]
    expect(await runIn(home)('echo', ...args)).toMatchObject({ exitCode: 0 })
  }
}

describe('a session', () => {
  const afterTwo = homeAfter(rememberTwo)

  test('is saved, and --continue passes it to the agent', async () => {
    const zotui = runIn(await afterTwo())
    const third = await zotui('echo', '-p', '--continue', 'which door?')
    expect(third.stdout).toBe('You said: which door?. Before, you said remember the red door.')
    expect((await zotui('echo', 'show', 'last')).stdout).toMatch(/red door[^]*which door\?/)
    const { stdout: used } = await zotui('echo', 'usage', '--json')
    expect(JSON.parse(used)).toMatchObject({ total: { turns: 3, calls: 3 } })
  })

  test('--resume takes an id, or words that match one session only', async () => {
    const zotui = runIn(await afterTwo())
    const { stdout: listed } = await zotui('echo', 'sessions', '--json')
    const [, { id }] = JSON.parse(listed) as [unknown, { id: string }]
    const byId = await zotui('echo', '-p', '--resume', id, 'which door?')
    expect(byId.stdout).toBe('You said: which door?. Before, you said remember the blue door.')
    const byWords = await zotui('echo', '-p', '--resume', 'red', 'which one?')
    expect(byWords.stdout).toBe('You said: which one?. Before, you said remember the red door.')
    expect(JSON.parse((await zotui('echo', 'sessions', '--json')).stdout)).toHaveLength(2)
  })

  test.each([
    [['--resume', 'door', '-p', 'which?'], /^zotui: "door" may match several sessions.*Use `--resume ID`.*$/],
    [['--resume', 'nowhere', '-p', 'which?'], /^zotui: No sessions match "nowhere".*$/],
    [['-p', 'which?', '--resume'], /^zotui: --resume needs an ID.*$/],
  ])('cannot be asked for without a terminal: %j', async (args, words) => {
    const { exitCode, stdout, stderr } = await runIn(await afterTwo())('echo', ...args)
    expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
    expect(stderr).toMatch(words)
  })

  test('a resumed session has the exit code of the new turn, and its earlier cost counts', async () => {
    const zotui = runIn(await afterTwo())
    const dear = await zotui('echo', '-p', '--continue', '--max-cost', '0.004', 'two')
    expect(dear).toMatchObject({ exitCode: 1, stdout: '' })
    expect(dear.stderr).toMatch(/^zotui: Not started: the session has cost \$0\.004, the limit of --max-cost\.$/)
    const gone = await zotui('no-credential', '-p', '--continue', 'three')
    expect(gone).toMatchObject({ exitCode: 1, stdout: '' })
    expect(gone.stderr).toMatch(/^zotui: No credential/)
  })
})

describe('failures', () => {
  test.each([
    [
      'the provider',
      failure('anthropic: http 401: {"error":{"message":"bad key"}}'),
      /rejected the API key.*401.*bad key/,
    ],
    ['a prompt that is not taken', [{ refuses: 'no such thing' }], /was rejected: No such thing/],
  ])('%s: exit code 1 and one line', async (_, frames, words) => {
    const { exitCode, stderr } = await start('hostile', ['-p', 'go'], frames).child
    expect(stderr).toMatch(words)
    expect(stderr).toMatch(/^zotui: [^\n]*$/)
    expect(exitCode).toBe(1)
  })

  test('an agent that does not start gives a reason and what to do', async () => {
    const { exitCode, stdout, stderr } = await start('no-credential', ['-p', 'go']).child
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^zotui: No credential for \w+\. .*API_KEY.*$/)
  })

  test('--max-cost finishes the step and starts no other', async () => {
    const dear = await start('hostile', ['-p', 'go', '--max-cost', '0.5'], [...costly(0.5), ...answer]).child
    expect(dear).toMatchObject({ exitCode: 1 })
    expect(dear.stderr).toMatch(/^zotui: Stopped: the session has cost \$0\.50.*--max-cost\.$/)
    const cheap = start('hostile', ['-p', 'go', '--max-cost', '0.5'], [...costly(0.4), ...answer.slice(1)])
    cheap.letGo('more')
    expect(await cheap.child).toMatchObject({ exitCode: 0, stdout: 'first second' })
  })

  test('an agent that hangs at its start: SIGHUP', async () => {
    const { child } = start('silent', ['-p', 'go'])
    const agents = () => descendants(child.pid ?? 0).filter(({ command }) => command.includes('silent.ts'))
    await expect.poll(agents, { timeout: 10_000 }).not.toEqual([])
    child.kill('SIGHUP')
    expect(await child).toMatchObject({ exitCode: 129, stdout: '', stderr: '' })
  })

  test('an agent that dies: one line, and --json prints events that end with agent_ended and the result', async () => {
    const frames = [...answer.slice(0, 3), { dies: 'zot: out of luck' }]
    const { exitCode, stdout, stderr } = await start('hostile', ['-p', '--json', 'go'], frames).child
    expect(exitCode).toBe(1)
    expect(stderr).toMatch(/^zotui: [^\n]*exited during the turn: Out of luck[^\n]*$/)
    expect(eventsIn(stdout).at(-2)).toMatchObject({ type: 'agent_ended', expected: false })
  })

  test('an endless standard input is reported, and --timeout ends it', async () => {
    const home = lastingHome()
    const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'echo') })
    const run = { env, extendEnv: false, stdin: 'pipe', reject: false, timeout: 20_000 } as const
    const child = execa(process.execPath, [program, '-p', '--timeout', '1', 'go'], run)
    // Without it is said what is waited for.
    const open = execa(process.execPath, [program, '-p', 'go'], run)
    const said = once(open.stderr, 'data')
    const { exitCode, stdout, stderr } = await child
    child.stdin.destroy()
    expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
    expect(stderr).toMatch(/^zotui: Standard input did not end within --timeout\.[^\n]*$/)
    await said
    open.stdin.end('on')
    expect(await open).toMatchObject({ exitCode: 0, stdout: 'You said: go\n\non.' })
  })

  test('--timeout ends an agent that hangs at its start, an answer, and an agent that ignores the abort', async () => {
    const began = performance.now()
    // Most of it is waiting, so they wait beside each other.
    const ends = ['silent', 'hostile', 'deaf'].map(agent => start(agent, ['-p', 'go', '--timeout', '1'], answer).child)
    for (const end of ends)
      expect(await end).toMatchObject({ exitCode: 1, stderr: 'zotui: Stopped: --timeout was reached.' })
    expect((await ends[0])?.stdout).toBe('')
    expect(performance.now() - began).toBeLessThan(1000 + DEFAULT_LIMITS.closeAbort + 1000 + VERY_BUSY)
  })
})

describe('a signal', () => {
  test('stops the agent and what it runs, and every line of --json is complete, also those that report the stop', async () => {
    const zotui = start('mortal', ['-p', '--json', 'works in a shell'])
    await zotui.printed('I will be gone')
    const children = descendants(zotui.child.pid ?? 0)
    zotui.child.kill('SIGINT')
    const { exitCode, stdout, stderr } = await zotui.child
    expect({ exitCode, stderr }).toEqual({ exitCode: 130, stderr: '' })
    expect(children.length).toBeGreaterThan(0)
    await expect.poll(() => children.filter(alive)).toEqual([])
    const types = eventsIn(stdout).map(({ type }) => type)
    expect(types).toContain('abort_requested')
    expect(types.slice(-3)).toEqual(['turn_ended', 'agent_ended', 'result'])
  })

  test('of any kind ends an agent that reads nothing, a second after its time is up', async () => {
    const signals = Object.entries({ SIGINT: 130, SIGTERM: 143, SIGQUIT: 131 })
    const ends = signals.map(async ([signal, code]) => {
      const zotui = start('deaf', ['-p', 'go'])
      await zotui.printed('I hear nothing')
      const children = descendants(zotui.child.pid ?? 0)
      const began = performance.now()
      zotui.child.kill(signal as NodeJS.Signals)
      expect(await zotui.child).toMatchObject({ exitCode: code })
      expect(performance.now() - began).toBeLessThan(DEFAULT_LIMITS.closeAbort + 1000 + VERY_BUSY)
      await expect.poll(() => children.filter(alive)).toEqual([])
    })
    await Promise.all(ends)
  })

  test('a second signal kills an agent that ignores the first', async () => {
    const zotui = start('deaf', ['-p', 'go'])
    await zotui.printed('I hear nothing')
    zotui.child.kill('SIGINT')
    await zotui.printed('Abort number 1')
    const began = performance.now()
    zotui.child.kill('SIGINT')
    expect(await zotui.child).toMatchObject({ exitCode: 130 })
    expect(performance.now() - began).toBeLessThan(1000 + BUSY)
  })

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)(
    '%s while standard input is read ends zotui with its code, and the zot that has started',
    async (signal, code) => {
      const home = lastingHome()
      const env = environment(home.path, { ZOTUI_ZOT: installZot(home, 'echo') })
      const child = execa(process.execPath, [program, '-p', 'go'], {
        env,
        extendEnv: false,
        stdin: 'pipe',
        reject: false,
      })
      const agents = () => descendants(child.pid ?? 0).filter(({ command }) => command.includes('echo.ts'))
      await expect.poll(agents, { timeout: 10_000 }).not.toEqual([])
      const started = agents()
      child.kill(signal)
      expect(await child).toMatchObject({ exitCode: code, stdout: '', stderr: '' })
      await expect.poll(() => started.filter(alive)).toEqual([])
    },
  )

  test('Ctrl+C in a terminal has the same effect', async () => {
    const zotui = await openZot('mortal', { args: ['-p', 'works in a shell'] })
    await zotui.see('I will be gone')
    const children = zotui.children()
    await zotui.raw('\u0003')
    expect(await zotui.exit()).toEqual({ code: 130, signal: null })
    expect(zotui.history().join('\n')).not.toContain('zotui: ')
    expect(children.length).toBeGreaterThan(0)
    await expect.poll(() => children.filter(alive)).toEqual([])
  })
})

test('-p starts zot before it loads what talks to it, and loads nothing that draws', async () => {
  const home = lastingHome()
  const loaded = join(home.path, 'loaded')
  const hook = fileURLToPath(new URL('../helpers/loaded-modules.ts', import.meta.url))
  const zot = installZot(home, 'echo')
  await execa(process.execPath, ['--import', hook, program, '--zot', zot, '--no-guard', '-p', 'go'], {
    env: environment(home.path, { LOADED_MODULES: loaded }),
    extendEnv: false,
    stdin: 'ignore',
  })
  // A file that only passes on what another one exports has next to no text.
  const files = readFileSync(loaded, 'utf8')
    .split('\n')
    .filter(file => file.includes('/chunks/') && readFileSync(file).length > 1000)
    .map(file => basename(file).replace(/-.{8}\.js$/, ''))
  expect(files.slice(0, 5)).toEqual(['cli', 'main', 'answer', 'launch', 'child'])
  expect(files.slice(5).toSorted()).toEqual(
    ['agent', 'event', 'permissions', 'print', 'resume', 'wire', 'zod'].toSorted(),
  )
})
