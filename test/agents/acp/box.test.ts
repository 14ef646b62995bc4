/** The sandbox of a whole agent: what it has of its own there, and when it is not started. With a real box, and shell scripts for agents. */
import { canBox } from '../../helpers/can-box.ts'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../../src/agent/event.ts'
import { createAcpBackend } from '../../../src/agents/acp/backend.ts'
import {
  createAgentSandbox,
  knownName,
  type AgentSandbox,
  type HeldAgent,
} from '../../../src/agents/acp/box/agent-sandbox.ts'
import { boxNeeds } from '../../../src/agents/acp/box/needs.ts'
import { agentPlaces } from '../../../src/agents/acp/box/places.ts'
import type { AgentProgram } from '../../../src/agents/acp/find-agent.ts'
import { knownAgents } from '../../../src/agents/acp/known-agents.ts'
import { launchAcp } from '../../../src/agents/acp/launch.ts'
import { CannotStart } from '../../../src/agents/host/driver.ts'
import type { BoxWant } from '../../../src/agent/permission.ts'
import type { WantAnswer } from '../../../src/sandbox/command-sandbox.ts'
import { parseHostRule } from '../../../src/sandbox/network/hosts.ts'
import type { SandboxRules } from '../../../src/sandbox/command-boxes.ts'
import { heldPlaces } from '../../../src/platform/held-places.ts'
import { listUnfinishedIn } from '../../../src/platform/unfinished-folder.ts'
import { homeWith, type Home } from '../../helpers/home.ts'
import { alive, descendants } from '../../helpers/processes.ts'

type Setup = {
  /** The program of the agent, in a folder outside of the home folder. */
  command?: string
  script?: string
  files?: Record<string, string>
  rules?: Partial<SandboxRules>
  env?: Record<string, string>
}

function machine({ command = 'claude-agent-acp', script = '', files = {}, rules = {}, env: more = {} }: Setup) {
  const home: Home = homeWith({ '.ssh/id_rsa': 'a key', 'notes.txt': 'mine', [`bin/${command}`]: script, ...files })
  onTestFinished(() => home.remove())
  const file = join(home.path, 'bin', command)
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
  const folder = home.project
  const said: SandboxRules = { level: 'on', write: [], hosts: [], hide: [], ...rules }
  const env: NodeJS.ProcessEnv = { PATH: process.env['PATH'], HOME: home.path, ...more }
  const program: AgentProgram = { name: 'fake', file, args: [], known: null }
  const sandbox = createAgentSandbox({
    program,
    folder,
    sandbox: { level: () => said.level, rules: () => said, cachesOf: () => join(home.path, 'caches') },
  })
  const at = (name: string): string => join(home.path, name)
  return { home, folder, env, program, sandbox, said, at, text: (name: string) => readFileSync(at(name), 'utf8') }
}

type Machine = ReturnType<typeof machine>

/** Runs the agent to its end. Returns what it has printed. */
async function ran(
  { sandbox, env, program, folder }: Machine,
  ask: (want: BoxWant) => Promise<WantAnswer> = async () => 'no',
): Promise<string> {
  const held = await sandbox.hold({ env, ask })
  const transport = launchAcp({ agent: program, env, folder, box: held?.box ?? null })
  const lines: string[] = []
  transport.receive(line => lines.push(line))
  const { lastWords } = await transport.ended
  held?.close()
  return [...lines, ...lastWords].join('\n')
}

