/** The mode that another agent works in: zotui puts it into one that asks, and says so where it cannot. */
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { execa } from 'execa'
import { describe, expect, onTestFinished, test } from 'vitest'
import { environment, fill, makeHome, type Home } from '../helpers/home.ts'
import { open } from '../helpers/screen.ts'
import { holders, openList } from './holders.ts'
import { installAgent, program, send } from './stage.ts'

const MODES = 'default,acceptEdits,plan,auto'
const COMMANDS = {
  claude: 'claude-agent-acp',
  codex: 'codex-acp',
  gemini: 'gemini',
  qwen: 'qwen',
  copilot: 'copilot',
  vibe: 'vibe-acp',
  cline: 'cline',
  stranger: 'stranger',
}
const COPILOT = 'https://agentclientprotocol.com/protocol/session-modes#'
const COPILOT_MODES = ['agent', 'plan', 'autopilot'].map(mode => COPILOT + mode).join(',')
type Name = keyof typeof COMMANDS

/** A home with a played agent in PATH, and the environment for it. */
function homeWithAgent(
  name: Name,
  variables: Record<string, string>,
): { home: Home; env: Record<string, string | undefined> } {
  const home = makeHome()
  onTestFinished(() => home.remove())
  const first = Object.entries(variables)
    .map(([key, value]) => `export ${key}=${value}`)
    .join('\n')
  const path = installAgent(home, { name: COMMANDS[name], agent: 'acp-modes', first })
  return { home, env: { PATH: `${dirname(path)}:/usr/bin:/bin`, ZOTUI_PERMISSIONS: undefined } }
}

const print = (agent: ReturnType<typeof homeWithAgent>, name: Name, ...flags: string[]) =>
  printPrompt('go', agent, name, ...flags)

async function printPrompt(
  prompt: string,
  { home, env }: ReturnType<typeof homeWithAgent>,
  name: Name,
  ...flags: string[]
) {
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [program, '--agent', name, ...flags, '-p', prompt],
    {
      cwd: home.project,
      env: environment(home.path, env),
      extendEnv: false,
      reject: false,
      stdin: 'ignore',
    },
  )
  const file = join(home.project, 'ran.txt')
  return { exitCode, stdout, stderr, ranIn: existsSync(file) ? readFileSync(file, 'utf8') : null }
}

