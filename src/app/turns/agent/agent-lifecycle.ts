/**
 * Starts, ends and replaces the agent. A fresh zot knows nothing (docs/zot-protocol.md, 26): the conversation goes with its
 * first prompt. An agent with sessions of its own resumes the conversation's. The machine lets one change take place at a time.
 */
import type { OwnSession, Reply, SessionCut, StartOptions } from '../../../agent/backend.ts'
import { ownSession } from '../../../conversation/queries/session/own-session.ts'
import { hasTakenPrompts } from '../../../conversation/queries/session/session-entries.ts'
import { sentence } from '../../../text/sentence.ts'
import { modelTitle } from '../../../conversation/queries/model-title.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import { hostOf } from '../../../text/host.ts'
import type { MachineKeeper } from '../turn-machine.ts'
import type { AgentMemory } from './agent-memory.ts'
import { passFolders } from './opened-folders.ts'
import { createLogin, createLogout, type Login } from './login.ts'
import type { AskToShare } from './sharing.ts'

export type LifecycleParts = {
  context: AppContext
  batcher: Pick<EventBatcher, 'flush'>
  machine: MachineKeeper
  memory: AgentMemory
  /** Asks whether the agent may have the results of tools that another provider got, if its digest would lack them. */
  askToShare: AskToShare
}

export class AgentLifecycle {
  readonly #parts: LifecycleParts
  readonly login: Login
  readonly logOut: () => Promise<void>

  constructor(parts: LifecycleParts) {
    this.#parts = parts
    const { context } = parts
    this.login = createLogin(context, () => this.exchange())
    this.logOut = createLogout(context, () => this.reopen())
  }

  /** Ends the agent and starts it again, because the login has changed. */
  reopen(): Promise<void> {
    return this.#parts.machine.change({ kind: 'reopen' }, () => this.#endAndOpen('close'))
  }

