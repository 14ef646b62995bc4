/** The sandbox of a conversation: what runs in it, what asks to leave, and what the model reads. With a real box, proxy and commands. */
import { canBox } from '../helpers/can-box.ts'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { AgentEvent, EventOf } from '../../src/agent/event.ts'
import type { PermissionMode } from '../../src/agent/permission.ts'
import type { PermissionAnswer } from '../../src/agent/requests.ts'
import { createToolHost } from '../../src/agents/tool-host/local-tool-host.ts'
import { toText } from '../../src/agents/tool-host/outcomes.ts'
import { createLocalTools } from '../../src/local-tools/local-tools.ts'
import { machineReadBox } from '../../src/local-tools/machine-read-box.ts'
import type { RunsCommands } from '../../src/platform/shell/run.ts'
import { machineSandbox } from '../../src/local-tools/machine-sandbox.ts'
import { decide } from '../../src/permissions/decide.ts'
import { parseRules } from '../../src/permissions/rules/rule.ts'
import { heldPlaces, whyNoGit } from '../../src/platform/held-places.ts'
import { listUnfinishedIn } from '../../src/platform/unfinished-folder.ts'
import type { SandboxRules } from '../../src/sandbox/command-boxes.ts'
import { outsideFolder } from '../helpers/outside-folder.ts'
import { homeWith } from '../helpers/home.ts'
import { place as usual } from '../permissions/policy.ts'

type Setup = { mode?: PermissionMode; rules?: Partial<SandboxRules>; deny?: readonly string[]; sandbox?: boolean }

const closing: (() => Promise<void>)[] = []
afterAll(async () => {
  for (const close of closing) await close()
})

function conversation({ mode = 'contained', rules = {}, deny = [], sandbox = true }: Setup = {}) {
  const home = homeWith({ 'project/a.txt': 'one', '.netrc': 'a password', 'beside/b.txt': 'beside' })
  const folder = join(home.path, 'project')
  const env = { ...process.env, HOME: home.path }
  const said: SandboxRules = { level: 'off', write: [], hosts: [], hide: [], ...rules }
  const options = { level: () => said.level, rules: () => said, cachesOf: () => join(home.path, 'caches') }
  const tools = createLocalTools({
    folder,
    env,
    readBox: machineReadBox,
    sandbox: sandbox ? machineSandbox(options) : null,
  })
  const toolHost = createToolHost({ tools, folder, now: () => 5 })
  const events: AgentEvent[] = []
  toolHost.attach(event => void events.push(event))
  const parsed = parseRules(deny.map(text => ({ effect: 'deny', text, source: 'user', place: 'a test' })))
  const place = { ...usual, folder, home: home.path, own: [], resolve: (path: string) => path }
  toolHost.judgeWith(request => decide({ mode, rules: parsed, place }, request))
  toolHost.setPermissionMode(mode)
  let count = 0
  const of = <Type extends AgentEvent['type']>(type: Type): EventOf<Type>[] =>
    events.filter((event): event is EventOf<Type> => event.type === type)
  closing.push(async () => {
    await toolHost.close()
    home.remove()
  })
  return {
    home,
    toolHost,
    folder,
    said,
    of,
    at: (name: string) => join(home.path, name),
    held: () => of('call_held').map(({ where }) => where),
    async run(command: string, signal = new AbortController().signal) {
      count += 1
      const id = `call-${count}`
      const result = await toolHost.execute({ id, toolUseId: id, name: 'bash', arguments: { command }, signal })
      return toText(result)
    },
    /** Answers the next question, and returns it. */
    async answer(number: number, answer: PermissionAnswer) {
      const asked = await vi.waitFor(
        () => {
          const found = of('permission_requested')[number - 1]
          if (!found) throw new Error('nothing was asked')
          return found
        },
        { timeout: 20_000 },
      )
      toolHost.answerPermission(asked.id, answer)
      return asked
    },
  }
}

async function serverOn(words: string): Promise<{ server: Server; port: number }> {
  const server = createServer((_request, response) => response.end(words))
  await new Promise<void>(resolve => void server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => void server.close())
  return { server, port: (server.address() as AddressInfo).port }
}