describe.skipIf(!canBox)('an agent in the sandbox', () => {
  test('has its own folder and a copy of its settings, and nothing else of the home folder', async () => {
    const one = machine({
      script: `
        echo mine > ~/.claude/projects.txt
        echo changed > ~/.claude.json.new && mv ~/.claude.json.new ~/.claude.json && cat ~/.claude.json
        cat ~/.claude/projects.txt; ls -A ~; cat ~/.ssh/id_rsa ~/notes.txt
        echo in > in.txt; echo out > ~/out.txt`,
      files: { '.claude.json': 'first\n' },
    })
    const printed = await ran(one)
    expect(printed).toContain('changed\nmine')
    expect(printed).not.toMatch(/a key|notes\.txt\n/)
    expect(one.text('.claude.json')).toBe('first\n')
    expect(one.text('.claude/projects.txt')).toBe('mine\n')
    expect(one.text('project/in.txt')).toBe('in\n')
    expect(existsSync(one.at('out.txt'))).toBe(false)
  })

  test('cannot change what it runs outside later', async () => {
    const one = machine({
      script: `
        for file in settings.json CLAUDE.md skills/new.md hooks/new.sh; do echo evil > ~/.claude/$file; done
        rm -rf ~/.claude/skills ~/.claude/settings.json; mv ~/.claude/hooks ~/.claude/others; mv ~/.claude ~/.other
        echo evil > ~/.claude/shell-snapshots/a.sh; cat ~/.claude/settings.json`,
      files: { '.claude/settings.json': '{"mine":1}\n', '.claude/shell-snapshots/mine.sh': 'mine' },
    })
    expect(await ran(one)).toContain('{"mine":1}')
    expect(one.text('.claude/settings.json')).toBe('{"mine":1}\n')
    expect(one.text('.claude/CLAUDE.md')).toBe('')
    const made = ['skills/new.md', 'hooks/new.sh', 'shell-snapshots/a.sh', 'others']
    expect(made.filter(name => existsSync(one.at(`.claude/${name}`)))).toEqual([])
    expect(existsSync(one.at('.claude/skills'))).toBe(true)
    expect(one.text('.claude/shell-snapshots/mine.sh')).toBe('mine')
  })

  test('cannot replace a folder that holds such a part', async () => {
    const one = machine({
      command: 'gemini',
      script:
        'mv ~/.gemini/tmp ~/.gemini/old; mkdir -p ~/.gemini/tmp/bin; echo evil > ~/.gemini/tmp/bin/rg; ls ~/.gemini',
    })
    expect(await ran(one)).toMatch(/busy/i)
    expect(existsSync(one.at('.gemini/tmp/bin/rg'))).toBe(false)
  })

  test('has its key, and no other secret, in no environment', async () => {
    const one = machine({
      script: 'env; cat /proc/*/environ | tr "\\0" "\\n"',
      env: { ANTHROPIC_API_KEY: 'its-own', GITHUB_TOKEN: 'another', AWS_SECRET_ACCESS_KEY: 'another' },
    })
    const printed = await ran(one)
    expect(printed).toContain('ANTHROPIC_API_KEY=its-own')
    expect(printed).toContain('DISABLE_AUTOUPDATER=1')
    expect(printed).not.toContain('another')
  })

  test('reaches no socket of a program outside, not in its own folder either', async () => {
    const one = machine({
      command: 'codex-acp',
      script: `node -e 'require("net").connect(process.env.HOME + "/.codex/daemon.sock").on("connect", () => console.log("REACHED")).on("error", error => console.log(error.code))'`,
      files: { '.codex/config.toml': '' },
    })
    const server = createServer()
    await new Promise<void>(resolve => void server.listen(one.at('.codex/daemon.sock'), () => resolve()))
    onTestFinished(() => void server.close())
    expect(await ran(one)).toMatch(/^(?:EACCES|ECONNREFUSED|ENXIO)/)
  })

  test('reaches its model, asks about other hosts, and does without statistics', async () => {
    const asked: BoxWant[] = []
    const one = machine({
      command: 'codex-acp',
      script: `
        for host in elsewhere.example elsewhere.example o1.sentry.io github.com github.com; do
          curl -s http://$host/; done`,
      files: { '.codex/config.toml': '' },
    })
    const printed = await ran(one, async want => {
      asked.push(want)
      return 'no'
    })
    const hosts = asked.map(want => (want.kind === 'host' ? `${want.host}:${want.port}` : ''))
    expect(hosts).toEqual(['elsewhere.example:80', 'github.com:80'])
    expect(printed.match(/is not allowed/g)).toHaveLength(5)
  })

  test('holds what can run later and that the agent has left', async () => {
    const one = machine({ script: 'echo evil > .envrc; mkdir -p sub/.git; echo fine > fine.txt' })
    const held = await one.sandbox.hold({ env: one.env, ask: async () => 'no' })
    expect(await held?.left()).toEqual([])
    const transport = launchAcp({ agent: one.program, env: one.env, folder: one.folder, box: held?.box ?? null })
    await transport.ended
    const left = (await held?.left()) ?? []
    expect(left.map(({ path }) => path.slice(one.folder.length + 1)).toSorted()).toEqual(['.envrc', 'sub/.git'])
    expect(await held?.left()).toEqual([])
    held?.close()
  })

  test('is written down while it runs, so that nothing that it left is forgotten where zotui is killed', async () => {
    const state = realpathSync(mkdtempSync(join(tmpdir(), 'state-')))
    onTestFinished(() => rmSync(state, { recursive: true }))
    listUnfinishedIn(state)
    const one = machine({ script: 'echo fine > fine.txt' })
    const noted = (): string[] =>
      readdirSync(join(state, 'held-places'), { recursive: true, encoding: 'utf8' }).filter(each =>
        each.endsWith('.begun'),
      )
    const held = await one.sandbox.hold({ env: one.env, ask: async () => 'no' })
    const transport = launchAcp({ agent: one.program, env: one.env, folder: one.folder, box: held?.box ?? null })
    await transport.ended
    expect(noted()).toHaveLength(1)
    await held?.left()
    expect(noted()).toHaveLength(1)
    held?.close()
    expect([noted(), heldPlaces(one.folder).list()]).toEqual([[], []])
  })

  test('is ended with all that it has started', async () => {
    const one = machine({ script: 'setsid sleep 31350 & (sleep 31350 &); echo begun; sleep 31350' })
    const held = await one.sandbox.hold({ env: one.env, ask: async () => 'no' })
    const transport = launchAcp({ agent: one.program, env: one.env, folder: one.folder, box: held?.box ?? null })
    await new Promise<void>(resolve => transport.receive(() => resolve()))
    await expect.poll(() => sleeping().length).toBe(3)
    const asleep = sleeping()
    transport.kill('SIGKILL')
    await transport.ended
    held?.close()
    await expect.poll(() => asleep.filter(alive).length, { timeout: 3000 }).toBe(0)
    expect(asleep).toHaveLength(3)
  })

  test('has an empty home folder if it has no row', async () => {
    const one = machine({ command: 'other-agent', script: 'ls -A ~; echo made > ~/made.txt; cat ~/made.txt' })
    const printed = await ran(one)
    expect(printed).not.toContain('notes.txt')
    expect(printed).toContain('made')
    expect(existsSync(one.at('made.txt'))).toBe(false)
  })
})

