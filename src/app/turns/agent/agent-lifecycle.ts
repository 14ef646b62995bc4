/**
 * Starts and restarts the agent. A fresh zot knows nothing (docs/zot-protocol.md, 26): the conversation goes with its
 * first prompt. An agent with sessions of its own resumes the conversation's.
 */
import type { Memory, OwnSession, Reply, SessionCut, StartOptions } from '../../../agent/backend.ts'
import type { EventOf } from '../../../agent/event.ts'
import { memoryFor } from '../../../conversation/queries/session/digest.ts'
import { ownSession } from '../../../conversation/queries/session/own-session.ts'
import { hasTakenPrompts } from '../../../conversation/queries/session/session-entries.ts'
import { sentence } from '../../../text/sentence.ts'
import { modelTitle } from '../../../conversation/queries/model-title.ts'
import type { AppContext } from '../../context/context.ts'
import type { EventBatcher } from '../../events/batcher.ts'
import { hostOf } from '../../../text/host.ts'
import { createLogin, createLogout, type Login } from './login.ts'
import { memoryText } from './memory-text.ts'
import type { AskToShare } from './sharing.ts'

export type AgentLifecycle = {
  /** Resolves when the agent is ready or has failed to start. */
  open: () => Promise<void>
  /** Ends the idle agent. `open` starts one again. */
  rest: () => Promise<void>
  /** Kills the agent and starts a fresh one. Announces what it remembers. */
  killAndStart: () => Promise<void>
  /**
   * Starts a fresh agent, perhaps with other options. The current one is ended once the fresh one has answered;
   * otherwise nothing changes.
   */
  exchange: (options?: StartOptions) => Promise<void>
  /**
   * Lets the agent continue in a copy of its own session, or in the part of it up to a prompt. Restarts an agent that
   * has no session or cannot truncate it. `onTaken` replaces this conversation, before the notice of what the agent
   * remembers; it is not called if nothing changed.
   */
  copy: (onTaken: () => void, cut?: SessionCut) => Promise<void>
  /** Replaces the agent with another one, by its name or command line. */
  switchTo: (words: string) => Promise<void>
  /** Lets the agent continue in its own session of the conversation: now, or at its next start. */
  resume: (session: OwnSession | undefined) => Promise<void>
  login: Login
  logOut: () => Promise<void>
  /** True if it is being started or ended. */
  isChanging: () => boolean
  /** Resolves when no start or end is in progress. */
  settled: () => Promise<unknown>
  /** True if it is being replaced by another. */
  isExchanged: () => boolean
  /** The digest that goes with the next prompt; undefined if the agent knows the whole conversation. */
  memory: () => Memory | undefined
  /** Halves the digest; false if there is none. */
  shortenMemory: () => boolean
  /** One line on how much of the conversation the agent will get; empty if it has all of it. */
  memoryLine: () => string
  /** Asks whether the agent may have the results of tools that another provider got, if its digest would lack them. */
  askToShare: () => void
}