describe.skipIf(!canBox)('in mode contained', () => {
  test('a command writes in the project unasked, and not beside it; the home folder is hidden', async () => {
    const talk = conversation()
    const read = await talk.run('echo two > b.txt; cat ../.netrc; echo x > ../beside/b.txt; cat b.txt')
    expect(read).toContain('two')
    expect(read).not.toContain('a password')
    expect(readFileSync(talk.at('project/b.txt'), 'utf8')).toBe('two\n')
    expect(readFileSync(talk.at('beside/b.txt'), 'utf8')).toBe('beside')
    expect([talk.of('permission_requested'), talk.held()]).toEqual([[], ['sandbox']])
  })

  test('the model is told that a home folder of the sandbox is not that of the user', async () => {
    const talk = conversation()
    const note = "[sandbox] The home folder here is the sandbox's own: nothing was written to"
    expect(await talk.run('echo x > ~/.bashrc; mkdir -p ~/.config ~/out')).toContain(
      `${note} "~/.bashrc", "~/out" of the user.`,
    )
    expect(await talk.run('cat ~/.bashrc')).not.toContain(note)
  })

  test('a command that only reads runs in the box for reading', async () => {
    const talk = conversation()
    expect(await talk.run('cat a.txt')).toContain('one')
    expect(talk.held()).toEqual(['reading'])
  })

  test('a command of the denied ones does not run, in no box', async () => {
    const talk = conversation({ deny: ['Bash(touch:*)'] })
    expect(await talk.run('touch x')).toContain("Refused by the user's rule")
    expect([talk.held(), existsSync(talk.at('project/x'))]).toEqual([[], false])
  })

  test('what was refused asks to run outside, says that it has run once, and runs there only after a yes', async () => {
    const talk = conversation()
    const outside = talk.at('beside/new.txt')
    const kept = talk.run(`touch ${outside} /etc/zotui-test-never`)
    const asked = await talk.answer(1, { answer: 'refuse', words: '' })
    expect(asked.wants).toMatchObject({ kind: 'outside', path: null })
    expect(await kept).toMatch(/\[sandbox\][^]*keeps this result/)
    expect(existsSync(outside)).toBe(false)
    const left = talk.run(`echo out > ${outside} && touch /proc/zotui; echo done`)
    expect(await left).not.toContain('keeps this result')
  })

  test('a folder that the user allows is written from then on, in the sandbox', async () => {
    const talk = conversation()
    const place = outsideFolder()
    closing.push(async () => rmSync(place, { recursive: true, force: true }))
    const ran = talk.run(`echo x > ${place}/x.txt`)
    const { wants } = await talk.answer(1, { answer: 'allow', isForSession: true })
    expect(wants).toMatchObject({ kind: 'outside', path: place })
    expect(await ran).toContain('[exit 0]')
    expect(talk.held()).toEqual(['sandbox', 'sandbox'])
  })

  test('a program that is left in the background ends with its command, and the model reads that', async () => {
    const talk = conversation()
    const left = 'sleep 987654 & setsid sleep 987655 & echo started'
    expect(await talk.run(left)).toMatch(/started[^]*left in the background have ended[^]*\[exit 0\]/)
    const { stdout } = await execa('ps', ['-A', '-o', 'args'])
    expect(stdout).not.toMatch(/^sleep 98765[45]/m)
    expect(await talk.run('sleep 0.01 & wait; true | cat; echo over')).not.toContain('[sandbox]')
  })

  test('/running lists a command, and its end reaches all that it started', async () => {
    const talk = conversation()
    const ran = talk.run('(sleep 987656; true) & setsid sleep 987657')
    const [command] = await vi.waitFor(
      async () => {
        const running = await talk.toolHost.listRunning()
        expect(running).toHaveLength(1)
        return running
      },
      { timeout: 10_000 },
    )
    expect(command?.command).toContain('sleep 987656')
    await talk.toolHost.endRunning(command?.pid ?? 0)
    expect(await ran).toContain('[exit')
    const { stdout } = await execa('ps', ['-A', '-o', 'args'])
    expect(stdout).not.toMatch(/^sleep 98765[67]/m)
  })

  test('a yes to running outside holds once: the next time it asks again', async () => {
    const talk = conversation()
    const place = outsideFolder()
    closing.push(async () => rmSync(place, { recursive: true, force: true }))
    const command = `echo x >> ${place}/x.txt`
    const ran = talk.run(command)
    await talk.answer(1, { answer: 'allow' })
    expect(await ran).toMatch(/let it run again, once, outside[^]*\[exit 0\]/)
    expect(talk.held()).toEqual(['sandbox', 'outside'])
    const again = talk.run(command)
    await talk.answer(2, { answer: 'refuse', words: '' })
    expect(await again).toContain('[exit 1]')
    expect(readFileSync(join(place, 'x.txt'), 'utf8')).toBe('x\n')
  })
})