describe('-p', () => {
  test.each([
    ['claude', MODES, 'auto'],
    ['codex', 'read-only,workspace-write,agent,agent-full-access', 'agent'],
    ['gemini', 'default,autoEdit,yolo,plan', 'yolo'],
    ['qwen', 'plan,default,auto-edit,auto,yolo', 'auto'],
    ['copilot', COPILOT_MODES, `${COPILOT}autopilot`],
    ['vibe', 'ask,accept-edits,auto-approve', 'auto-approve'],
  ] as const)(
    'runs nothing unasked in %s, though it would begin in a mode that asks nothing',
    async (name, MODES, MODE_AT_START) => {
      const { exitCode, stderr, ranIn } = await print(homeWithAgent(name, { MODES, MODE_AT_START }), name)
      expect(ranIn).toBeNull()
      expect(stderr).toContain('refused')
      expect(exitCode).toBe(3)
    },
  )

  test('edits nothing unasked in an agent that would begin in a mode that edits, such as Mistral Vibe', async () => {
    const agent = homeWithAgent('vibe', { MODES: 'ask,accept-edits,auto-approve', MODE_AT_START: 'accept-edits' })
    expect(await printPrompt('edit', agent, 'vibe')).toMatchObject({ exitCode: 3, ranIn: null })
    const edits = await printPrompt('edit', agent, 'vibe', '--permissions', 'edits')
    expect(edits).toMatchObject({ exitCode: 0, ranIn: 'accept-edits' })
  })

  test.each([
    ['its option that allows all', { OPTION: 'on' }],
    ['the variable that allows all, which it does not report', { OPTION: 'off', COPILOT_ALLOW_ALL: 'true' }],
  ] as [string, Record<string, string>][])('runs nothing unasked in Copilot with %s', async (_name, variables) => {
    const { COPILOT_ALLOW_ALL, ...others } = variables
    const { home, env } = homeWithAgent('copilot', { MODES: COPILOT_MODES, ...others })
    const set = { home, env: { ...env, COPILOT_ALLOW_ALL } }
    expect(await print(set, 'copilot')).toMatchObject({ exitCode: 3, ranIn: null })
    expect((await print(set, 'copilot', '--permissions', 'allow')).ranIn).toBe(`${COPILOT}agent`)
  })

  test('sends nothing if the agent refuses the mode that asks, and says what allows it', async () => {
    const agent = homeWithAgent('claude', { MODES, MODE_AT_START: 'auto', REFUSES: 'default' })
    const { exitCode, stderr, ranIn } = await print(agent, 'claude')
    expect(ranIn).toBeNull()
    expect(stderr.trimEnd().split('\n').at(-1)).toContain(
      'Nothing was sent: claude did not switch to its mode Default (not today), and is in Auto, in which it may run commands and change files without asking. --permissions allow lets it.',
    )
    expect(exitCode).toBe(2)
    expect((await print(agent, 'claude', '--permissions', 'edits')).ranIn).toBe(null)
    expect((await print(agent, 'claude', '--permissions', 'allow')).ranIn).toBe('auto')
  })

  test.each([
    ['edits', 'acceptEdits'],
    ['plan', 'plan'],
  ])('--permissions %s is the mode %s of the agent', async (flag, own) => {
    const agent = homeWithAgent('claude', { MODES, MODE_AT_START: 'auto', REFUSES: own })
    const { stderr } = await print(agent, 'claude', '--permissions', flag)
    expect(stderr).toMatch(/claude did not switch to its mode (?:AcceptEdits|Plan) \(not today\)/)
  })

  test.each([
    ['without modes', {}, 'It is not known whether stranger asks before it runs something'],
    ['with modes of its own', { MODES: 'swift,auto' }, 'It is not known whether stranger asks in its mode Swift'],
  ])(
    'sends nothing to an agent %s that zotui does not know, unless a mode is named',
    async (_name, variables, words) => {
      const agent = homeWithAgent('stranger', variables)
      const { exitCode, stderr, ranIn } = await print(agent, 'stranger')
      expect(stderr).toContain(`Nothing was sent: ${words}`)
      expect([exitCode, ranIn]).toEqual([2, null])
      const named = await print(agent, 'stranger', '--permissions', 'ask')
      expect(named.stderr).toContain(words)
      expect(named.stderr).not.toContain('Nothing was sent')
    },
  )

  test('ends an agent that leaves the mode in its turn', async () => {
    const agent = homeWithAgent('claude', { MODES, MODE_AT_START: 'default', DRIFTS_TO: 'auto' })
    const { exitCode, stderr } = await print(agent, 'claude')
    expect(stderr).toContain('Stopped: claude is in its mode Auto')
    expect(exitCode).toBe(2)
  })

  test('takes the mode of the settings', async () => {
    const agent = homeWithAgent('claude', { MODES, MODE_AT_START: 'auto' })
    fill(agent.home, { '.config/zotui/config.json': '{ "permissions": "allow" }' })
    expect(await print(agent, 'claude')).toMatchObject({ exitCode: 0, ranIn: 'auto' })
  })
})

