/** A user talks to another agent than zot: recordings of real ones, played on the protocol. */
import { dirname } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, test } from 'vitest'
import { environment, fill, makeHome, type Home } from '../helpers/home.ts'
import { open, share, type Screen } from '../helpers/screen.ts'
import { installAgent, installZot, lastingHome, openEcho, program, run, send, startAfresh } from './stage.ts'

const COMMANDS = { claude: 'claude-agent-acp', codex: 'codex-acp', opencode: 'opencode' } as const

/** Puts a played agent into a home, under the name of the real one. Returns the variables for it. */
function installPlayed(home: Home, agent: keyof typeof COMMANDS, scenario: string): Record<string, string> {
  const first = `export ACP_RECORDING=${agent}/${scenario}`
  const path = installAgent(home, { name: COMMANDS[agent], agent: 'acp-replay', first })
  return { PATH: `${dirname(path)}:/usr/bin:/bin` }
}

/** Its first test finds zot in use. */
const shared = share(
  () =>
    openEcho({
      env(home) {
        fill(home, { '.config/zotui/config.json': '{ "thinking": "full" }' })
        return installPlayed(home, 'claude', 'text')
      },
    }),
  startAfresh,
)

/** Lets the shared program go on with another agent. */
async function switchTo(agent: keyof typeof COMMANDS, scenario: string): Promise<Screen> {
  const zotui = await shared()
  installPlayed(zotui.home, agent, scenario)
  await send(zotui, `/agent ${agent}`)
  await zotui.see(`Switched to ${agent}`)
  return zotui
}

test('/agent lists the known agents, and the chosen one takes over with the conversation and the setting thinking', async () => {
  const zotui = await shared()
  await zotui.see(/\bzot \d+\.\d/)
  await send(zotui, 'one')
  await zotui.see(/echo: one|one/)
  await zotui.type('/agent')
  await zotui.press('enter')
  await zotui.see(/zot +in use/)
  await zotui.see(/codex +not installed +install it with/)
  await zotui.press('down', 'enter')
  await zotui.see(/Switched to claude/)
  await zotui.see(/includes this conversation/)
  await send(zotui, 'hello')
  await zotui.see(/^ {2}Thought.*\n {2}I should greet the person first\.$/m)
  await zotui.see(/^ {2}\d\d:\d\d [^]*^ {2}\d\d:\d\d /m)
  await zotui.type('/agent gemini')
  await zotui.press('enter')
  await zotui.see(/Nothing was changed: The agent cannot be started: gemini was not found/)
})

test('a call waits even if its start came before its question', async () => {
  const zotui = await switchTo('opencode', 'shell')
  await send(zotui, 'run it')
  await zotui.see(/^ {2}› 1 Allow once/m)
  // The question says it; its call and the working line would only repeat it.
  expect(zotui.screen().join('\n')).not.toMatch(/^\S execute /m)
  expect(zotui.screen().join('\n')).not.toContain('waiting for your answer')
  await zotui.press('enter')
  await zotui.see(/^✗ execute /m)
})

test('the answers of the agent are shown, a digit sends its answer, and Esc declines a form', async () => {
  const zotui = await switchTo('claude', 'write-allow')
  await send(zotui, 'write')
  await zotui.see(/^ {2}› \d .*allows it once/m)
  const [, digit = ''] = /(\d) .*refuses it once/.exec(zotui.screen().join('\n')) ?? []
  expect(digit).not.toBe('')
  await zotui.press('enter')
  await zotui.see(/^ {2}\d\d:\d\d /m)
  expect(zotui.screen().join('\n')).not.toContain('allows it once')
  installPlayed(zotui.home, 'claude', 'ask-person')
  await send(zotui, '/restart')
  await zotui.see(/Restarted/)
  await send(zotui, 'ask me')
  await zotui.see(/The agent asks you/)
  await zotui.see(/Esc: no answer/)
  // Keys answer after a moment without any.
  await zotui.see(/^ {2}› 1/m)
  await zotui.press('esc')
  await zotui.see(/You did not answer/)
})