describe.skipIf(!canBox)('what a command leaves that can run something later', () => {
  const state = realpathSync(mkdtempSync(join(tmpdir(), 'state-')))
  listUnfinishedIn(state)
  closing.push(async () => rmSync(state, { recursive: true }))

  test('is shown to the user, and until they decide, every command asks', async () => {
    const talk = conversation()
    const ran = talk.run('mkdir lib; cd lib; git init -q; echo ok > ../plain.txt; touch ../.envrc')
    const { wants } = await talk.answer(1, { answer: 'refuse', words: '' })
    expect(wants).toEqual({
      kind: 'left',
      places: [
        { path: talk.at('project/.envrc'), kind: 'protected', isNew: true },
        { path: talk.at('project/lib/.git'), kind: 'repository', isNew: true },
      ],
    })
    expect(await ran).toContain('Until the user has looked at it')
    expect(heldPlaces(talk.folder).list()).toHaveLength(2)
    expect(whyNoGit([talk.folder])).toContain('.envrc')
  })

  test('stays where the user keeps it, and is not asked about again', async () => {
    const talk = conversation()
    const ran = talk.run('git init -q .')
    await talk.answer(1, { answer: 'allow' })
    expect(await ran).not.toContain('Until the user')
    expect([heldPlaces(talk.folder).list(), whyNoGit([talk.folder])]).toEqual([[], null])
    await talk.run('git -c user.name=a -c user.email=b commit -qm one --allow-empty; git log --oneline')
    expect(talk.of('permission_requested')).toHaveLength(1)
    expect(existsSync(talk.at('project/.git'))).toBe(true)
  })

  test('is nothing where only the box has made an empty part of a repository, to hold it', async () => {
    const talk = conversation()
    mkdirSync(talk.at('project/.git/refs'), { recursive: true })
    mkdirSync(talk.at('project/.git/objects'))
    writeFileSync(talk.at('project/.git/HEAD'), 'ref: refs/heads/main\n')
    await talk.run('echo one > c.txt')
    expect([talk.of('permission_requested'), whyNoGit([talk.folder])]).toEqual([[], null])
  })

  test('goes where the user removes it, and the model reads that', async () => {
    const talk = conversation()
    const ran = talk.run('echo "export X=1" > .envrc')
    await talk.answer(1, { answer: 'refuse', words: '', removes: true })
    expect(await ran).toMatch(/The user removed[^]*\.envrc/)
    expect([existsSync(talk.at('project/.envrc')), heldPlaces(talk.folder).list()]).toEqual([false, []])
  })

  test('is held, too, where a stop ends the command', async () => {
    const talk = conversation()
    const stop = new AbortController()
    const ran = talk.run('touch .envrc; echo made; sleep 987650', stop.signal)
    await vi.waitFor(() => expect(talk.of('tool_progressed')).not.toEqual([]), { timeout: 10_000 })
    stop.abort()
    await ran
    expect(heldPlaces(talk.folder).list()).toMatchObject([{ path: talk.at('project/.envrc') }])
  })
})

