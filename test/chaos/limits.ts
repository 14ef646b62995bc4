/** Two ends by a limit that every backend must have, whatever its protocol. */
import { expect } from 'vitest'
import type { Backend } from '../../src/agent/backend.ts'
import type { AgentEvent } from '../../src/agent/event.ts'

type Started = { backend: Backend; events: AgentEvent[] }

const killed = { type: 'agent_ended', signal: 'SIGKILL', expected: true }

/** Aborts a turn that never ends, once `hasBegun`: it is overdue, the agent still answers, and a kill ends it. */
export async function expectKillAfterAbort(
  { backend, events }: Started,
  prompt: string,
  hasBegun: () => Promise<void> = async () => {},
): Promise<void> {
  await backend.open()
  const turn = backend.prompt({ text: prompt, images: [] })
  await hasBegun()
  backend.abort()
  await expect.poll(() => events.map(({ type }) => type)).toContain('abort_overdue')
  // It may be slow and not dead.
  expect(await backend.ping(5000)).toBe(true)
  await backend.kill()
  await turn
  expect(events.at(-1)).toMatchObject(killed)
}

/** Closes an agent that ignores the end of its input and SIGTERM, in a turn that never ends. */
export async function expectKillAtClose({ backend, events }: Started, prompt: string): Promise<void> {
  await backend.open()
  const turn = backend.prompt({ text: prompt, images: [] })
  await backend.close()
  await turn
  expect(events.at(-1)).toMatchObject(killed)
}
