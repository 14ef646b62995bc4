/**
 * What devices may ask of a conversation of this UI, and nothing else: each request of the closed list has its function here. The person at
 * the terminal keeps what is open there, and reads who did something.
 */
import { modelTitle } from '../../conversation/queries/model-title.ts'
import { AnsweredQuestions } from '../../published/answers/answered-questions.ts'
import { Origins } from '../../published/answers/origins.ts'
import type { OutsideRequests } from '../../published/conversation.ts'
import { deviceName } from '../../published/device-name.ts'
import {
  askingModes,
  makesAgentWork,
  type Device,
  type OutsideCall,
  type OutsideReply,
} from '../../published/outside-call.ts'
import type { ServedModel } from '../../published/protocol.ts'
import { firstPrompt } from '../../state/conversations/conversation-row.ts'
import { sentence } from '../../text/sentence.ts'
import { OutsideAnswers } from './answers.ts'
import { OutsideQueue } from './prompts.ts'
import type { OutsideParts } from './parts.ts'
import { done, refused } from './replies.ts'

/** Characters of a title in a question. */
const LONGEST_TITLE = 80

export async function createOutsideRequests(parts: OutsideParts): Promise<OutsideRequests> {
  const { context, turns, permissions } = parts
  const { state, backend } = context
  const origins = new Origins()
  const answered = new AnsweredQuestions()
  context.nameEvents(event => {
    const named = origins.named(event)
    answered.follow(named, state().chat.plan)
    return named
  })
  // Without the rules nothing is known of a call.
  await permissions.judge.load()
  const answers = new OutsideAnswers({ ...parts, origins, answered })
  const queue = new OutsideQueue(parts)
  return {
    questions: () => answers.served(),
    queue: () => queue.served(),
    models,
    async carryOut(call, device) {
      const from = deviceName(device)
      // What has happened is known first.
      parts.batcher.flush()
      if (state().leaving !== null) return refused('gone', 'zotui is ending.')
      return (makesAgentWork.has(call.do) ? whyNot(device, from) : null) ?? carryOut(call, from)
    },
  }

  async function carryOut(call: OutsideCall, from: string): Promise<OutsideReply> {
    switch (call.do) {
      case 'answer_call':
        return answers.answerCall(call, from)
      case 'answer_form':
        return answers.answerForm(call, from)
      case 'change_plan':
        return answers.changePlan(call, from)
      case 'stop':
        return stop(from)
      case 'prompt':
        return queue.prompt(call.text, from)
      case 'steer':
        return queue.steer(call.text, from)
      case 'change_queued':
        return queue.change(call, from)
      case 'send_queued':
        return queue.send(call)
      case 'set_model':
        return setModel(call.model, from)
    }
  }

  /** Why this device may not make the agent work; null if it may. In a mode that does not ask, the person here says yes first. */
  function whyNot({ id, role }: Device, name: string): OutsideReply | null {
    const { chat, startup } = state()
    const mode = chat.permissionMode
    if (mode !== null && askingModes.has(mode)) return null
    const title = (chat.agentTitle || firstPrompt(state())).slice(0, LONGEST_TITLE)
    const conversation = startup.conversation ?? 1
    const asked = { device: { id, role, name }, conversation, title, mode: mode ?? 'of the agent' }
    if (context.serving?.mayPrompt(asked)) return null
    return refused('needs_yes', 'This conversation acts without asking. Say yes in its terminal first: /serve.')
  }

  function stop(from: string): OutsideReply {
    const { open } = state().chat
    if (!open) return refused('gone', 'Nothing runs.')
    if (open.aborting) return done('done')
    origins.stopped(from)
    turns.machine.stop()
    context.hint(`Stopped from ${from}.`)
    return done('done')
  }

  async function models(): Promise<readonly ServedModel[]> {
    if (!backend.abilities.has('setModel') || !backend.abilities.has('listModels')) return []
    const reply = await backend.listModels()
    const { provider } = state().chat.agent
    const own = reply.ok ? reply.value.filter(model => model.provider === provider) : []
    return own.map(({ id, name }) => ({ id, name: name || id }))
  }

  async function setModel(id: string, from: string): Promise<OutsideReply> {
    const offered = await models()
    if (!offered.some(model => model.id === id)) return refused('forbidden', 'It is no model of this provider.')
    if (!turns.machine.runsCommands()) return refused('failed', 'The agent works: the model can be changed after that.')
    const reply = await turns.models.useOwn(id)
    if (!reply.ok) return refused('failed', sentence(reply.message))
    context.hint(`${modelTitle(state().chat)}, from ${from}.`)
    return done('done')
  }
}
