/** The conversation of a background process as servers for browsers get it, and what it does for their devices. */
import type { Backend, Reply } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { HeldEntry } from '../../agent/held-queue.ts'
import type { PermissionMode } from '../../agent/permission.ts'
import type { FormValues } from '../../agent/session-events.ts'
import type { BackgroundStatus } from '../../agents/background/protocol.ts'
import { QUIET } from '../../app/permissions/panel.ts'
import type { ChatState } from '../../conversation/state.ts'
import { isDigestOf } from '../../published/digested-text.ts'
import { formProblem } from '../../published/answers/form-values.ts'
import { literalPrompt } from '../../published/answers/literal-prompt.ts'
import type { Origins } from '../../published/answers/origins.ts'
import {
  answerFromOutside,
  servedQuestions,
  type QuestionJudge,
  type QuestionSource,
} from '../../published/answers/questions.ts'
import type { OnEvents, PublishedConversation, PublishedPast } from '../../published/conversation.ts'
import { deviceName } from '../../published/device-name.ts'
import {
  askingModes,
  makesAgentWork,
  type Device,
  type OutsideCall,
  type OutsideReply,
} from '../../published/outside-call.ts'
import type { PublishedRow, ServedModel, ServedQuestion, ServedQueue } from '../../published/protocol.ts'
import type { HeldPrompts } from '../queue/held-prompts.ts'

export type HeldConversationOptions = {
  backend: Backend
  queue: HeldPrompts
  origins: Origins
  chat: () => ChatState
  events: () => readonly AgentEvent[]
  status: () => BackgroundStatus
  session: () => string | null
  /** Null if the agent asks nothing. */
  mode: () => PermissionMode | null
  /** Absolute. */
  folder: string
  branch: () => string | null
  home: string
  /** Says why a call is asked. Null if a program answers all questions, so that nobody else is asked. */
  judge: QuestionJudge | null
  /** The milliseconds for which a question has waited. */
  ageOf: (question: string) => number
  onWatchers: (names: readonly string[]) => void
}

type BackgroundOutsideCall<Do extends OutsideCall['do']> = Extract<OutsideCall, { do: Do }>
type OutsideHandlers = {
  [Do in OutsideCall['do']]: (call: BackgroundOutsideCall<Do>, device: Device) => OutsideReply | Promise<OutsideReply>
}

/** The only conversation of its process. */
export const HELD_KEY = 'background'
/** Questions whose answers are remembered. */
const ANSWERED = 300
export class HeldConversation implements PublishedConversation {
  readonly #options: HeldConversationOptions
  readonly #changed = new Set<() => void>()
  readonly #following = new Set<OnEvents>()
  /** The questions that were shown, by their ids here, and who has answered them. */
  readonly #shown = new Map<string, { raw: string; by: string | null }>()