describe.skipIf(!canBox)('the network of the sandbox', () => {
  test('reaches a listed host through the proxy, and nothing else', async () => {
    const { port } = await serverOn('hello from outside')
    const other = await serverOn('a secret service')
    const talk = conversation({ rules: { hosts: [`127.0.0.1:${port}`] } })
    // Without NO_PROXY, which keeps programs from asking the proxy for loopback.
    const get = 'NO_PROXY= no_proxy= curl -sS -m 10 http://127.0.0.1:'
    expect(await talk.run(`${get}${port}/; true`)).toContain('hello from outside')
    expect(await talk.run(`${get}${other.port}/; true`)).not.toContain('a secret service')
    expect(await talk.run(`curl -sS -m 5 --noproxy '*' http://127.0.0.1:${port}/; true`)).not.toContain('hello')
    expect(talk.of('permission_requested')).toEqual([])
  })

  test('a host that no rule names waits for the user, who may allow it for the session', async () => {
    const talk = conversation()
    const get = 'curl -sS -m 30 -o /dev/null -w "%{http_code}" http://zotui-test.example.com/; true'
    const first = talk.run(get)
    const { wants, command } = await talk.answer(1, { answer: 'refuse', words: '' })
    expect(wants).toEqual({ kind: 'host', host: 'zotui-test.example.com', port: 80 })
    expect(command).toBe(get)
    expect(await first).toContain('403')
    const second = talk.run(get)
    await talk.answer(2, { answer: 'allow', isForSession: true })
    await second
    await talk.run(get)
    expect(talk.of('permission_requested')).toHaveLength(2)
  })

  test('a stop withdraws the question about a host', async () => {
    const talk = conversation()
    const stop = new AbortController()
    const ran = talk.run('curl -sS -m 30 http://zotui-test.example.com/', stop.signal)
    await vi.waitFor(() => expect(talk.of('permission_requested')).toHaveLength(1), { timeout: 20_000 })
    stop.abort()
    await ran
    await vi.waitFor(() => expect(talk.of('permission_decided')).toMatchObject([{ allowed: false, by: 'end' }]))
  })

  test('closed is no network at all, and no question', async () => {
    const { port } = await serverOn('hello')
    const talk = conversation({ rules: { level: 'closed', hosts: [`127.0.0.1:${port}`] } })
    expect(
      await talk.run(`curl -sS -m 5 http://127.0.0.1:${port}/; curl -sS -m 5 http://example.com/; true`),
    ).not.toContain('hello')
    expect(talk.of('permission_requested')).toEqual([])
  })

  test('a command reaches the server that it starts', async () => {
    const talk = conversation()
    const both = `node -e "require('http').createServer((q, r) => r.end('mine')).listen(8765, () => console.log('up'))" & curl -sS --retry 50 --retry-delay 0 --retry-max-time 20 --retry-connrefused http://localhost:8765/; kill %1`
    expect(await talk.run(both)).toContain('mine')
  })
})

describe.skipIf(!canBox)('with the sandbox on', () => {
  test('a command that was asked about runs in it, too', async () => {
    const talk = conversation({ mode: 'ask', rules: { level: 'on' } })
    const ran = talk.run('touch made.txt; cat ../.netrc')
    await talk.answer(1, { answer: 'allow' })
    expect(await ran).not.toContain('a password')
    expect(existsSync(talk.at('project/made.txt'))).toBe(true)
    expect(talk.held()).toEqual(['sandbox'])
  })

  test('a change of the settings holds for the next command', async () => {
    const talk = conversation({ mode: 'allow', rules: { level: 'on' } })
    expect(await talk.run('cat ../.netrc; true')).not.toContain('a password')
    talk.said.level = 'off'
    expect(await talk.run('cat ../.netrc; true')).toContain('a password')
    expect(talk.held()).toEqual(['sandbox'])
  })
})

test('without a sandbox a command that may run only there does not run', async () => {
  const talk = conversation({ sandbox: false })
  expect(await talk.run('touch x')).toContain('may run only in the sandbox')
  expect(existsSync(talk.at('project/x'))).toBe(false)
})

test('on another machine, where there is no box, nothing runs while the sandbox is on', async () => {
  const options = {
    level: () => 'on' as const,
    rules: (): SandboxRules => ({ level: 'on', write: [], hosts: [], hide: [] }),
    cachesOf: () => '/nowhere',
  }
  const sandbox = machineSandbox(options)
  let ran = 0
  const runCommand: RunsCommands = () => {
    ran += 1
    throw new Error('it runs')
  }
  const tools = createLocalTools({ folder: '/', env: {}, runCommand, sandbox })
  const outcome = await tools.run(
    'bash',
    { command: 'ls' },
    { openBox: sandboxed => sandbox.open({ ...sandboxed, ask: async () => 'no' }) },
  )
  expect([outcome.isError, toText(outcome), ran]).toEqual([true, expect.stringContaining('only in the sandbox'), 0])
})

test('without bubblewrap nothing runs in mode contained, and the reason is said', async () => {
  const talk = conversation()
  vi.stubEnv('PATH', '/nowhere')
  closing.push(async () => void vi.unstubAllEnvs())
  const bare = conversation()
  vi.unstubAllEnvs()
  expect(await bare.run('touch x')).toMatch(
    /Not run: the sandbox cannot be made: .*bubblewrap\. The user can work without it: \/permissions ask/,
  )
  expect([existsSync(bare.at('project/x')), bare.held(), talk.held()]).toEqual([false, [], []])
})