describe('the program', () => {
  test('shows the mode that asks, says that it switched, and asks before the first call', async () => {
    const { home, env } = homeWithAgent('claude', { MODES, MODE_AT_START: 'auto' })
    const zotui = await open({ home, args: ['--agent', 'claude'], env })
    await zotui.see(/^ {2}Default/m)
    await zotui.see(/claude would have begun in its mode Auto\. It is in Default, in which it asks/)
    await send(zotui, 'go')
    await zotui.see(/› 1 Yes/)
    expect(existsSync(join(home.project, 'ran.txt'))).toBe(false)
    await zotui.close()
  })

  test('sends nothing in a mode that asks nothing, also one that the agent entered by itself, until the user agrees to it', async () => {
    const { home, env } = homeWithAgent('claude', { MODES, MODE_AT_START: 'auto' })
    const zotui = await open({ home, args: ['--agent', 'claude'], env })
    await zotui.see(/^ {2}Default/m)
    await send(zotui, 'drift auto')
    await zotui.see(/claude has switched to its mode Auto by itself/)
    await send(zotui, 'go')
    await zotui.see(/claude is in its mode Auto, in which it may run/)
    expect(existsSync(join(home.project, 'ran.txt'))).toBe(false)
    await zotui.press('ctrl+u')
    await send(zotui, '/mode auto')
    await zotui.see(/Mode: Auto\./)
    await send(zotui, 'go on')
    await zotui.see('It ran in auto.')
    await zotui.close()
  })

  test('sends nothing once an option lets the agent run everything, until the user agrees to it', async () => {
    const { home, env } = homeWithAgent('copilot', { MODES: COPILOT_MODES, OPTION: 'off' })
    const zotui = await open({ home, args: ['--agent', 'copilot'], env })
    await zotui.see(/copilot/)
    await send(zotui, 'allow all')
    await zotui.see(/copilot has its option Allow All set to On, with which it may run/)
    await send(zotui, 'go')
    await zotui.see(/\/options switches\s+it, or agrees to it/)
    expect(existsSync(join(home.project, 'ran.txt'))).toBe(false)
    await zotui.press('ctrl+u')
    await send(zotui, '/options allow_all on')
    await zotui.see(/Allow All: On\./)
    await send(zotui, 'go on')
    await zotui.see(/It ran in/)
    await zotui.close()
  })

  test('passes with Shift+Tab through the modes that ask only, and /mode marks the others', async () => {
    const { home, env } = homeWithAgent('claude', { MODES, MODE_AT_START: 'default' })
    const zotui = await open({ home, args: ['--agent', 'claude'], env })
    await zotui.see(/^ {2}Default/m)
    for (const name of ['AcceptEdits', 'Plan', 'Default']) {
      await zotui.press('shift+tab')
      await zotui.see(`Mode: ${name}.`)
    }
    await send(zotui, '/mode')
    await zotui.see(/Auto +may not ask/)
    await zotui.close()
  })

  test('still has the modes and their keys after /rewind and /resume', async () => {
    const { home, env } = homeWithAgent('claude', { MODES, MODE_AT_START: 'auto' })
    const zotui = await open({ home, args: ['--agent', 'claude'], env })
    await zotui.see(/^ {2}Default/m)
    for (const prompt of ['first', 'second']) {
      await send(zotui, prompt)
      await zotui.see(/› 1 Yes/)
      await zotui.press('2')
      await zotui.see(`No ${prompt} then.`)
      await zotui.gone(/\ds\s+Esc stops/)
    }
    await send(zotui, '/rewind second')
    await zotui.see('go back to before')
    await zotui.press('enter')
    await zotui.see(/Back to before "second"/)
    await zotui.press('ctrl+u')
    await zotui.press('shift+tab')
    await zotui.see('Mode: AcceptEdits.')
    await send(zotui, '/mode plan')
    await zotui.see('Mode: Plan.')
    await send(zotui, '/resume second')
    await zotui.see(/› first +2 turns/)
    await zotui.press('enter')
    await zotui.see(/Resumed the session/)
    await zotui.see(/^ {2}Plan/m)
    await send(zotui, '/mode acceptEdits')
    await zotui.see('Mode: AcceptEdits.')
    await zotui.close()
  })

  test('says of an agent that it does not know that it may not ask', async () => {
    const { home, env } = homeWithAgent('stranger', {})
    const zotui = await open({ home, args: ['--agent', 'stranger'], env })
    await zotui.see(/It is not known whether stranger asks before it runs something\./)
    await zotui.close()
  })
})

/** Chooses a mode in a conversation with a turn. */
async function choosing(mode: string, agent: ReturnType<typeof homeWithAgent>, args: readonly string[] = []) {
  const zotui = await open({ home: agent.home, args: ['--agent', 'claude', ...args], env: agent.env })
  await zotui.see(/^ {2}Default/m)
  await send(zotui, 'first')
  await zotui.see(/› 1 Yes/)
  await zotui.press('2')
  await zotui.see('No first then.')
  await send(zotui, `/mode ${mode}`)
  await zotui.see(/Mode: \w+\./)
  await zotui.gone(/\ds\s+Esc stops/)
  return zotui
}
const agentLoadingIn = (mode: string) => homeWithAgent('claude', { MODES, MODE_AT_START: 'auto', AFTER_LOAD: mode })

