import { describe, expect, test, vi } from 'vitest'
import type { AgentOption } from '../../../src/agent/session-events.ts'
import type { FakeBackend } from '../fake-backend.ts'
import { startedStage, type Stage } from '../stage.ts'

const mode: AgentOption = {
  id: 'mode',
  name: 'Mode',
  category: 'mode',
  kind: 'choice',
  value: 'default',
  choices: [
    { value: 'default', name: 'Always Ask' },
    { value: 'acceptEdits', name: 'Accept Edits' },
    { value: 'bypassPermissions', name: 'Bypass Permissions' },
    { value: 'plan', name: 'Plan Mode', about: 'reads only' },
  ],
}
const fast: AgentOption = { id: 'fast', name: 'Fast', category: 'other', kind: 'switch', value: false, choices: [] }

async function offering(...options: AgentOption[]): Promise<{ stage: Stage; set: string[] }> {
  const set: string[] = []
  const make = (backend: FakeBackend): FakeBackend =>
    backend.with({
      setOption: async (id: string, value: string | boolean) => {
        set.push(`${id}=${value}`)
        return { ok: true, value: undefined }
      },
    })
  const stage = await startedStage(make)
  stage.backend.tell({ type: 'options_changed', options })
  await vi.waitFor(() => expect(stage.state().chat.options).toHaveLength(options.length))
  return { stage, set }
}

describe('Shift+Tab', () => {
  test("cycles the agent's own modes, but not to one that asks nothing", async () => {
    const { stage, set } = await offering(mode)
    await stage.press('shift+tab')
    stage.backend.tell({ type: 'options_changed', options: [{ ...mode, value: 'acceptEdits' }] })
    await vi.waitFor(() => expect(stage.state().chat.options[0]?.value).toBe('acceptEdits'))
    await stage.press('shift+tab')
    expect(set).toEqual(['mode=acceptEdits', 'mode=plan'])
  })

  test("says that there is nothing to switch if the agent has no modes and takes none of zotui's", async () => {
    const { stage, set } = await offering(fast)
    await stage.press('shift+tab')
    expect(set).toEqual([])
    expect(stage.state().hint).toContain('does not ask')
  })
})

describe('/mode', () => {
  test('takes the id or the name of a mode', async () => {
    const { stage, set } = await offering(mode)
    await stage.say('/mode bypasspermissions')
    await stage.say('/mode Plan Mode')
    expect(set).toEqual(['mode=bypassPermissions', 'mode=plan'])
  })

  test('lists the modes', async () => {
    const { stage, set } = await offering(mode)
    await stage.say('/mode')
    expect(stage.state().picker).toMatchObject({ kind: 'choice', title: 'Mode', selected: 0 })
    await stage.press('down', 'enter')
    expect(set).toEqual(['mode=acceptEdits'])
  })

  test('is not offered if the agent has no modes', async () => {
    const { stage } = await offering(fast)
    expect(stage.controller.commands().map(({ name }) => name)).not.toContain('mode')
    expect(stage.controller.commands().map(({ name }) => name)).toContain('options')
  })
})

describe('/options', () => {
  test("lists the agent's options, and then the values of one", async () => {
    const { stage, set } = await offering(mode, fast)
    await stage.say('/options')
    expect(stage.state().picker).toMatchObject({ choices: [{ label: 'Mode' }, { label: 'Fast', facts: ['off'] }] })
    await stage.press('down', 'enter', 'enter')
    expect(set).toEqual(['fast=false'])
  })

  test('sets an option by name', async () => {
    const { stage, set } = await offering(mode, fast)
    await stage.say('/options fast on')
    expect(set).toEqual(['fast=true'])
  })
})
