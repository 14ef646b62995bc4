/** Commands that depend on what the agent can do. */
import { expect, test, vi } from 'vitest'
import type { AgentOption } from '../../../src/agent/session-events.ts'
import { createStage, startedStage } from '../stage.ts'

const modes: AgentOption = {
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  kind: 'choice',
  value: 'ask',
  choices: [
    { value: 'ask', name: 'Ask' },
    { value: 'code', name: 'Code' },
  ],
}

test('A command that needs a started agent says so, and stays until it can run', async () => {
  const set: unknown[] = []
  const stage = createStage(backend => {
    backend.waits = true
    return backend.with({
      setOption: async (id: string, value: string | boolean) => (set.push([id, value]), backend.reply),
    })
  })
  stage.controller.start(null)
  await stage.settle()
  await stage.say('/mode code')
  expect(stage.state().hint).toContain('zot is still starting. After that, Enter runs /mode, if zot supports it.')
  expect(stage.state().editor.text).toBe('/mode code')
  await stage.press('ctrl+u')
  await stage.say('/zot:review')
  expect(stage.state().hint).toContain('zot is still starting')
  await stage.press('ctrl+u')
  stage.backend.letThrough()
  await stage.settle()
  stage.backend.tell({ type: 'options_changed', options: [modes] })
  await vi.waitFor(() => expect(stage.state().chat.options).toHaveLength(1))
  await stage.say('/mode code')
  expect(set).toEqual([['mode', 'code']])
})

test('A command that the agent does not support names the agent', async () => {
  const stage = await startedStage()
  await stage.say('/options')
  expect(stage.state().hint).toContain('zot does not support /options.')
})