describe('a mode that the user chose with /mode', () => {
  test.each(['default', 'auto', 'acceptEdits', 'plan'])(
    'and that is stricter comes back with --continue, whichever mode the agent begins the session in (%s)',
    async begun => {
      const agent = agentLoadingIn(begun)
      await (await choosing('plan', agent)).close()
      const zotui = await open({ home: agent.home, args: ['--continue'], env: agent.env })
      await zotui.see(/claude is in its mode Plan, as you chose in this conversation/)
      await zotui.see(/^ {2}Plan/m)
      await zotui.close()
    },
  )

  test.each(['acceptEdits', 'auto'])('and that is looser (%s) does not come back, and zotui says so', async mode => {
    const agent = agentLoadingIn(mode)
    await (await choosing(mode, agent)).close()
    const zotui = await open({ home: agent.home, args: ['--continue'], env: agent.env })
    await zotui.see(
      /claude is in its mode Default again, not in \w+, which you chose in\s+this\s+conversation\.\s+\/mode\s+switches it/,
    )
    await zotui.see(/^ {2}Default/m)
    await zotui.close()
  })

  test('comes back in neither case if this start names another', async () => {
    const agent = agentLoadingIn('plan')
    await (await choosing('plan', agent)).close()
    const zotui = await open({ home: agent.home, args: ['--continue', '--permissions', 'edits'], env: agent.env })
    await zotui.see(/^ {2}AcceptEdits/m)
    await zotui.close()
  })

  test('and that is stricter holds for -p, which continues the conversation', async () => {
    const agent = agentLoadingIn('acceptEdits')
    fill(agent.home, { '.config/zotui/config.json': '{ "permissions": "edits" }' })
    const zotui = await open({ home: agent.home, args: ['--agent', 'claude'], env: agent.env })
    await zotui.see(/^ {2}AcceptEdits/m)
    await send(zotui, 'edit')
    await zotui.see('It ran in acceptEdits.')
    await send(zotui, '/mode default')
    await zotui.see('Mode: Default.')
    await zotui.close()
    rmSync(join(agent.home.project, 'ran.txt'))
    expect(await printPrompt('edit', agent, 'claude', '--continue')).toMatchObject({ ranIn: null })
  })

  test('and that came back stays after /clear, and comes back again', async () => {
    const agent = agentLoadingIn('default')
    await (await choosing('plan', agent)).close()
    for (const start of ['first', 'second']) {
      const zotui = await open({ home: agent.home, args: ['--continue'], env: agent.env })
      await zotui.see(/claude is in its mode Plan, as you chose in this conversation/)
      if (start === 'second') {
        await send(zotui, '/clear')
        await zotui.see(/New conversation/)
        await zotui.see(/^ {2}Plan/m)
        await send(zotui, 'go')
        await zotui.see(/› 1 Yes/)
        await zotui.press('1')
        await zotui.see('It ran in plan.')
      }
      await zotui.close()
    }
  })

  test.each(['acceptEdits', 'plan'])('and %s stays after /restart, which begins no other program', async mode => {
    const agent = agentLoadingIn('default')
    const zotui = await choosing(mode, agent)
    await send(zotui, '/restart')
    await zotui.see(/Restarted|restarted|continues/)
    await zotui.see(new RegExp(`^ {2}${mode}`, 'im'))
    await zotui.close()
  })

  test('and that is stricter goes with the conversation to the background', async () => {
    const agent = agentLoadingIn('default')
    const zotui = await choosing('plan', agent)
    onTestFinished(() => {
      for (const { pid } of holders(agent.home)) process.kill(pid, 'SIGKILL')
    })
    await openList(zotui)
    await zotui.type('b')
    await zotui.until('a holder', { check: () => holders(agent.home).length === 1 })
    await zotui.press('enter')
    await zotui.see(/claude is in its mode Plan, as you chose in this conversation/)
    await zotui.see(/^ {2}Plan/m)
    await send(zotui, 'go')
    await zotui.see(/› 1 Yes/)
    await zotui.press('1')
    await zotui.see('It ran in plan.')
    await zotui.close()
  })

  test('and that is stricter is the mode of a conversation that begins beside it', async () => {
    const agent = agentLoadingIn('default')
    const zotui = await choosing('plan', agent)
    await send(zotui, '/another who are you')
    await zotui.see(/claude would have begun in its mode Auto\. It is in Plan/)
    await zotui.see(/› 1 Yes/)
    await zotui.press('2')
    await zotui.see(/^ {2}Plan/m)
    await zotui.close()
  })
})

test("a stricter mode of a project's settings is the first mode, once the project is trusted", async () => {
  const { home, env } = homeWithAgent('claude', { MODES, MODE_AT_START: 'default' })
  fill(home, { 'project/.zotui/config.json': '{ "permissions": "plan" }' })
  const zotui = await open({ home, args: ['--agent', 'claude'], env })
  await zotui.see(/^ {2}Plan/m)
  await zotui.close()
})
