/** The sessions that the agent keeps itself, in the list of sessions. */
import { describe, expect, test, vi } from 'vitest'
import type { AgentSession, Reply } from '../../../src/agent/backend.ts'
import { makePlace, openProgram } from '../../storage/sessions/stage.ts'
import type { FakeBackend } from '../fake-backend.ts'
import { startedStage, type Stage } from '../stage.ts'

const kept: AgentSession[] = [
  { id: 's1', folder: '', title: 'Fix the parser', updatedAt: 500 },
  { id: 's2', folder: '/elsewhere', title: 'Another project', updatedAt: 900 },
]

async function listing(reply: Reply): Promise<{ stage: Stage; opened: string[] }> {
  const opened: string[] = []
  const make = (backend: FakeBackend): FakeBackend =>
    backend.with({
      listSessions: async () => ({ ok: true, value: kept }),
      openSession: async (id: string) => {
        opened.push(id)
        return reply
      },
    })
  const stage = await startedStage(make, { sessions: openProgram(makePlace()).sessions })
  await stage.say('/resume')
  const names = (): string[] => {
    const { picker } = stage.state()
    return picker?.kind === 'sessions' ? picker.found.map(({ session }) => session.title) : []
  }
  await vi.waitFor(() => expect(names()).toEqual(['Fix the parser']))
  return { stage, opened }
}

describe("The agent's own sessions", () => {
  test('are listed for this folder, and marked as its own', async () => {
    const { stage } = await listing({ ok: true, value: undefined })
    expect(stage.state().picker).toMatchObject({ sessions: [{ origin: 'zot', folder: '' }] })
  })

  test('are opened by the agent, which remembers them', async () => {
    const { stage, opened } = await listing({ ok: true, value: undefined })
    await stage.press('enter')
    expect(opened).toEqual(['s1'])
    await vi.waitFor(() => expect(stage.entries().join()).toContain('This is the session "Fix the parser" of zot'))
  })

  test('are reported if it cannot open them any more', async () => {
    const { stage } = await listing({ ok: false, message: 'no such session' })
    await stage.press('enter')
    await vi.waitFor(() => expect(stage.entries().join()).toContain('did not open its session'))
  })
})