describe('--agent', () => {
  test('talks to the agent, shows its mode, lists its commands beside those of zotui, folds its thoughts, and continues the session', async () => {
    const home = lastingHome()
    const env = { ...installPlayed(home, 'claude', 'text'), ZOTUI_ZOT: installZot(home, 'echo') }
    const zotui = await open({ home, args: ['--agent', 'claude'], env })
    await zotui.see(/Enter sends/)
    await zotui.see(/claude \d+\.\d/)
    await zotui.see(/claude decides what it asks you about/)
    await zotui.see(/^ {2}Default \(recommended\) +Manual/m)
    await zotui.type('/')
    await zotui.see(/\/agent \[name\]/)
    await zotui.type('mode')
    await zotui.see(/\/mode \[name\] +the agent's own mode/)
    await zotui.press('ctrl+u')
    await zotui.type('/claude:')
    await zotui.see(/claude: /)
    await zotui.press('ctrl+u')
    await send(zotui, 'hello')
    await zotui.see(/^ {2}\d\d:\d\d /m)
    expect(zotui.screen().join('\n')).not.toMatch(/\$0(?:\.0+)?(?![\d.])/)
    // Thoughts are folded, and Alt+H unfolds them.
    await zotui.see(/^ {2}Thought/m)
    expect(zotui.screen().join('\n')).not.toContain('greet the person')
    await zotui.press('alt+h')
    await zotui.see(/^ {2}Thought.*\n {2}I should greet the person first\.$/m)
    await zotui.see('Thinking is shown in full. Alt+H folds it.')
    await send(zotui, '/thoughts off')
    await zotui.see(/^(?![^]*greet the person)/)
    await zotui.close()

    const again = await open({ home, args: ['--continue'], env })
    await again.see(/Resumed the session/)
    await again.see(/claude did not open its own session/)
    await again.close()
    const other = await open({ home, args: ['--continue', '--agent', 'zot'], env })
    await other.see(/Started with claude, now using zot/)
    await other.close()
  })

  test.each([
    ['codex', {}, /codex-acp was not found.*npm install -g @agentclientprotocol\/codex-acp/s, 1],
    ['cladue', {}, /cladue was not found.*claude, codex, gemini, opencode, qwen, copilot, vibe, cline, meerkat/s, 2],
    ['meerkat', {}, /rkat-rpc was not found\. *\n?.*`cargo install meerkat-rpc`/s, 1],
    ['meerkat', { ZOTUI_RKAT_RPC: '/missing/rkat' }, /\/missing\/rkat was not found/, 1],
    ['meerkat --max-tokens few', {}, /--max-tokens of meerkat needs a number/, 2],
    ['meerkat --shell', {}, /run without asking.*--no-guard/s, 2],
  ])('%s %j that cannot be started says why, and what to do', async (agent, variables, words, code) => {
    const env = { PATH: '/usr/bin:/bin', ...variables }
    const { stderr, code: ended } = await run(['--agent', agent, '-p', 'hello'], { env })
    expect(stderr).toMatch(words)
    expect(ended).toBe(code)
  })

  test('answers with -p, and says once, after the first turn, that a cost limit cannot be enforced', async () => {
    const home = lastingHome()
    const run = async (agent: keyof typeof COMMANDS, ...args: string[]) => {
      const { stdout, stderr } = await execa(
        process.execPath,
        [program, '--agent', agent, ...args, '--max-cost', '5', '-p', 'go'],
        {
          env: environment(home.path, installPlayed(home, agent, 'text')),
          extendEnv: false,
          stdin: 'ignore',
          cwd: home.project,
        },
      )
      expect(stdout).not.toBe('')
      return stderr.split('\n').filter(line => line.includes('max-cost'))
    }
    const warning = 'zotui: codex does not report its cost, so --max-cost cannot stop it.'
    expect(await run('claude')).toEqual([])
    expect(await run('codex')).toEqual([warning])
    expect(await run('codex', '--continue')).toEqual([warning])
  })

  test('conflicts with the flags of zot', async () => {
    const home = makeHome()
    const found = await execa(process.execPath, [program, '--agent', 'claude', '--tools', 'read', '-p', 'hello'], {
      env: environment(home.path, installPlayed(home, 'claude', 'text')),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    })
    expect(found.stderr).toContain('--tools has no effect')
    expect(found.exitCode).toBe(2)
    home.remove()
  })
})

test('a kind of answer and a stop reason that every object inherits are words: in the turn, in its continuation and in the export', async () => {
  const home = lastingHome()
  const env = { PATH: `${dirname(installAgent(home, { name: 'claude-agent-acp', agent: 'acp-chaos' }))}:/usr/bin:/bin` }
  const zotui = await open({ home, args: ['--agent', 'claude'], env })
  await zotui.see(/claude decides what it asks you about/)
  await send(zotui, 'a question of kinds that every object inherits')
  await zotui.see(/^ {2}› 1 constructor/m)
  await zotui.press('enter')
  await zotui.see(/After it\./)
  await send(zotui, 'a stop that every object inherits')
  await zotui.see('The agent stopped: constructor.')
  await zotui.close()
  const again = await open({ home, args: ['--continue', '--agent', 'claude'], env })
  await again.see('The agent stopped: constructor.')
  await again.close()
  for (const format of ['md', 'html', 'json', 'zotsession'] as const) {
    const args = [program, 'export', 'last', '--format', format, '--output', '-']
    const { stdout } = await execa(process.execPath, args, {
      cwd: home.project,
      env: environment(home.path, env),
      extendEnv: false,
    })
    expect(stdout).toContain('After it.')
  }
})
