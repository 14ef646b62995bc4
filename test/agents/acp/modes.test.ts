/** The mode that an agent works in: one in which it asks, unless the user chose another. */
import { describe, expect, test } from 'vitest'
import { knownAgents, ownModeFor } from '../../../src/agents/acp/known-agents.ts'
import { permissionModes } from '../../../src/agent/permission.ts'
import { speakingAgent, type Speaking } from './speaking-agent.ts'

const CLAUDE = { known: 'claude', modes: ['default', 'acceptEdits', 'plan', 'auto'], startsIn: 'auto' }
const refusing = { error: { code: -32603, message: 'no such thing' } }
const refusesDefault: Speaking['answers'] = ({ method, params }) =>
  method === 'session/set_mode' && params?.['modeId'] === 'default' ? refusing : undefined

const tellings = (mode: string): object[] => [
  { sessionUpdate: 'current_mode_update', currentModeId: mode },
  {
    sessionUpdate: 'config_option_update',
    configOptions: [
      {
        id: 'mode',
        name: 'Mode',
        category: 'mode',
        type: 'select',
        currentValue: mode,
        options: CLAUDE.modes.map(value => ({ value, name: value.charAt(0).toUpperCase() + value.slice(1) })),
      },
    ],
  },
]

const GO = { text: 'go', images: [] }

const after = (heard: readonly string[], method: string): string[] => heard.slice(heard.lastIndexOf(method) + 1)

