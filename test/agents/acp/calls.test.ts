import { expect, test } from 'vitest'
import { BackgroundTasks } from '../../../src/agents/acp/tasks/background.ts'
import { AcpCalls } from '../../../src/agents/acp/turn/calls.ts'

test('of very many calls in one turn, only the last ones are remembered', () => {
  let count = 0
  const newId = (): string => `call-${(count += 1)}`
  const background = new BackgroundTasks(() => 's1', true)
  const calls = new AcpCalls({ newId, quirks: {}, folder: '/', background })
  const over = (toolCallId: string): void => {
    calls.upsert({ toolCallId, title: 'x', status: 'completed', rawOutput: 'y'.repeat(1000) }, 1, true)
  }
  for (let at = 0; at < 50_000; at += 1) over(`t${at}`)
  expect(calls.get('t0')).toBeUndefined()
  expect(calls.get('t39999')).toBeUndefined()
  expect(calls.get('t49999')).toMatchObject({ phase: 'over', rawOutput: undefined, shown: [] })
  expect(calls.get('t45000')?.phase).toBe('over')
})