const sleeping = () => descendants(process.pid).filter(({ command }) => command.startsWith('sleep 31350'))

/** A backend with this agent. `starts` counts how often it was started. */
function backendOf(one: Machine, sandbox: AgentSandbox = one.sandbox) {
  const events: AgentEvent[] = []
  const made = { starts: 0 }
  const backend = createAcpBackend({
    agent: one.program,
    folder: one.folder,
    env: one.env,
    version: '0',
    sandbox,
    connect(_variables, box) {
      made.starts += 1
      return launchAcp({ agent: one.program, env: one.env, folder: one.folder, box })
    },
  })
  backend.subscribe(event => events.push(event))
  return { backend, events, made }
}

describe('an agent that cannot be held', () => {
  test('is not started, and says why and what to do', async () => {
    const one = machine({ env: { PATH: '/nowhere' } })
    const { backend, events, made } = backendOf(one)
    await backend.open()
    expect(events.map(({ type }) => type)).toEqual(['agent_starting', 'agent_ended'])
    expect(events[1]).toMatchObject({
      expected: false,
      reason: expect.stringMatching(/^fake was not started, since the sandbox cannot be made: /),
      hint: expect.stringContaining('zotui doctor'),
    })
    expect(made.starts).toBe(0)
  })

  test('is not started without a network', async () => {
    const { backend, events, made } = backendOf(machine({ rules: { level: 'closed' } }))
    await backend.open()
    expect(events[1]).toMatchObject({ reason: expect.stringContaining('could not reach its model') })
    expect(made.starts).toBe(0)
  })

  test('is not started where a part that is held is a link', async () => {
    const one = machine({ files: { 'dotfiles/settings.json': '{}' } })
    mkdirSync(one.at('.claude'))
    symlinkSync('../dotfiles/settings.json', one.at('.claude/settings.json'))
    const { backend, events, made } = backendOf(one)
    await backend.open()
    expect(events[1]).toMatchObject({ reason: expect.stringContaining('settings.json is a link') })
    expect(made.starts).toBe(0)
  })

  test('is not started where its own folder is the home folder', () => {
    const { home, env, program, folder } = machine({ command: 'codex-acp', env: {} })
    const agent = { name: 'codex', file: program.file, folder, apart: join(home.path, 'caches') }
    const needs = boxNeeds('codex')
    expect(() => agentPlaces({ ...agent, needs, env: { ...env, CODEX_HOME: home.path } })).toThrow(CannotStart)
  })

  test('is not started if zotui leaves while the box is made', async () => {
    const making = Promise.withResolvers<HeldAgent>()
    let closed = 0
    const { backend, events, made } = backendOf(machine({}), { hold: () => making.promise })
    const opening = backend.open()
    await backend.close()
    making.resolve({ box: NO_BOX, left: async () => [], answerLeft: async () => [], close: () => void (closed += 1) })
    await opening
    expect(events.map(({ type }) => type)).toEqual(['agent_starting', 'agent_ended'])
    expect(events[1]).toMatchObject({ expected: true })
    expect([made.starts, closed]).toEqual([0, 1])
  })
})

