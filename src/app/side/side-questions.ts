/**
 * `/btw`: a question to a second agent, which gets the conversation so far and only reads. Its answer is shown in a
 * panel, and is no part of the conversation unless the user adds it.
 */
import { modelTitle } from '../../conversation/queries/model-title.ts'
import type { AgentEvent, Usage } from '../../agent/event.ts'
import { answerOf } from '../../conversation/queries/answer.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { sideMemory } from '../../conversation/queries/session/digest.ts'
import { sideNote } from '../../conversation/queries/side-note.ts'
import type { ChatState, Entry, Turn } from '../../conversation/state.ts'
import { visibleQuestion } from '../../state/state.ts'
import { sentence } from '../../text/sentence.ts'
import type { AppContext } from '../context/context.ts'
import type { StartSide } from '../context/agents.ts'
import { createEventBatcher, type EventBatcher } from '../events/batcher.ts'
import type { CallJudge } from '../permissions/judge.ts'
import type { AskedQuestion } from '../permissions/panel.ts'
import type { Permissions } from '../permissions/permissions.ts'
import type { ShellCommand } from '../turns/shell-command.ts'
import type { Turns } from '../turns/turns.ts'
import { createSideAgent, type SideAgent } from './side-agent.ts'
import { usageSince } from './side-cost.ts'
import { sideQuestion, type SideAnswer } from './side-panel.ts'

export type SideQuestions = {
  /** Asks a first or a further question. Without a text, shows the last answer again. */
  ask: (question: string) => void
  /** Esc: stops the answer that is on the screen, or closes it; false if none is. */
  stop: () => boolean
  /** Ends the agent. */
  close: () => Promise<void>
}

export type SideQuestionsParts = {
  context: AppContext
  batcher: Pick<EventBatcher, 'subscribe'>
  shell: Pick<ShellCommand, 'share'>
  turns: Pick<Turns, 'limit'>
  /** Decides as in mode `read`. */
  judge: Pick<CallJudge, 'decide' | 'load'>
  startSide: StartSide
  secrets: readonly string[]
  permissions: Pick<Permissions, 'alsoAsk'>
}

/** The agent, and the number of entries of the conversation that it has got. */
type SideConversation = { agent: SideAgent; name: string; sent: number; times: number }

