/** The panel of a team: its workers as the server reports them. */
import { expect, test } from 'vitest'
import { createRozTeam } from '../../../../src/agents/roz/turn/team.ts'
import type { TeamEvent } from '../../../../src/agents/roz/wire/messages.ts'

function team() {
  let ids = 0
  const made = createRozTeam('t1', () => `c${(ids += 1)}`)
  made.begin(0)
  const types = (event: Partial<TeamEvent> & Pick<TeamEvent, 'type'>, id = 'w1'): string[] =>
    made.event({ worker_id: id, about: '', ...event } as TeamEvent, 0).map(({ type }) => type)
  return { made, types }
}

test('an event after the end of a worker does not show it as working again', () => {
  const { made, types } = team()
  types({ type: 'worker_started', about: 'a host' })
  expect(types({ type: 'worker_completed', about: 'Done.' })).toEqual(['tool_finished'])
  expect(types({ type: 'worker_approval_resolved' })).toEqual([])
  expect(made.end(0)).toMatchObject([{ content: [{ text: '1 worker, all done.' }] }])
})

test('a worker that starts again is shown again', () => {
  const { types } = team()
  types({ type: 'worker_started' })
  types({ type: 'worker_exited' })
  expect(types({ type: 'worker_started' })).toEqual(['tool_called', 'tool_started'])
})

test('a flood of workers shows 100, and those that are over make room', () => {
  const { made, types } = team()
  for (let at = 0; at < 1000; at += 1) types({ type: 'worker_started' }, `w${at}`)
  expect(types({ type: 'worker_started' }, 'one more')).toEqual([])
  types({ type: 'worker_exited' }, 'w0')
  expect(types({ type: 'worker_started' }, 'one more')).toEqual(['tool_called', 'tool_started'])
  expect(made.end(0).at(-1)).toMatchObject({ content: [{ text: '101 workers, 100 working.' }] })
})
