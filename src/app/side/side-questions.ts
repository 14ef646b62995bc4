/**
 * `/btw`: a question to a second agent, which gets the conversation so far and only reads. Its answer is shown in a
 * panel, and is no part of the conversation unless the user adds it.
 */
import { modelTitle } from '../../conversation/queries/model-title.ts'
import type { AgentEvent, Usage } from '../../agent/event.ts'
import { answerOf } from '../../conversation/queries/answer.ts'
import { lastTurn } from '../../conversation/queries/last-turn.ts'
import { lastLineIn } from '../../conversation/queries/task-words.ts'
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

export class SideQuestions {
  readonly #parts: SideQuestionsParts
  #running: SideConversation | null = null
  #last: SideAnswer | null = null
  #isShown = false
  /** The number of the current question, which differs from those that were answered or dropped. */
  #count = 0
  /** The conversation of the last question: see `AppState.restored`. */
  #times = 0
  #isTyping = false
  #isLeaving = false
  /** The usage of the agent before the question; null while none is asked. */
  #before: Usage | null = null
  readonly #refresh: () => void
  readonly #frames: EventBatcher

  constructor(parts: SideQuestionsParts) {
    this.#parts = parts
    const refresh = this.#parts.permissions.alsoAsk(this.#asked.bind(this))
    this.#refresh = () => {
      refresh()
      this.#list()
    }
    this.#frames = createEventBatcher(() => this.#refresh())
    this.#parts.batcher.subscribe(events => {
      if (events.some(({ type }) => type === 'conversation_cleared')) void this.#forget()
    })
  }

  /** Asks a first or a further question. Without a text, shows the last answer again. */
  ask(question: string): void {
    const { context, turns } = this.#parts
    const { hint } = context
    const text = question.trim()
    if (this.#isOfAnother()) void this.#forget()
    if (text === '' && !this.#last) return hint('There is no side question yet: type /btw and a question.')
    this.#show(true)
    if (text === '') return
    if (this.#last?.phase === 'running') return hint('The previous side question is still being answered.')
    if (turns.limit.isReached()) {
      if (!this.#last) this.#show(false)
      return context.addProgramNotice(
        'warn',
        'The side question was not sent: the cost limit is reached.',
        turns.limit.raisedBy(),
      )
    }
    void this.#answer(text)
  }

  /** Esc: stops the answer that is on the screen, or closes it; false if none is. */
  stop(): boolean {
    const { state } = this.#parts.context
    if (!this.#isShown || !this.#last || visibleQuestion(state())?.content.kind !== 'side') return false
    if (this.#isTyping) this.#type(false)
    else if (this.#last.phase === 'running') {
      this.#change({ phase: 'stopped' })
      // Before its prompt there is nothing to abort.
      if (this.#before !== null) this.#running?.agent.abort()
      this.#refresh()
    } else this.#show(false)
    return true
  }

  /** Ends the agent. */
  async close(): Promise<void> {
    this.#isLeaving = true
    await this.#end()
  }

  /** True if the answer belongs to a conversation that was replaced. */
  #isOfAnother(): boolean {
    const { state } = this.#parts.context
    return this.#last !== null && this.#times !== state().restored.times
  }

  async #answer(question: string): Promise<void> {
    const { context } = this.#parts
    const { state } = context
    const number = (this.#count += 1)
    this.#times = state().restored.times
    this.#last = {
      question,
      phase: 'running',
      answer: '',
      problem: null,
      isTaken: false,
      facts: [],
      refused: 0,
      costUsd: 0,
    }
    this.#isTyping = false
    this.#refresh()
    const problem = await this.#answered(question)
    // The next question is followed already.
    if (this.#count === number) this.#follow()
    this.#reportUsage()
    // The question may have been dropped meanwhile, with its conversation.
    if (this.#count !== number || this.#isLeaving) return
    if (this.#last.phase === 'running')
      this.#change({ phase: problem === null && this.#last.problem === null ? 'done' : 'failed' })
    if (this.#last.phase !== 'stopped') this.#change({ problem: this.#last.problem ?? problem })
    this.#keep(this.#last)
    this.#refresh()
    if (!this.#isShown) context.addProgramNotice('info', 'The side question was answered.', '/btw shows the answer.')
  }

  /** The session keeps the question and its answer, although they are no part of the conversation. */
  #keep({ question, phase, answer }: SideAnswer): void {
    const { sessions, now, redact } = this.#parts.context
    if (phase !== 'running')
      sessions?.note({ type: 'side_ended', at: now(), question: redact(question), outcome: phase, answer })
  }

  #change(fields: Partial<SideAnswer>): void {
    if (this.#last) this.#last = { ...this.#last, ...fields }
  }

  /** Null if it was answered, otherwise why not. */
  async #answered(question: string): Promise<string | null> {
    const started = await this.#conversation()
    if (typeof started === 'string') return started
    if (this.#last?.phase !== 'running') return null
    const { agent, name } = started
    this.#before = agent.chat().usage
    await agent.ask(question, this.#unsent(started))
    const chat = agent.chat()
    if (chat.agent.phase !== 'ready' && this.#running === started) this.#follow()
    return problemOf(chat, name)
  }

  /** The open side conversation, or a fresh one; otherwise why there is none. */
  async #conversation(): Promise<SideConversation | string> {
    const { context, judge, startSide } = this.#parts
    const { state } = context
    const name = context.backend.name
    const isGone = this.#running?.agent.chat().agent.phase !== 'ready'
    if (this.#running && (isGone || this.#running.times !== this.#times || this.#running.name !== name))
      await this.#end()
    if (this.#running) return this.#running
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
      secrets: this.#parts.secrets,
      onEvent: this.#onEvent.bind(this),
    })
    this.#running = { agent, name, sent: 0, times: this.#times }
    const opened = await agent.open()
    if (opened.ok) return this.#running
    this.#running = null
    return sentence(opened.message)
  }

  /** The part of the conversation that the agent has not got yet. */
  #unsent(side: SideConversation): ReturnType<typeof sideMemory> {
    const { context } = this.#parts
    const { state } = context
    const { entries, open, sharedWith } = state().chat
    const fresh: Entry[] = [...entries.slice(side.sent), ...(open?.kind === 'turn' ? [open] : [])]
    side.sent = entries.length
    const { agent } = side.agent.chat()
    return sideMemory({ agent, sharedWith, entries: fresh }, context.settings.values().memoryTokens)
  }

  #onEvent(event: AgentEvent): void {
    const { turns } = this.#parts
    this.#follow()
    const isFurtherStep = event.type === 'step_started' && event.step > 1
    if (isFurtherStep && this.#last && turns.limit.isTurnOver(this.#last.costUsd ?? 0)) {
      this.#change({ problem: `The cost limit is reached. ${turns.limit.raisedBy()}` })
      this.#running?.agent.abort()
    }
    this.#frames.push(event)
  }

  #follow(): void {
    if (!this.#running || this.#before === null) return
    const chat = this.#running.agent.chat()
    const turn = turnOf(chat)
    this.#change({
      answer: turn ? answerOf(turn) : '',
      costUsd: usageSince(this.#before, chat.usage)?.costUsd ?? 0,
      refused: this.#running.agent.refused(),
      facts: factsOf(chat, turn),
    })
  }

  #reportUsage(): void {
    const { context } = this.#parts
    const { now } = context
    const usage = this.#running && this.#before && usageSince(this.#before, this.#running.agent.chat().usage)
    this.#before = null
    if (usage) context.report([{ type: 'usage_reported', at: now(), usage, auxiliary: true, side: true }])
  }

  #asked(): AskedQuestion | null {
    if (!this.#isShown || !this.#last || this.#isOfAnother()) return null
    return sideQuestion(this.#last, this.#isTyping, {
      stop: this.stop.bind(this),
      hide: () => this.#show(false),
      takeOver: this.#takeOver.bind(this),
      type: this.#type.bind(this),
      askOn: this.ask.bind(this),
    })
  }

  /** For the list of what works in the conversation. */
  #list(): void {
    const { state, dispatch } = this.#parts.context
    const last = this.#isOfAnother() ? null : this.#last
    const lastLine = lastLineIn(last?.answer ?? '')
    const side = last && {
      question: last.question,
      isRunning: last.phase === 'running',
      model: last.facts[0] ?? '',
      lastLine,
    }
    const { side: was } = state()
    const isSame = side?.question === was?.question && side?.isRunning === was?.isRunning && lastLine === was?.lastLine
    if (!isSame) dispatch({ type: 'side_changed', side })
  }

  #takeOver(): void {
    const { context, shell } = this.#parts
    const { hint, now } = context
    if (!this.#last || this.#last.isTaken || this.#last.answer === '') return
    const { question, answer: text } = this.#last
    this.#change({ isTaken: true })
    shell.share(sideNote(question, text))
    this.#show(false)
    const fields = { level: 'info', text: `Side question: ${question}`, hint: null, markdown: false } as const
    context.report([{ type: 'remark_made', at: now(), ...fields, sideAnswer: text }])
    hint(`${context.backend.name} gets it with your next prompt.`)
  }

  #type(on: boolean): void {
    this.#isTyping = on
    this.#refresh()
  }

  #show(on: boolean): void {
    this.#isShown = on
    this.#isTyping = false
    this.#refresh()
  }

  /** Ends the side conversation. */
  async #end(): Promise<void> {
    const ended = this.#running
    this.#reportUsage()
    this.#running = null
    await ended?.agent.close()
  }

  async #forget(): Promise<void> {
    this.#count += 1
    this.#last = null
    this.#show(false)
    await this.#end()
  }
}

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
