/** Further folders for an agent. */
import { expect, test } from 'vitest'
import { speakingAgent, type Frame, type SpeakingAgent } from './speaking-agent.ts'

const go = { text: 'go', images: [] }

async function opened(
  can: { sessions?: object } = { sessions: { additionalDirectories: {} } },
  answers?: (frame: Frame) => { error: object } | undefined,
) {
  const agent = speakingAgent({ can, ...(answers && { answers }) })
  agent.backend.startIn({ mode: 'allow', isChosen: true })
  return agent
}

/** The requests that open sessions, with their folders. */
const openings = ({ frames }: SpeakingAgent): unknown[] =>
  frames.flatMap(({ method, params }) =>
    /^session\/(?:new|load|resume|fork)$/.test(method ?? '')
      ? [[method, params?.['sessionId'], params?.['additionalDirectories']]]
      : [],
  )

test('folders that are set before the start go with every request that opens a session', async () => {
  const agent = await opened()
  await agent.backend.setFolders(['/other'])
  expect(agent.told('folders_changed')).toMatchObject([{ folders: ['/other'] }])
  await agent.backend.open()
  await agent.backend.clear()
  await agent.backend.openSession('s1')
  await agent.backend.resumeSession({ id: 's2' })
  await agent.backend.resumeSession({ id: 's2', copy: true })
  const methods = ['session/new', 'session/new', 'session/load', 'session/resume', 'session/fork']
  expect(openings(agent).map(each => (each as unknown[]).toSpliced(1, 1))).toEqual(
    methods.map(each => [each, ['/other']]),
  )
})

test('a session that runs is opened again with them, and keeps what it knows', async () => {
  const agent = await opened()
  await agent.backend.open()
  await agent.backend.prompt(go)
  expect(await agent.backend.setFolders(['/other'])).toEqual({ ok: true, value: null })
  expect(await agent.backend.setFolders(['/other'])).toEqual({ ok: true, value: null })
  expect(openings(agent)).toEqual([
    ['session/new', undefined, undefined],
    ['session/resume', 's1', ['/other']],
  ])
  expect(agent.told('agent_session_opened').at(-1)).toMatchObject({ id: 's1', remembers: true })
  await agent.backend.prompt(go)
  await agent.backend.setFolders([])
  expect(openings(agent).at(-1)).toEqual(['session/resume', 's1', undefined])
  expect(agent.told('folders_changed').map(({ folders }) => folders)).toEqual([['/other'], []])
})

test('a session without a prompt is begun anew, since the agent may not have stored it', async () => {
  const agent = await opened()
  await agent.backend.open()
  await agent.backend.setFolders(['/other'])
  expect(openings(agent).at(-1)).toEqual(['session/new', undefined, ['/other']])
  expect(agent.told('conversation_cleared')).toEqual([])
})

test('where the agent refuses, the session stays, and the reply says that the folders hold later', async () => {
  const agent = await opened(undefined, ({ method }) =>
    method === 'session/resume' ? { error: { code: -32_603, message: 'not now' } } : undefined,
  )
  await agent.backend.open()
  await agent.backend.prompt(go)
  expect(await agent.backend.setFolders(['/other'])).toEqual({ ok: true, value: 'not now' })
  await agent.backend.prompt(go)
  expect(agent.told('turn_ended')).toHaveLength(2)
  await agent.backend.replace({})
  expect(openings(agent).at(-1)).toEqual(['session/new', undefined, ['/other']])
})

test('an agent that takes none is sent none, closes them once that is known, and refuses more', async () => {
  const agent = await opened({})
  await agent.backend.setFolders(['/other'])
  await agent.backend.open()
  expect(openings(agent)).toEqual([['session/new', undefined, undefined]])
  expect(agent.backend.abilities.has('setFolders')).toBe(false)
  expect(agent.told('folders_changed').map(({ folders }) => folders)).toEqual([['/other'], []])
  expect(agent.told('warning_raised').map(({ message }) => message)).toEqual([
    'The folders that you opened with /add-dir are closed: Stranger takes none.',
  ])
  expect(await agent.backend.setFolders(['/more'])).toMatchObject({ ok: false })
})