test('a mode that the user chose is not reported as a switch of the agent, and a later one of the agent is', async () => {
  const { backend, told, say } = speakingAgent(CLAUDE)
  await backend.open()
  const from = told('remark_made').length
  expect(await backend.setOption('session mode', 'plan')).toMatchObject({ ok: true })
  // Any update shows the agent's mode.
  say({ sessionUpdate: 'session_info_update', title: 'a title' })
  await backend.prompt(GO)
  expect(told('remark_made').slice(from)).toEqual([])
  say({ sessionUpdate: 'current_mode_update', currentModeId: 'acceptEdits' })
  await backend.prompt(GO)
  say({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' })
  await backend.prompt(GO)
  expect(told('remark_made').slice(from)).toMatchObject([
    { text: 'claude has switched to its mode AcceptEdits.' },
    { text: 'claude has switched to its mode Plan.' },
  ])
})

describe('a new session', () => {
  test('that would run things unasked is put into a mode that asks before the first prompt goes out, and says so', async () => {
    const { backend, heard, told, mode } = speakingAgent(CLAUDE)
    await backend.open()
    expect(mode()).toBe('default')
    await backend.prompt(GO)
    expect(heard).toEqual(['initialize', 'session/new', 'session/set_mode default', 'session/prompt'])
    expect(told('remark_made')).toMatchObject([
      { text: 'claude would have begun in its mode Auto. It is in Default, in which it asks.' },
    ])
    expect(backend.unasked()).toBeNull()
  })

  test('waits with a prompt that is sent the moment it has started', async () => {
    const { backend, heard } = speakingAgent(CLAUDE)
    let sent: Promise<void> | undefined
    backend.subscribe(event => {
      if (event.type === 'agent_started') sent = backend.prompt(GO)
    })
    await backend.open()
    await sent
    expect(heard.slice(-2)).toEqual(['session/set_mode default', 'session/prompt'])
  })

  test('stays in another mode that asks, if the user chose none in zotui', async () => {
    const { backend, heard } = speakingAgent({ ...CLAUDE, startsIn: 'plan' })
    await backend.open()
    expect(heard).not.toContain('session/set_mode default')
    expect(backend.unasked()).toBeNull()
  })

  test.each([
    ['ask', 'default'],
    ['edits', 'acceptEdits'],
    ['plan', 'plan'],
    ['read', 'plan'],
    ['allow', 'auto'],
  ] as const)('begins, if the user chose %s, in %s', async (chosen, own) => {
    const { backend, mode } = speakingAgent(CLAUDE)
    backend.startIn({ mode: chosen, isChosen: true })
    await backend.open()
    expect(mode()).toBe(own)
    expect(backend.unasked()).toBeNull()
  })

  test('gets no prompt if the agent refuses the mode, until the user agrees to the one that it is in', async () => {
    const { backend, heard, told } = speakingAgent({ ...CLAUDE, answers: refusesDefault })
    await backend.open()
    expect(told('warning_raised')).toMatchObject([
      { message: 'claude did not switch to its mode Default (no such thing).' },
    ])
    await backend.prompt(GO)
    expect(heard).not.toContain('session/prompt')
    expect(told('prompt_refused')).toMatchObject([
      {
        message:
          'claude did not switch to its mode Default (no such thing), and is in Auto, in which it may run commands and change files without asking. /mode switches it, or agrees to it; then send the prompt again.',
      },
    ])
    expect(await backend.setOption('session mode', 'auto')).toEqual({ ok: true, value: undefined })
    await backend.prompt(GO)
    expect(heard.at(-1)).toBe('session/prompt')
  })

  test('gets no prompt if the agent answers that it has switched and then says that it has not', async () => {
    const agent = speakingAgent(CLAUDE)
    await agent.backend.open()
    agent.say({ sessionUpdate: 'current_mode_update', currentModeId: 'auto' })
    await agent.backend.prompt(GO)
    expect(agent.heard).not.toContain('session/prompt')
  })

  test('of an agent without the mode that asks gets no prompt', async () => {
    const { backend, heard } = speakingAgent({ ...CLAUDE, modes: ['auto', 'swift'] })
    await backend.open()
    await backend.prompt(GO)
    expect(heard).toEqual(['initialize', 'session/new'])
  })

  test('of a known agent that reports no modes gets no prompt', async () => {
    const { backend, heard, told } = speakingAgent({ known: 'claude' })
    await backend.open()
    await backend.prompt(GO)
    expect(heard).toEqual(['initialize', 'session/new'])
    expect(told('prompt_refused')[0]?.message).toContain('claude does not report its mode')
  })
})

describe('an agent that zotui does not know', () => {
  test.each([
    ['without modes', {}, 'It is not known whether stranger asks before it runs something.'],
    [
      'with modes',
      { modes: ['swift', 'slow'] },
      'It is not known whether stranger asks in its mode Swift before it runs something.',
    ],
  ])('%s says once that it may not ask, and gets its prompts', async (_name, speaking, words) => {
    const { backend, told, heard } = speakingAgent(speaking)
    await backend.open()
    await backend.clear()
    await backend.prompt(GO)
    expect(told('warning_raised').map(({ message }) => message)).toEqual([words])
    expect(heard.at(-1)).toBe('session/prompt')
    expect(backend.unasked()).toMatchObject({ isKnown: false })
  })

  test('says nothing if the user allowed everything', async () => {
    const { backend, told } = speakingAgent({})
    backend.startIn({ mode: 'allow', isChosen: true })
    await backend.open()
    expect(told('warning_raised')).toEqual([])
    expect(backend.unasked()).toBeNull()
  })
})

describe('the mode of the user', () => {
  const ways: [string, (agent: ReturnType<typeof speakingAgent>) => Promise<unknown> | undefined][] = [
    ['/clear', ({ backend }) => backend.clear()],
    ['a load', ({ backend }) => backend.openSession('s1')],
    ['a resume', ({ backend }) => backend.resumeSession({ id: 's1' })],
    ['a fork', ({ backend }) => backend.resumeSession({ id: 's1', copy: true })],
    ['a restart', async ({ backend }) => void (await backend.replace({}))],
  ]

  test.each(ways)('is set again after %s', async (_name, go) => {
    const agent = speakingAgent(CLAUDE)
    await agent.backend.open()
    await agent.backend.setOption('session mode', 'plan')
    await go(agent)
    expect(agent.mode()).toBe('plan')
    await agent.backend.prompt(GO)
    expect(agent.heard.at(-1)).toBe('session/prompt')
  })

  test.each(ways)('that asks nothing is set again after %s, since the user agreed to it', async (_name, go) => {
    const agent = speakingAgent({ ...CLAUDE, startsIn: 'default' })
    await agent.backend.open()
    await agent.backend.setOption('session mode', 'auto')
    await go(agent)
    expect(agent.mode()).toBe('auto')
    await agent.backend.prompt(GO)
    expect(agent.heard.at(-1)).toBe('session/prompt')
  })

  test.each(ways)('is one that asks after %s, if the user chose none', async (_name, go) => {
    const agent = speakingAgent(CLAUDE)
    await agent.backend.open()
    await go(agent)
    expect(agent.mode()).toBe('default')
    await agent.backend.prompt(GO)
    expect(after(agent.heard, 'session/set_mode default').at(-1)).toBe('session/prompt')
  })
})

test('a session whose answer lists no modes is put into one that asks all the same', async () => {
  const opens = new Set(['session/fork', 'session/load', 'session/resume'])
  const agent = speakingAgent({
    ...CLAUDE,
    startsIn: 'default',
    answers: ({ method = '' }) => (opens.has(method) ? { result: { sessionId: 's1' } } : undefined),
  })
  await agent.backend.open()
  agent.enter('auto')
  await agent.backend.resumeSession({ id: 's1' })
  expect(agent.mode()).toBe('default')
  expect(agent.told('options_changed').at(-1)?.options).toMatchObject([{ id: 'session mode', value: 'default' }])
  await agent.backend.prompt(GO)
  expect(agent.heard.at(-1)).toBe('session/prompt')
})

describe('an agent that changes its mode by itself', () => {
  test.each([0, 1])(
    'to one that asks nothing is reported, and gets no prompt until the user agrees (%i)',
    async way => {
      const agent = speakingAgent(CLAUDE)
      await agent.backend.open()
      agent.say(tellings('auto')[way] ?? {})
      await agent.backend.prompt(GO)
      expect(agent.told('warning_raised')).toMatchObject([
        {
          message:
            'claude has switched to its mode Auto by itself. In it, it may run commands and change files without asking. /mode switches it.',
        },
      ])
      expect(agent.heard).not.toContain('session/prompt')
      const option = agent.told('options_changed').at(-1)?.options[0]
      await agent.backend.setOption(option?.id ?? '', 'default')
      await agent.backend.prompt(GO)
      expect(agent.heard.at(-1)).toBe('session/prompt')
    },
  )

  test('to one that asks is reported in passing', async () => {
    const agent = speakingAgent({ ...CLAUDE, startsIn: 'default' })
    await agent.backend.open()
    agent.say({ sessionUpdate: 'current_mode_update', currentModeId: 'plan' })
    await agent.backend.prompt(GO)
    expect(agent.told('warning_raised')).toEqual([])
    expect(agent.told('remark_made')).toMatchObject([{ text: 'claude has switched to its mode Plan.' }])
    expect(agent.heard.at(-1)).toBe('session/prompt')
  })

  test('as it was asked to, is not reported', async () => {
    const agent = speakingAgent({
      ...CLAUDE,
      startsIn: 'default',
      answers({ method, params }) {
        if (method === 'session/set_mode')
          agent.say({ sessionUpdate: 'current_mode_update', currentModeId: params?.['modeId'] })
        return undefined
      },
    })
    await agent.backend.open()
    await agent.backend.setOption('session mode', 'auto')
    expect([...agent.told('warning_raised'), ...agent.told('remark_made')]).toEqual([])
  })
})

describe('the table of known agents', () => {
  test.each(knownAgents.map(known => [known.name, known.modes] as const))(
    '%s: a mode for each of ours asks',
    (_name, modes) => {
      for (const mode of permissionModes.filter(each => each !== 'allow'))
        expect(modes.asking).toContain(ownModeFor(mode, modes.for))
    },
  )
})

describe('an agent that was started with a flag with which it asks nothing', () => {
  const COPILOT = {
    known: 'copilot',
    modes: ['agent', 'plan'].map(each => `https://agentclientprotocol.com/protocol/session-modes#${each}`),
  }

  test.each([
    [['--acp', '--allow-all-tools'], '--allow-all-tools'],
    [['--acp', '--allow-tool=shell'], '--allow-tool=shell'],
    [['-c', 'copilot --acp --yolo'], '--yolo'],
  ])('gets no prompt until the user agrees, although it reports a mode that asks: %j', async (args, flag) => {
    const { backend, heard, told } = speakingAgent({ ...COPILOT, args })
    await backend.open()
    const words = `copilot was started with ${flag}, with which it may run commands and change files without asking.`
    expect(told('warning_raised')).toMatchObject([{ message: words }])
    await backend.prompt(GO)
    expect(heard).not.toContain('session/prompt')
    expect(told('prompt_refused')).toMatchObject([
      { message: `${words} /mode agrees to it; then send the prompt again.` },
    ])
    expect(await backend.setOption('session mode', COPILOT.modes[0] ?? '')).toEqual({ ok: true, value: undefined })
    expect(backend.unasked()).toBeNull()
    await backend.prompt(GO)
    expect(heard.at(-1)).toBe('session/prompt')
  })

  test('has no mode that asks', async () => {
    const { backend, told } = speakingAgent({ ...COPILOT, args: ['--acp', '--allow-all'] })
    await backend.open()
    const [mode] = told('options_changed').at(-1)?.options ?? []
    expect(mode?.choices.map(({ means }) => means)).toEqual(['allow', 'allow'])
  })

  test.each([
    ['qwen', ['--acp', '--allowed-tools', 'run_shell_command']],
    ['qwen', ['--acp', '--allowedTools=run_shell_command']],
    ['gemini', ['--acp', '--policy', 'mine.toml']],
  ])('is refused by -p, which takes only permission to do all: %s %j', async (known, args) => {
    const { backend } = speakingAgent({ known, modes: ['default', 'plan'], args })
    await backend.open()
    expect(backend.unasked()).toMatchObject({ isKnown: true })
    const { backend: free } = speakingAgent({ known, modes: ['default', 'plan'], args })
    free.startIn({ mode: 'allow', isChosen: true })
    await free.open()
    expect(free.unasked()).toBeNull()
  })

  test.each([['--deny-tool=shell'], ['--model'], ['allow-all-tools']])('asks with %s', async flag => {
    const { backend } = speakingAgent({ ...COPILOT, args: ['--acp', flag] })
    await backend.open()
    expect(backend.unasked()).toBeNull()
  })
})
