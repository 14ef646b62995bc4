/** The steps of the start behind the first frame. None is so long that a key typed meanwhile is shown late. */
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Backend } from '../../src/agent/backend.ts'

/** The longest time to leave the processor to an agent that starts, in milliseconds. */
const LONGEST_START = 500

/** Resolves when all input that has arrived is read and drawn. */
export async function inputHandled(): Promise<void> {
  // The first may resolve before input is polled, the second resolves after that.
  await setImmediate()
  await setImmediate()
}

export async function loadAgentParts(): Promise<void> {
  await loadInSteps([
    () => import('../../src/agents/transport/process.ts'),
    () => import('../../src/agents/zot/frame.ts'),
    () => import('../../src/agents/index.ts'),
  ])
}

/** Loads a part of the UI in steps, so that less is left for the last one. */
export async function loadUiParts(): Promise<void> {
  await loadInSteps([
    () => import('../../src/agents/switching.ts'),
    () => import('../../src/agent/event.ts'),
    () => import('../../src/markdown/render.ts'),
    () => import('../wiring/print.ts'),
    () => import('../wiring/call-notes.ts'),
  ])
}

/** Resolves when the agent has started or ended, at the latest after LONGEST_START. */
export async function agentAnswered(backend: Pick<Backend, 'subscribe'>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = backend.subscribe(({ type }) => {
    if (type === 'agent_started' || type === 'agent_ended') resolve()
  })
  await Promise.race([promise, setTimeout(LONGEST_START, undefined, { ref: false })])
  leave()
}

async function loadInSteps(loads: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const load of loads) {
    await load()
    await inputHandled()
  }
}
