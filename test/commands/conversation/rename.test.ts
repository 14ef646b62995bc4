import { expect, test } from 'vitest'
import type { Reply } from '../../../src/agent/backend.ts'
import { createStage, type Stage } from '../../app/stage.ts'
import { makePlace, openProgram } from '../../storage/sessions/stage.ts'

/** A program whose agent answers this to a title, and the titles that it got. */
async function stageWith(reply: Reply): Promise<{ stage: Stage; titles: string[] }> {
  const titles: string[] = []
  const renameSession = async (title: string): Promise<Reply> => {
    titles.push(title)
    return reply
  }
  const stage = createStage(backend => backend.with({ renameSession }), { sessions: openProgram(makePlace()).sessions })
  stage.controller.start(null)
  await stage.settle()
  return { stage, titles }
}

test('/rename gives the session of the agent the title, too', async () => {
  const { stage, titles } = await stageWith({ ok: true, value: undefined })
  await stage.say('/rename A fine title')
  await stage.say('/rename')
  expect(titles).toEqual(['A fine title'])
  expect(stage.state().hint).toContain('"A fine title"')
  expect(stage.entries().join()).not.toContain('title')
})

test('/rename says in one line that the agent keeps its own title', async () => {
  const { stage, titles } = await stageWith({ ok: false, message: 'no such session' })
  await stage.say('/rename A fine title')
  await stage.settle()
  expect(titles).toHaveLength(1)
  expect(stage.entries().filter(entry => entry.includes('keeps its own title'))).toEqual([
    expect.stringContaining('zot keeps its own title for this session: No such session'),
  ])
})