export function createSideQuestions(parts: SideQuestionsParts): SideQuestions {
  const { context, shell, turns, judge, startSide } = parts
  const { state, hint, now } = context
  let running: SideConversation | null = null
  let last: SideAnswer | null = null
  let isShown = false
  /** The number of the current question, which differs from those that were answered or dropped. */
  let count = 0
  /** The conversation of the last question: see `AppState.restored`. */
  let times = 0
  let isTyping = false
  let isLeaving = false
  /** The usage of the agent before the question; null while none is asked. */
  let before: Usage | null = null
  const refresh = parts.permissions.alsoAsk(asked)
  const frames = createEventBatcher(() => refresh())
  parts.batcher.subscribe(events => {
    if (events.some(({ type }) => type === 'conversation_cleared')) void forget()
  })
  return { ask, stop, close }

  function ask(question: string): void {
    const text = question.trim()
    if (isOfAnother()) void forget()
    if (text === '' && !last) return hint('There is no side question yet: type /btw and a question.')
    show(true)
    if (text === '') return
    if (last?.phase === 'running') return hint('The previous side question is still being answered.')
    if (turns.limit.isReached()) {
      if (!last) show(false)
      return context.addProgramNotice('warn', 'The side question was not sent: the cost limit is reached.', RAISE)
    }
    void answer(text)
  }

  /** True if the answer belongs to a conversation that was replaced. */
  function isOfAnother(): boolean {
    return last !== null && times !== state().restored.times
  }

  async function answer(question: string): Promise<void> {
    const number = (count += 1)
    times = state().restored.times
    last = { question, phase: 'running', answer: '', problem: null, isTaken: false, facts: [], refused: 0, costUsd: 0 }
    isTyping = false
    refresh()
    const problem = await answered(question)
    follow()
    reportUsage()
    // The question may have been dropped meanwhile, with its conversation.
    if (count !== number || isLeaving) return
    if (last.phase === 'running') change({ phase: problem === null && last.problem === null ? 'done' : 'failed' })
    if (last.phase !== 'stopped') change({ problem: last.problem ?? problem })
    refresh()
    if (!isShown) context.addProgramNotice('info', 'The side question was answered.', '/btw shows the answer.')
  }

  function change(fields: Partial<SideAnswer>): void {
    if (last) last = { ...last, ...fields }
  }

  /** Null if it was answered, otherwise why not. */
  async function answered(question: string): Promise<string | null> {
    const started = await conversation()
    if (typeof started === 'string') return started
    if (last?.phase !== 'running') return null
    const { agent, name } = started
    before = agent.chat().usage
    await agent.ask(question, unsent(started))
    const chat = agent.chat()
    if (chat.agent.phase !== 'ready' && running === started) follow()
    return problemOf(chat, name)
  }

  /** The open side conversation, or a fresh one; otherwise why there is none. */
  async function conversation(): Promise<SideConversation | string> {
    const name = context.backend.name
    const isGone = running?.agent.chat().agent.phase !== 'ready'
    if (running && (isGone || running.times !== times || running.name !== name)) await end()
    if (running) return running
    const [made] = await Promise.all([startSide(), judge.load()])
    if (!made.ok) return sentence(made.message)
    const { backend, mode } = made.value
    const { agent: model } = state().chat
    const { baseUrl } = context.backend.startOptions()
    const agent = createSideAgent({
      backend,
      mode,
      judge: judge.decide,
      model,
      baseUrl,
      secrets: parts.secrets,
      onEvent,
    })
    running = { agent, name, sent: 0, times }
    const opened = await agent.open()
    if (opened.ok) return running
    running = null
    return sentence(opened.message)
  }

  /** The part of the conversation that the agent has not got yet. */
  function unsent(side: SideConversation): ReturnType<typeof sideMemory> {
    const { entries, open, sharedWith } = state().chat
    const fresh: Entry[] = [...entries.slice(side.sent), ...(open?.kind === 'turn' ? [open] : [])]
    side.sent = entries.length
    const { agent } = side.agent.chat()
    return sideMemory({ agent, sharedWith, entries: fresh }, context.settings.values().memoryTokens)
  }

  function onEvent(event: AgentEvent): void {
    follow()
    const isFurtherStep = event.type === 'step_started' && event.step > 1
    if (isFurtherStep && last && turns.limit.isReached(last.costUsd ?? 0)) {
      change({ problem: `The cost limit is reached. ${RAISE}` })
      running?.agent.abort()
    }
    frames.push(event)
  }

  function follow(): void {
    if (!running || before === null) return
    const chat = running.agent.chat()
    const turn = turnOf(chat)
    change({
      answer: turn ? answerOf(turn) : '',
      costUsd: usageSince(before, chat.usage)?.costUsd ?? 0,
      refused: running.agent.refused(),
      facts: factsOf(chat, turn),
    })
  }

  function reportUsage(): void {
    const usage = running && before && usageSince(before, running.agent.chat().usage)
    before = null
    if (usage) context.report([{ type: 'usage_reported', at: now(), usage, auxiliary: true, side: true }])
  }

  function asked(): AskedQuestion | null {
    if (!isShown || !last || isOfAnother()) return null
    return sideQuestion(last, isTyping, { stop, hide: () => show(false), takeOver, type, askOn: ask })
  }

  function stop(): boolean {
    if (!isShown || !last || visibleQuestion(state())?.content.kind !== 'side') return false
    if (isTyping) type(false)
    else if (last.phase === 'running') {
      change({ phase: 'stopped' })
      // Before its prompt there is nothing to abort.
      if (before !== null) running?.agent.abort()
      refresh()
    } else show(false)
    return true
  }

  function takeOver(): void {
    if (!last || last.isTaken || last.answer === '') return
    const { question, answer: text } = last
    change({ isTaken: true })
    shell.share(sideNote(question, text))
    show(false)
    const fields = { level: 'info', text: `Side question: ${question}`, hint: null, markdown: false } as const
    context.report([{ type: 'remark_made', at: now(), ...fields, sideAnswer: text }])
    hint(`${context.backend.name} gets it with your next prompt.`)
  }

  function type(on: boolean): void {
    isTyping = on
    refresh()
  }

  function show(on: boolean): void {
    isShown = on
    isTyping = false
    refresh()
  }

  /** Ends the side conversation, because its conversation is gone. */
  async function end(): Promise<void> {
    const ended = running
    reportUsage()
    running = null
    await ended?.agent.close()
  }

  async function forget(): Promise<void> {
    count += 1
    last = null
    show(false)
    await end()
  }

  async function close(): Promise<void> {
    isLeaving = true
    await end()
  }
}

const RAISE = '/settings maxCostUsd raises it.'

function turnOf(chat: ChatState): Turn | undefined {
  const turn = chat.open ?? lastTurn(chat.entries)
  return turn?.kind === 'turn' ? turn : undefined
}

/** Why the last turn ended badly; null if it ended well. */
function problemOf(chat: ChatState, name: string): string | null {
  const ended = chat.entries.findLast(entry => entry.kind === 'agent_ended')
  if (chat.agent.phase !== 'ready') return sentence(ended?.reason ?? `${name} ended`)
  const turn = turnOf(chat)
  if (turn?.outcome === 'failed' || turn?.outcome === 'refused') return sentence(turn.error ?? `${name} failed`)
  return null
}

/** The model, and the call that it is running. */
function factsOf(chat: ChatState, turn: Turn | undefined): string[] {
  const { agent, open } = chat
  const call = open && turn ? [...turn.parts].findLast(part => part.kind === 'tool') : undefined
  const runs = call?.state === 'running' || call?.state === 'composing' ? [call.name] : []
  return [agent.model === '' ? agent.name : agent.provider === '' ? modelTitle(chat) : agent.model, ...runs].filter(
    word => word !== '',
  )
}