const NO_BOX = { file: '/nowhere', args: [], inputs: [], withheld: [], env: {} }

describe('the table', () => {
  const rows = knownAgents.map(({ name }) => [name, boxNeeds(name)] as const)

  test.each(rows)('has what %s needs', (_name, needs) => {
    expect(needs.folders.length).toBeGreaterThan(0)
    const hosts = [...needs.hosts, ...needs.refused, ...(needs.refusedFirst ?? [])]
    expect(hosts.filter(host => 'problem' in parseHostRule(host))).toEqual([])
    for (const { held, apart } of needs.folders) {
      const parts = [...Object.keys(held), ...apart]
      expect(new Set(parts).size).toBe(parts.length)
    }
    expect(needs.notes.every(note => note.endsWith('.'))).toBe(true)
  })

  test('counts a command line with the program of an agent as that agent', () => {
    expect(knownName({ name: 'x', file: '/opt/bin/codex-acp', args: [], known: null })).toBe('codex')
    expect(knownName({ name: 'x', file: '/opt/bin/other', args: [], known: null })).toBeNull()
  })

  test('takes the variable of a key and the address of a model from the settings of the agent', () => {
    const config = '[model_providers.own]\nbase_url = "http://127.0.0.1:8080/v1"\nenv_key = "OWN_KEY"\n'
    const { home, program, folder, env } = machine({ command: 'codex-acp', files: { '.codex/config.toml': config } })
    const { places, hosts } = agentPlaces({
      name: 'codex',
      needs: boxNeeds('codex'),
      file: program.file,
      folder,
      apart: join(home.path, 'caches'),
      env: { ...env, OWN_KEY: 'x', OTHER_KEY: 'y' },
    })
    expect(hosts).toContain('127.0.0.1:8080')
    expect(places.env).toMatchObject({ OWN_KEY: 'x', NO_PROXY: 'localhost,::1' })
    expect(places.env).not.toHaveProperty('OTHER_KEY')
  })

  test('opens the folder that a variable names', () => {
    const { home, program, folder, env, at } = machine({ command: 'codex-acp' })
    const agent = { name: 'codex', needs: boxNeeds('codex'), file: program.file, folder, apart: join(home.path, 'c') }
    const { places } = agentPlaces({ ...agent, env: { ...env, CODEX_HOME: at('elsewhere') } })
    expect(places.own).toContain(at('elsewhere'))
    expect(places.held).toContain(at('elsewhere/config.toml'))
    expect(existsSync(at('.codex'))).toBe(false)
  })
})
