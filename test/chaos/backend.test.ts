/** Faults that end by a limit: the same agent behind the same client, with limits that a test can wait for. */
import { expect, onTestFinished, test } from 'vitest'
import type { AgentEvent } from '../../src/agent/event.ts'
import { createZotBackend } from '../../src/agents/zot/backend.ts'
import { launchZot } from '../../src/agents/zot/program/zot-process.ts'
import { environment, makeHome } from '../helpers/home.ts'
import { installZot } from '../stories/stage.ts'
import { expectKillAfterAbort, expectKillAtClose } from './limits.ts'

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

test.each(['never done', 'never answers'])('after %s an abort is overdue, and a kill ends the agent', async fault =>
  expectKillAfterAbort(start(''), fault),
)

test('an agent that ignores the end of its input and SIGTERM is killed at the time limit', async () =>
  expectKillAtClose(start('deaf to its end'), 'never done'))

test('another agent can be opened after any fault', async () => {
  const { backend, types } = start('')
  await backend.open()
  await backend.prompt({ text: 'is killed', images: [] })
  await backend.open()
  await backend.prompt({ text: 'hello', images: [] })
  expect(types().filter(type => type === 'turn_ended')).toHaveLength(1)
})
