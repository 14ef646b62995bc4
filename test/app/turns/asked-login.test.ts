/** An agent that wants a login first. */
import { expect, test, vi } from 'vitest'
import type { LoginMethod } from '../../../src/agent/session-events.ts'
import { startedStage, type Stage } from '../stage.ts'

async function asking(methods: LoginMethod[]): Promise<Stage> {
  const stage = await startedStage()
  stage.backend.tell({ type: 'login_needed', methods })
  await vi.waitFor(() => expect(stage.entries().join()).toContain('needs a login'))
  return stage
}

test('A login that runs in a terminal is offered, and can wait', async () => {
  const stage = await asking([{ id: 'a', name: 'Log in with Qwen', command: { file: 'qwen', args: ['auth'] } }])
  expect(stage.state().picker).toMatchObject({ choices: [{ label: 'Log in with Qwen' }, { label: 'not now' }] })
  await stage.type('h')
  expect(stage.state().picker).toBeNull()
  expect(stage.state().editor.text).toBe('h')
})

test('Any other login is announced', async () => {
  const stage = await asking([{ id: 'k', name: 'API key', about: 'set GEMINI_API_KEY' }])
  expect(stage.state().picker).toBeNull()
  const [notice] = stage.state().chat.entries
  expect(notice).toMatchObject({ hint: expect.stringContaining('API key (set GEMINI_API_KEY)') })
})

test('A login with a key asks for it unseen, gives it to the agent and restarts it; one by the agent itself restarts it at once', async () => {
  const stage = await startedStage()
  const given: unknown[] = []
  stage.backend.with({ logInWith: (...login: unknown[]) => given.push(login) })
  const methods: LoginMethod[] = [
    { id: 'k', name: 'API key', takesKey: true },
    { id: 'b', name: 'Browser' },
  ]
  stage.backend.tell({ type: 'login_needed', methods })
  await vi.waitFor(() => expect(stage.state().picker).toMatchObject({ choices: [{}, { label: 'Browser' }, {}] }))
  await stage.press('enter')
  expect(stage.state().picker).toMatchObject({ isSecret: true })
  await stage.type(' sk-1 ')
  await stage.press('enter')
  expect(given).toEqual([['k', 'sk-1']])
  await vi.waitFor(() => expect(stage.backend.asked).toContain('replace'))
  expect(stage.entries().join()).not.toContain('sk-1')
  stage.backend.tell({ type: 'login_needed', methods })
  await vi.waitFor(() => expect(stage.state().picker).toMatchObject({ choices: [{}, { label: 'Browser' }, {}] }))
  await stage.press('down')
  await stage.press('enter')
  expect(given[1]).toEqual(['b', null])
})
