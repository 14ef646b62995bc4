/** Faults that end by a limit: the same agent behind the same client, with limits that a test can wait for. */
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createZotBackend } from '../../src/agents/zot/backend.ts'
import { launchZot } from '../../src/agents/zot/program/launch.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { installZot } from '../stories/stage.ts'

const limits = { abort: 60, closeAbort: 60, closeExit: 60, compactionGrace: 20 }

function start(fault: string) {
  const home = makeHome()
  const path = installZot(home, 'chaos')
  const env = environment(home.path, { CHAOS_START: fault })
  const backend = createZotBackend({ connect: () => launchZot({ path, options: { cwd: home.project }, env }), limits })
  const events: AgentEvent[] = []
  backend.subscribe(event => events.push(event))
  onTestFinished(async () => {
    await backend.kill()
    home.remove()
  })
  return { backend, events, types: () => events.map(({ type }) => type) }
}

test.each(['never done', 'never answers'])('after %s an abort is overdue, and a kill ends the agent', async fault => {
  const { backend, events, types } = start('')
  await backend.open()
  const turn = backend.prompt({ text: fault, images: [] })
  backend.abort()
  await expect.poll(types).toContain('abort_overdue')
  // It may be slow and not dead.
  expect(await backend.ping?.(5000)).toBe(true)
  await backend.kill()
  await turn
  expect(events.at(-1)).toMatchObject({ type: 'agent_ended', signal: 'SIGKILL', expected: true })
})

test('an agent that ignores the end of its input and SIGTERM is killed at the time limit', async () => {
  const { backend, events } = start('deaf to its end')
  await backend.open()
  const turn = backend.prompt({ text: 'never done', images: [] })
  await backend.close()
  await turn
  expect(events.at(-1)).toMatchObject({ type: 'agent_ended', signal: 'SIGKILL', expected: true })
})

test('another agent can be opened after any fault', async () => {
  const { backend, types } = start('')
  await backend.open()
  await backend.prompt({ text: 'is killed', images: [] })
  await backend.open()
  await backend.prompt({ text: 'hello', images: [] })
  expect(types().filter(type => type === 'turn_ended')).toHaveLength(1)
})