export function createAgentLifecycle(
  context: AppContext,
  batcher: EventBatcher,
  askToShare: AskToShare = () => undefined,
): AgentLifecycle {
  const { backend, state, dispatch, announce, hint } = context
  let changing: Promise<void> | null = null
  let exchanging = false
  /** The share of `memoryTokens` that the digest may use. */
  let share = 1
  /** The session for the next start, if it is not simply the agent's own. */
  let wished: OwnSession | undefined
  let opened: EventOf<'agent_session_opened'> | undefined
  batcher.subscribe(events => {
    for (const event of events) {
      if (event.type === 'agent_starting') opened = undefined
      // The start has used it.
      if (event.type === 'agent_started' || event.type === 'agent_session_opened') wished = undefined
      if (event.type === 'agent_session_opened') opened = event
    }
  })

  const login = createLogin(context, () => alone(() => exchange()))

  return {
    open: () => alone(openFirst),
    rest: () => alone(() => backend.close()),
    killAndStart: () => alone(killAndStart),
    exchange: options => alone(() => exchange(options)),
    copy: (onTaken, cut) => inTurn(() => copy(onTaken, cut)),
    switchTo: words => alone(() => switchTo(words)),
    resume: session =>
      inTurn(async () => {
        wished = session
        if (isReady()) await resume()
      }),
    login,
    logOut: createLogout(context, login, () => alone(() => endAndOpen('close'))),
    isChanging: () => changing !== null,
    settled: () => Promise.allSettled([changing]),
    isExchanged: () => exchanging,
    memory,
    shortenMemory() {
      if (!memory()) return false
      share /= 2
      return true
    },
    memoryLine,
    askToShare: askForResults,
  }

  /** One change at a time: a second request gets the result of the first. */
  function alone(change: () => Promise<void>): Promise<void> {
    if (changing) return changing
    // Set before it begins, since events may arrive at once.
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    changing = promise
    change()
      .finally(() => {
        changing = null
      })
      .then(resolve, reject)
    return promise
  }

  /** A change with its own result, after earlier ones. */
  async function inTurn(change: () => Promise<void>): Promise<void> {
    if (!changing) return alone(change)
    await Promise.allSettled([changing])
    return inTurn(change)
  }

  async function openFirst(): Promise<void> {
    await open()
    if (isReady()) sayStarted('')
  }

  async function open(): Promise<void> {
    share = 1
    const started = backend.open(sessionOf(backend.name))
    void noteReading()
    await started
    batcher.flush()
  }

  async function resume(): Promise<void> {
    const session = sessionOf(backend.name)
    if (!session || !backend.abilities.has('resumeSession')) return
    hint(`Opening the session in ${backend.name}.`)
    const reply = await exchangingDuring(backend.resumeSession(session))
    batcher.flush()
    dispatch({ type: 'hinted', hint: null })
    if (!reply.ok) announce('error', `${backend.name} did not start another session: ${sentence(reply.message)}`, AGAIN)
  }

  /** The session to start an agent with, in which it remembers this conversation. */
  function sessionOf(agent: string): OwnSession | undefined {
    const own = ownSession(state().chat, agent)
    return agent === backend.name && hasTakenPrompts(state().chat) ? (wished ?? own) : own
  }

  async function exchangingDuring<Value>(change: Promise<Value>): Promise<Value> {
    exchanging = true
    try {
      return await change
    } finally {
      exchanging = false
    }
  }

  /** Reads the startup context while the agent starts. The header waits for it. */
  async function noteReading(): Promise<void> {
    if (!backend.abilities.has('reading')) return
    if (state().reading === null) dispatch({ type: 'reading_found', reading: 'awaited' })
    dispatch({ type: 'reading_found', reading: await backend.reading() })
  }

  /** Ends the agent and starts another one. Prompts that are sent meanwhile wait for it. */
  async function endAndOpen(how: 'close' | 'kill', onEnd?: () => void): Promise<void> {
    const ended = backend[how]().then(() => {
      batcher.flush()
      onEnd?.()
      return open()
    })
    await exchangingDuring(ended)
  }

  function isReady(): boolean {
    return state().chat.agent.phase === 'ready'
  }

  async function killAndStart(): Promise<void> {
    await endAndOpen('kill', () =>
      announce('warn', `${backend.name} was killed: commands that it started may still be running.`),
    )
    if (isReady()) sayStarted(startedText({}, address()))
  }

  async function exchange(options: StartOptions = {}, onTaken?: () => void): Promise<void> {
    // The agent may have ended a moment ago.
    batcher.flush()
    if (!isReady() || !backend.abilities.has('replace')) {
      onTaken?.()
      return startWith(options)
    }
    sayStarting(options.model ?? backend.name)
    const before = address()
    if (!(await takenOver(backend.replace(options, onTaken ? undefined : sessionOf(backend.name))))) return
    void noteReading()
    onTaken?.()
    sayStarted(startedText(options, before))
  }

  async function copy(onTaken: () => void, cut?: SessionCut): Promise<void> {
    batcher.flush()
    const session = isReady() ? ownSession(state().chat, backend.name) : undefined
    const canCut = !cut || (cut.kept > 0 && backend.abilities.has('cutSessions'))
    if (!session || !backend.abilities.has('resumeSession') || !canCut) return exchange({}, onTaken)
    onTaken()
    wished = { ...session, copy: true, ...(cut && { cut }) }
    await resume()
    sayStarted('')
  }

  async function switchTo(words: string): Promise<void> {
    if (!context.agents) return
    batcher.flush()
    if (!(await takenOver(context.agents.use(words, sayStartingIn)))) return
    dispatch({ type: 'reading_found', reading: null })
    void noteReading()
    sayStarted(`Switched to ${backend.name}.`)
  }

  function sayStartingIn(name: string): OwnSession | undefined {
    sayStarting(name)
    return sessionOf(name)
  }

  function sayStarting(name: string): void {
    hint(`Starting ${name}: it takes over as soon as it answers.`)
  }

  /** Waits for a fresh agent. Says why if it does not take over. */
  async function takenOver(replaced: Promise<Reply>): Promise<boolean> {
    const wasReady = isReady()
    const reply = await exchangingDuring(replaced)
    share = reply.ok ? 1 : share
    batcher.flush()
    dispatch({ type: 'hinted', hint: null })
    if (reply.ok) return true
    // The fresh one took over and then ended, which is reported already.
    if (wasReady && !isReady()) return false
    const { chat } = state()
    const former = chat.agent.provider === '' ? backend.name : modelTitle(chat)
    const rest = isReady() ? `${former} is still running; nothing was lost.` : ''
    announce('error', `Nothing was changed: ${sentence(reply.message)}`, rest)
    return false
  }

  /** Starts an agent if none runs. */
  async function startWith(options: StartOptions): Promise<void> {
    const before = address()
    const former = backend.startWith(options)
    const isLost = backend.holder?.isLost() ?? false
    await endAndOpen('close')
    if (isReady()) return isLost ? announce('info', 'Resumed.') : sayStarted(startedText(options, before))
    // The next start does not use options that have failed.
    if (Object.keys(options).length > 0) backend.startWith(former)
  }

  function startedText(options: StartOptions, before: string): string {
    const isOther = options.provider !== undefined || options.model !== undefined
    const started = isOther ? `Switched to ${modelTitle(state().chat)}.` : `Restarted ${backend.name}.`
    return [started, addressWords(before, options.provider !== undefined)].filter(part => part !== '').join(' ')
  }

  /** The address of the model's server that was set; '' for the provider's own. */
  function address(): string {
    return backend.startOptions().baseUrl ?? ''
  }

  /** The words about the server that prompts go to, where one may expect another. */
  function addressWords(before: string, isOtherProvider: boolean): string {
    const now = address()
    if (now === before) return now !== '' && isOtherProvider ? `Prompts still go to ${hostOf(now)}.` : ''
    return now === '' ? "Prompts go to the provider's own server now." : `Prompts go to ${hostOf(now)} now.`
  }

  function sayStarted(words: string): void {
    const said = [words, memoryLine()].filter(part => part !== '').join(' ')
    if (said !== '') announce('info', said)
    askForResults()
  }

  function askForResults(): void {
    askToShare(() => announce('info', memoryLine()))
  }

  function memoryLine(): string {
    if (state().chat.memory !== 'none') return opened?.remembers ? `${backend.name} remembers all of it.` : ''
    const { problem } = opened ?? {}
    const unopened = problem === undefined ? '' : `${backend.name} did not open its own session: ${sentence(problem)} `
    return unopened + memoryText(memory()?.facts ?? null, state().chat)
  }

  function memory(): Memory | undefined {
    return memoryFor(state().chat, context.settings.values().memoryTokens, share)
  }
}

const AGAIN = 'It may still remember the previous conversation: /restart starts a fresh one.'
