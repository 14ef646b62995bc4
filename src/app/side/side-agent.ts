/** The second agent, for side questions: it may only read, and its events become a separate conversation. */
import type { Backend, Memory, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Judge, Verdict } from '../../agent/permission.ts'
import { initialChat, type AgentState, type ChatState } from '../../conversation/state.ts'
import { sentence } from '../../text/sentence.ts'
import { createEventPipeline } from '../events/pipeline.ts'

export type SideAgent = {
  /** The conversation with it. */
  chat: () => ChatState
  /** The number of its calls that were refused so far. */
  refused: () => number
  /** Starts it, limited to reading. If that fails, it is ended, and the reply says why. */
  open: () => Promise<Reply>
  /** Resolves when it has answered. */
  ask: (text: string, memory: Memory | null) => Promise<void>
  abort: () => void
  close: () => Promise<void>
}

export type SideAgentOptions = {
  backend: Backend
  /** The agent's own mode that it must be in; null for none. */
  mode: string | null
  /** Decides as in mode `read`. */
  judge: Judge
  /** The agent of the conversation: the side question goes to its model, if there is a choice. */
  model: Pick<AgentState, 'provider' | 'model' | 'reasoning'>
  /** The address of its server, '' for the provider's own; undefined where the agent takes none. */
  baseUrl: string | undefined
  secrets: readonly string[]
  /** Called after each of its events. */
  onEvent: (event: AgentEvent) => void
}

export function createSideAgent({
  backend,
  mode,
  judge,
  model,
  baseUrl,
  secrets,
  onEvent,
}: SideAgentOptions): SideAgent {
  let chat = initialChat
  let refused = 0
  /** True once it is in its mode. */
  let isModeSet = false
  const pipeline = createEventPipeline({
    chat: () => chat,
    onFold(next) {
      chat = next
    },
    sessions: null,
    ledger: null,
    secrets,
    folder: undefined,
    toolLimit: null,
  })
  backend.subscribe(event => {
    pipeline.publish([event])
    if (event.type === 'call_refused') refused += 1
    if (event.type === 'permission_requested') {
      refused += 1
      queueMicrotask(() => backend.answerPermission(event.id, { answer: 'refuse', words: NOBODY }, 'rule'))
    }
    if (event.type === 'question_asked') queueMicrotask(() => backend.answerQuestion(event.id, null, 'declined'))
    // An agent that left its mode may do more than read.
    if (event.type === 'options_changed' && isModeSet && !isInMode()) void backend.kill()
    onEvent(event)
  })
  return { chat: () => chat, refused: () => refused, open, ask, abort: backend.abort.bind(backend), close }

  async function open(): Promise<Reply> {
    if (!backend.abilities.has('judgeWith'))
      return { ok: false, message: `${backend.name} cannot be limited to reading` }
    backend.judgeWith(judged)
    backend.setPermissionMode('read')
    backend.startIn({ mode: 'read', isChosen: true })
    const { provider, model: id, reasoning } = model
    const server = baseUrl !== undefined && { baseUrl }
    if (provider !== '') backend.startWith({ provider, model: id, ...server, ...(reasoning !== null && { reasoning }) })
    await backend.open()
    if (chat.agent.phase !== 'ready') return { ok: false, message: whyEnded() }
    if (mode !== null) {
      const entered = await enterMode(mode)
      if (!entered.ok) {
        await backend.close()
        return entered
      }
      isModeSet = true
    }
    if (id !== '' && chat.agent.model !== id) await backend.setModel(id)
    return { ok: true, value: undefined }
  }

  async function ask(text: string, memory: Memory | null): Promise<void> {
    refused = 0
    await backend.prompt({ text, images: [], ...(memory && { memory }) })
  }

  async function close(): Promise<void> {
    await backend.close()
    pipeline.end()
  }

  function judged(request: Parameters<Judge>[0]): Verdict | Promise<Verdict> {
    const verdict = judge(request)
    return verdict instanceof Promise ? verdict.then(unasked) : unasked(verdict)
  }

  async function enterMode(name: string): Promise<Reply> {
    const option = chat.options.find(({ category }) => category === 'mode')
    if (!option?.choices.some(({ value }) => value === name) || !backend.abilities.has('setOption'))
      return { ok: false, message: `${backend.name} has no read-only mode` }
    const reply =
      option.value === name ? ({ ok: true, value: undefined } as const) : await backend.setOption(option.id, name)
    if (!reply.ok || isInMode()) return reply
    return { ok: false, message: `${backend.name} did not switch to its mode ${name}` }
  }

  function isInMode(): boolean {
    return chat.options.some(({ category, value }) => category === 'mode' && value === mode)
  }

  function whyEnded(): string {
    const ended = chat.entries.findLast(entry => entry.kind === 'agent_ended')
    if (!ended) return `${backend.name} did not start`
    return [sentence(ended.reason), ended.hint].filter(part => part !== '').join(' ')
  }
}

const NOBODY =
  'Refused: a side question is answered by reading only, and the user cannot be asked. Nothing was run or changed. ' +
  'Do not try to do the same in another way. Answer with what you know.'

/** A call that would need an answer is refused: the user answers only questions of the main conversation. */
function unasked(verdict: Verdict): Verdict {
  return verdict.verdict === 'ask' ? { verdict: 'refuse', because: verdict.because, words: NOBODY } : verdict
}