  readonly #handlers: OutsideHandlers = {
    answer_call: (call, device) => this.#answer(call, device, source => this.#answerCall(source, call, device)),
    answer_form: (call, device) => this.#answer(call, device, source => this.#answerForm(source, call.values, device)),
    // A plan is proposed in a UI that is attached.
    change_plan: () => no('gone', 'There is no plan that waits for an answer.'),
    stop: (_, { name }) => {
      const { queue, origins, chat } = this.#options
      if (chat().open === null) return no('gone', 'No turn runs.')
      origins.stopped(name)
      queue.stop()
      return done('done')
    },
    prompt: ({ id, text }, device) => this.#say('say', id, text, device),
    steer: ({ id, text }, device) => {
      const { backend, chat } = this.#options
      const reaches = backend.abilities.has('steer') && chat().open?.kind === 'turn'
      return this.#say(reaches ? 'steer' : 'say', id, text, device)
    },
    change_queued: ({ entry: id, was, text }, { name }) =>
      this.#withEntry(id, was, entry => {
        const { queue } = this.#options
        const words = literalPrompt(text)
        if (words.trim() === '') return queue.takeOut(id) === null ? GONE : done('done')
        if (entry.command !== null) return no('forbidden', 'A command is changed at the terminal only.')
        return queue.replace({ ...entry, text: words, chips: [], from: name }) ? done('queued') : GONE
      }),
    send_queued: ({ entry: id, was }) =>
      this.#withEntry(id, was, entry => {
        if (entry.command !== null) return no('forbidden', 'A command is run from the terminal only.')
        return this.#options.queue.send(id) ? done('sent') : GONE
      }),
    set_model: async ({ model }) => {
      const models = await this.models()
      if (!models.some(({ id }) => id === model)) return no('forbidden', 'There is no such model of this provider.')
      return ofReply(await this.#options.backend.setModel(model))
    },
  }

  constructor(options: HeldConversationOptions) {
    this.#options = options
  }

  row(): PublishedRow {
    const { status, session, folder, branch, chat, mode, backend } = this.#options
    const { state, title, since, lastLine, costUsd } = status()
    const { agent } = chat()
    return {
      key: HELD_KEY,
      kind: 'background',
      session: session(),
      folder,
      branch: branch(),
      agent: backend.name,
      model: agent.model,
      title,
      state,
      since,
      lastLine,
      costUsd,
      mode: mode(),
      takes: (['steer', 'set_model'] as const).filter(each =>
        backend.abilities.has(each === 'steer' ? 'steer' : 'setModel'),
      ),
      stays: '',
    }
  }

  async toBackground(): Promise<OutsideReply> {
    return done('done')
  }

  questions(): readonly ServedQuestion[] {
    return this.#served().map(({ served }) => served)
  }

  queue(): ServedQueue {
    const { entries, paused } = this.#options.queue.shown()
    return { entries: entries.map(entry => ({ id: entry.id, text: shownText(entry) })), paused }
  }

  async models(): Promise<readonly ServedModel[]> {
    const { backend, chat } = this.#options
    if (!backend.abilities.has('setModel') || !backend.abilities.has('listModels')) return []
    const listed = await backend.listModels()
    if (!listed.ok) return []
    const { provider } = chat().agent
    const own = listed.value.filter(each => each.provider === provider)
    return own.map(({ id, name = '' }) => ({ id, name: name === '' ? id : name }))
  }

  async carryOut(call: OutsideCall, device: Device, isConfirmed: boolean): Promise<OutsideReply> {
    const { mode, chat } = this.#options
    if (makesAgentWork.has(call.do) && !askingModes.has(mode() ?? '') && !isConfirmed)
      return no('needs_yes', 'The agent asks nothing in this mode: the person at the terminal must say yes first.')
    const isToAgent = makesAgentWork.has(call.do) && call.do !== 'change_queued'
    if (isToAgent && chat().agent.phase !== 'ready') return no('failed', 'The agent is not running.')
    // TypeScript does not see that the function is the one for this call.
    const handle = this.#handlers[call.do] as (call: OutsideCall, device: Device) => Promise<OutsideReply>
    return handle(call, { ...device, name: deviceName(device) })
  }

  onChange(listener: () => void): () => void {
    this.#changed.add(listener)
    return () => void this.#changed.delete(listener)
  }

  past(): PublishedPast {
    return { file: null, events: [...this.#options.events()] }
  }

  onEvents(listener: OnEvents): () => void {
    this.#following.add(listener)
    return () => void this.#following.delete(listener)
  }

  watched(names: readonly string[]): void {
    this.#options.onWatchers(names)
  }

  /** The state, the questions or the queue may have changed. */
  change(): void {
    for (const listener of this.#changed) listener()
  }

  /** An event of the conversation, as others get it. */
  take(event: AgentEvent): void {
    if (event.type === 'permission_decided') this.#note(event.id, event.by === 'user' ? event.from : 'a rule')
    if (event.type === 'question_answered') this.#note(event.id, event.from)
    for (const { added } of this.#following) added([event])
    this.change()
  }

  /** The conversation is another one. */
  replace(): void {
    for (const { replaced } of this.#following) replaced()
    this.change()
  }

  #served(): { served: ServedQuestion; source: QuestionSource }[] {
    const { chat, judge, folder, home } = this.#options
    const { questions, forms, tasks, plan } = chat()
    if (judge === null) return []
    const waiting = { calls: questions, forms, plan, tasks, folder, home }
    const all = servedQuestions(waiting, judge).filter(({ served }) => !this.#shown.get(served.id)?.by)
    for (const { served, source } of all) {
      const raw = source.kind === 'call' ? source.call.id : source.kind === 'form' ? source.form.id : ''
      if (!this.#shown.has(served.id)) this.#shown.set(served.id, { raw, by: null })
    }
    for (const oldest of [...this.#shown.keys()].slice(0, -ANSWERED)) this.#shown.delete(oldest)
    return all
  }

  /** The first answer counts, and only to what was shown. */
  async #answer(
    { question: id, digest }: BackgroundOutsideCall<'answer_call'> | BackgroundOutsideCall<'answer_form'>,
    device: Device,
    carryOut: (source: QuestionSource) => OutsideReply,
  ): Promise<OutsideReply> {
    const found = this.#served().find(({ served }) => served.id === id)
    const by = this.#shown.get(id)?.by
    if (!found) return by ? no('answered', `It was answered by ${by}.`) : no('gone', 'This question waits no longer.')
    if (!isDigestOf(found.served, digest)) return no('changed', 'The question has changed: look at it again.')
    const { source } = found
    const raw = source.kind === 'call' ? source.call.id : source.kind === 'form' ? source.form.id : ''
    if (this.#options.ageOf(raw) < QUIET) return no('failed', 'The question has just come: look at it first.')
    const reply = carryOut(source)
    if (reply.ok) this.#shown.set(id, { raw, by: device.name })
    this.change()
    return reply
  }

  #answerCall(
    source: QuestionSource,
    { allow, words }: BackgroundOutsideCall<'answer_call'>,
    { name }: Device,
  ): OutsideReply {
    const { backend, origins } = this.#options
    const answer = source.kind === 'call' ? answerFromOutside(source.call, allow, words) : null
    if (source.kind !== 'call' || !answer) return no('forbidden', 'This answer is given at the terminal only.')
    origins.answered('call', source.call.id, name)
    backend.answerPermission(source.call.id, answer, 'user')
    return done('done')
  }

  #answerForm(source: QuestionSource, values: FormValues | null, { name }: Device): OutsideReply {
    const { backend, origins } = this.#options
    if (source.kind !== 'form') return GONE
    const problem = values === null ? null : formProblem(source.form.fields, values)
    if (problem !== null) return no('failed', problem)
    origins.answered('form', source.form.id, name)
    backend.answerQuestion(source.form.id, values, values === null ? 'declined' : 'given')
    return done('done')
  }

  /** Who has answered a question: a device, or somebody at a terminal. */
  #note(raw: string, by = 'the terminal'): void {
    for (const [id, shown] of this.#shown) if (shown.raw === raw && shown.by === null) this.#shown.set(id, { raw, by })
  }

  #say(how: 'say' | 'steer', id: string, text: string, device: Device): OutsideReply {
    const { queue } = this.#options
    const words = literalPrompt(text)
    if (words.trim() === '') return no('failed', 'There is nothing to send.')
    const entry: HeldEntry = {
      id: `${device.id} ${id}`.slice(0, 200),
      command: null,
      text: words,
      chips: [],
      before: [],
      from: device.name,
    }
    if (how === 'say') queue.add(entry, null, 'say')
    else queue.steer(entry, null)
    if (queue.entry(entry.id)) return done('queued')
    return done(how === 'steer' ? 'steered' : 'sent')
  }

  #withEntry(id: string, was: string, work: (entry: HeldEntry) => OutsideReply): OutsideReply {
    const entry = this.#options.queue.entry(id)
    if (!entry) return GONE
    return shownText(entry) === was ? work(entry) : no('changed', 'This prompt was changed: look at it again.')
  }
}

function shownText({ command, text }: HeldEntry): string {
  if (command === null) return text
  return text === '' ? `/${command}` : `/${command} ${text}`
}

function done(how: Extract<OutsideReply, { ok: true }>['how']): OutsideReply {
  return { ok: true, how }
}

function no(why: Extract<OutsideReply, { ok: false }>['why'], message: string): OutsideReply {
  return { ok: false, why, message }
}

function ofReply(reply: Reply): OutsideReply {
  return reply.ok ? done('done') : no('failed', reply.message)
}

const GONE = no('gone', 'This prompt does not wait any more.')
