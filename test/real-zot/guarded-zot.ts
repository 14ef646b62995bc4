/** A real zot behind the backend, with its guard and a scripted model. */
import { guarded } from '../agents/zot/guard/guarded.ts'
import type { MakeZot, ScriptStep } from '../agents/zot/guard/suite.ts'
import { hold, reply, startModel, type Reply } from '../helpers/model.ts'
import { messagesOf, zot } from './talk.ts'

export const makeRealZot: MakeZot = async (script, { holdsBack = false, ...options } = {}) => {
  const gate = hold()
  if (!holdsBack) gate.release()
  const model = await startModel(script.map((step, at) => replyOf(step, at === 0 ? reply().wait(gate) : reply())))
  const own = {
    provider: 'anthropic',
    model: 'claude-sonnet-4-5',
    apiKey: 'x',
    baseUrl: model.url,
    noSkill: true,
    ...options.options,
  }
  const stage = guarded({ ...options, zot, options: own })
  return {
    ...stage,
    heard: async request => JSON.stringify(messagesOf(await model.request(request))),
    told: () => JSON.stringify(model.requests.map(messagesOf)),
    letGo: () => gate.release(),
  }
}

function replyOf(step: ScriptStep, begun: Reply): Reply {
  if ('text' in step) return begun.text(step.text)
  return step.calls.reduce((all, { id, name, args }) => all.tool(name, args, { id }), begun)
}