  /** Resolves when the agent is ready or has failed to start. */
  open(): Promise<void> {
    return this.#parts.machine.change({ kind: 'open' }, async () => {
      await this.#open()
      if (this.#isReady()) this.#sayStarted('')
    })
  }

  /** Ends the idle agent. `open` starts one again. */
  suspend(): Promise<void> {
    const { machine, context } = this.#parts
    return machine.change({ kind: 'suspend' }, () => context.backend.close())
  }

  /** Kills the agent and starts a fresh one. Announces what it remembers. Holds the queue. */
  killAndRestart(): Promise<void> {
    return this.#parts.machine.change({ kind: 'kill' }, () => this.#killAndStart(), true)
  }

  /**
   * Starts a fresh agent, perhaps with other options. The current one is ended once the fresh one has answered;
   * otherwise nothing changes.
   */
  exchange(options: StartOptions = {}): Promise<void> {
    return this.#parts.machine.change({ kind: 'exchange', options }, () => this.#exchange(options))
  }

  /** Does the same and holds the queue, which was meant for the agent that is replaced. */
  restart(options: StartOptions = {}): Promise<void> {
    return this.#parts.machine.change({ kind: 'exchange', options }, () => this.#exchange(options), true)
  }

  /**
   * Lets the agent continue in a copy of its own session, or in the part of it up to a prompt. Restarts an agent that
   * has no session or cannot truncate it. `onTaken` replaces this conversation, before the notice of what the agent
   * remembers; it is not called if nothing changed. Holds the queue.
   */
  copy(onTaken: () => void, cut?: SessionCut): Promise<void> {
    return this.#parts.machine.change({ kind: 'copy', cut }, () => this.#copy(onTaken, cut), true)
  }

  /** Replaces the agent with another one, by its name or command line. Holds the queue. */
  switchTo(words: string): Promise<void> {
    return this.#parts.machine.change({ kind: 'switch', words }, () => this.#switchTo(words), true)
  }

  /** Lets the agent continue in its own session of the conversation: now, or at its next start. */
  resume(session: OwnSession | undefined): Promise<void> {
    return this.#parts.machine.change({ kind: 'resume', session }, async () => {
      if (!this.#isReady()) return
      await this.#resume()
      await passFolders(this.#parts.context)
    })
  }

  askToShare(): void {
    const { context, memory, askToShare } = this.#parts
    askToShare(() => context.addNotice('info', memory.line()))
  }

  async #open(): Promise<void> {
    const { context, batcher, memory } = this.#parts
    memory.beginAgain()
    const passed = passFolders(context)
    if (context.state().chat.folders.length > 0) await passed
    const started = context.backend.open(this.#sessionOf(context.backend.name))
    void this.#noteReading()
    await started
    batcher.flush()
  }

  async #resume(): Promise<void> {
    const { backend, hint, dispatch, addNotice } = this.#parts.context
    const session = this.#sessionOf(backend.name)
    if (!session || !backend.abilities.has('resumeSession')) return
    hint(`Opening the session in ${backend.name}.`)
    const reply = await backend.resumeSession(session)
    this.#parts.batcher.flush()
    dispatch({ type: 'hinted', hint: null })
    if (!reply.ok)
      addNotice('error', `${backend.name} did not start another session: ${sentence(reply.message)}`, AGAIN)
  }

  /** The session to start an agent with, in which it remembers this conversation. */
  #sessionOf(agent: string): OwnSession | undefined {
    const { context, machine } = this.#parts
    const { chat } = context.state()
    const own = ownSession(chat, agent)
    return agent === context.backend.name && hasTakenPrompts(chat) ? (machine.session() ?? own) : own
  }

  /** Reads the startup context while the agent starts. The header waits for it. */
  async #noteReading(): Promise<void> {
    const { backend, state, dispatch } = this.#parts.context
    if (!backend.abilities.has('reading')) return
    if (state().reading === null) dispatch({ type: 'reading_found', reading: 'awaited' })
    dispatch({ type: 'reading_found', reading: await backend.reading() })
  }

  /** Ends the agent and starts another one. */
  async #endAndOpen(how: 'close' | 'kill', onEnd?: () => void): Promise<void> {
    await this.#parts.context.backend[how]()
    this.#parts.batcher.flush()
    onEnd?.()
    await this.#open()
  }

  #isReady(): boolean {
    return this.#parts.context.state().chat.agent.phase === 'ready'
  }

  async #killAndStart(): Promise<void> {
    const { backend, addNotice } = this.#parts.context
    await this.#endAndOpen('kill', () =>
      addNotice('warn', `${backend.name} was killed: commands that it started may still be running.`),
    )
    if (this.#isReady()) this.#sayStarted(this.#startedText({}, this.#address()))
  }

  async #exchange(options: StartOptions, onTaken?: () => void): Promise<void> {
    const { batcher } = this.#parts
    const { backend } = this.#parts.context
    // The agent may have ended a moment ago.
    batcher.flush()
    if (!this.#isReady() || !backend.abilities.has('replace')) {
      onTaken?.()
      return this.#startWith(options)
    }
    this.#sayStarting(options.model ?? backend.name)
    const before = this.#address()
    const session = onTaken ? undefined : this.#sessionOf(backend.name)
    if (!(await this.#takenOver(backend.replace(options, session)))) return
    void this.#noteReading()
    onTaken?.()
    this.#sayStarted(this.#startedText(options, before))
  }

  async #copy(onTaken: () => void, cut?: SessionCut): Promise<void> {
    const { batcher, machine } = this.#parts
    const { backend, state } = this.#parts.context
    batcher.flush()
    const session = this.#isReady() ? ownSession(state().chat, backend.name) : undefined
    const canCut = !cut || (cut.kept > 0 && backend.abilities.has('cutSessions'))
    if (!session || !backend.abilities.has('resumeSession') || !canCut) return this.#exchange({}, onTaken)
    onTaken()
    machine.send({ type: 'session_requested', session: { ...session, copy: true, ...(cut && { cut }) } })
    await this.#resume()
    this.#sayStarted('')
  }

  async #switchTo(words: string): Promise<void> {
    const { agents, backend, dispatch } = this.#parts.context
    if (!agents) return
    this.#parts.batcher.flush()
    const startingIn = (name: string): OwnSession | undefined => {
      this.#sayStarting(name)
      return this.#sessionOf(name)
    }
    if (!(await this.#takenOver(agents.use(words, startingIn)))) return
    dispatch({ type: 'reading_found', reading: null })
    void this.#noteReading()
    this.#sayStarted(`Switched to ${backend.name}.`)
  }

  #sayStarting(name: string): void {
    this.#parts.context.hint(`Starting ${name}: it takes over as soon as it answers.`)
  }

  /** Waits for a fresh agent. Says why if it does not take over. */
  async #takenOver(replaced: Promise<Reply>): Promise<boolean> {
    const { batcher, memory } = this.#parts
    const { backend, state, dispatch, addNotice } = this.#parts.context
    const wasReady = this.#isReady()
    const reply = await replaced
    if (reply.ok) memory.beginAgain()
    batcher.flush()
    dispatch({ type: 'hinted', hint: null })
    if (reply.ok) return true
    // The fresh one took over and then ended, which is reported already.
    if (wasReady && !this.#isReady()) return false
    const { chat } = state()
    const former = chat.agent.provider === '' ? backend.name : modelTitle(chat)
    const suspend = this.#isReady() ? `${former} is still running; nothing was lost.` : ''
    addNotice('error', `Nothing was changed: ${sentence(reply.message)}`, suspend)
    return false
  }

  /** Starts an agent if none runs. */
  async #startWith(options: StartOptions): Promise<void> {
    const { backend, addNotice } = this.#parts.context
    const before = this.#address()
    const former = backend.startWith(options)
    const isLost = backend.holder?.isLost() ?? false
    await this.#endAndOpen('close')
    if (this.#isReady())
      return isLost ? addNotice('info', 'Resumed.') : this.#sayStarted(this.#startedText(options, before))
    // The next start does not use options that have failed.
    if (Object.keys(options).length > 0) backend.startWith(former)
  }

  #startedText(options: StartOptions, before: string): string {
    const { backend, state } = this.#parts.context
    const isOther = options.provider !== undefined || options.model !== undefined
    const started = isOther ? `Switched to ${modelTitle(state().chat)}.` : `Restarted ${backend.name}.`
    const address = addressWords(this.#address(), before, options.provider !== undefined)
    return [started, address].filter(part => part !== '').join(' ')
  }

  /** The address of the model's server that was set; '' for the provider's own. */
  #address(): string {
    return this.#parts.context.backend.startOptions().baseUrl ?? ''
  }

  #sayStarted(words: string): void {
    const said = [words, this.#parts.memory.line()].filter(part => part !== '').join(' ')
    if (said !== '') this.#parts.context.addNotice('info', said)
    this.askToShare()
  }
}

/** The words about the server that prompts go to, where one may expect another. */
function addressWords(now: string, before: string, isOtherProvider: boolean): string {
  if (now === before) return now !== '' && isOtherProvider ? `Prompts still go to ${hostOf(now)}.` : ''
  return now === '' ? "Prompts go to the provider's own server now." : `Prompts go to ${hostOf(now)} now.`
}

const AGAIN = 'It may still remember the previous conversation: /restart starts a fresh one.'
