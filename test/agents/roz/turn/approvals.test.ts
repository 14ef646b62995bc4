import { expect, test } from 'vitest'
import type { AgentEvent } from '../../../../src/agent/event.ts'
import { createRozApprovals } from '../../../../src/agents/roz/turn/approvals.ts'

test('of many approvals that the server wants at once no more than a hundred are asked about, and the others are denied', () => {
  const told: AgentEvent[] = []
  const decided: [string, boolean][] = []
  const approvals = createRozApprovals({
    folder: '/project',
    now: () => 7,
    emit: event => told.push(event),
    decide: (id, isApproved) => void decided.push([id, isApproved]),
  })
  for (let at = 0; at < 1000; at += 1)
    approvals.asked({
      type: 'approval_requested',
      approval_id: `${at}`,
      action: 'move',
      reason: '',
      timeout_secs: '60',
    })
  expect(told.filter(({ type }) => type === 'permission_requested')).toHaveLength(100)
  expect(decided).toHaveLength(900)
  expect(decided.every(([, isApproved]) => !isApproved)).toBe(true)
  approvals.answer('approval-1', { answer: 'allow' }, 'user')
  expect(decided.at(-1)).toEqual(['0', true])
  // An answer that comes after the end of its question does nothing.
  expect(approvals.answer('approval-1', { answer: 'allow' }, 'user')).toBe(false)
  approvals.endTurn()
  expect(decided).toHaveLength(1000)
})
