/** A real zot while zotui asks before its calls run. */
import { describe } from 'vitest'
import { guarded } from '../agents/zot/guard/guarded.ts'
import { holdsForEveryZot, type MakeZot, type ScriptStep } from '../agents/zot/guard/suite.ts'
import { reply, startModel, type Reply } from '../helpers/model.ts'
import { messagesOf, zot } from './talk.ts'

const make: MakeZot = async (script, options = {}) => {
  const model = await startModel(script.map(step => replyOf(step)))
  const own = {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    apiKey: 'x',
    baseUrl: model.url,
    noSkill: true,
    ...options.options,
  }
  const stage = guarded({ ...options, zot, options: own })
  return { ...stage, heard: async request => JSON.stringify(messagesOf(await model.request(request))) }
}

function replyOf(step: ScriptStep): Reply {
  if ('text' in step) return reply().text(step.text)
  return step.calls.reduce((all, { id, name, args }) => all.tool(name, args, { id }), reply())
}

describe.skipIf(!zot)('a real zot that asks before its calls run', () => {
  holdsForEveryZot(make)
})
