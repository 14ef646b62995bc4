/** Permissions where nobody can be asked: a program answers, or the call is refused. Any error refuses it, too. */
import type { Backend, ModeChoice } from '../agent/backend.ts'
import type { AgentEvent, EventOf } from '../agent/event.ts'
import type { BoxWant, ToolRequest, Verdict } from '../agent/permission.ts'
import type { CallJudge } from '../app/permissions/judge.ts'
import { RefusedCalls } from './refused-calls.ts'
import { readAnswer, type PermissionQuestion, type ProgramAnswer } from './permission-tool.ts'

/** Resolves to the program's output for a question, or to what went wrong, in words that follow "the program". */
export type AskProgram = (
  question: string,
  signal: AbortSignal,
) => Promise<{ ok: true; output: string } | { ok: false; problem: string }>

export type PrintPermissionOptions = {
  start: ModeChoice
  /** Whether the mode was named for this run: then it may be one that zotui cannot hold an unknown agent to. */
  isNamed: boolean
  judge: CallJudge
  /** Answers calls that need an answer, one after the other; null to refuse them. */
  askProgram: AskProgram | null
  /** True if hooks answer permission requests for this tool. */
  hooksDecide: (tool: string) => boolean
  /** Takes a line for each call that was refused although it might have been allowed. */
  onRefused: (line: string) => void
}

type UnansweredCall = EventOf<'permission_requested'>

export type PrintPermissions = {
  /** Loads the rules and passes the judge to the agent. Call it before the agent is opened. */
  begin: (backend: Backend) => Promise<void>
  /** Handles an event of the agent. Returns the event to publish. */
  heed: (event: AgentEvent) => AgentEvent
  /**
   * Why the agent might run things unasked; null if it does not. `words` begin a sentence. Unless it is only a warning, no prompt may be
   * sent.
   */
  unaskedWarning: () => { words: string; isWarning: boolean } | null
  /** Ends the running program, if there is one. */
  end: () => void
  /** True if a call was refused because nobody allowed it. */
  hasRefused: () => boolean
  /** The ways to allow such calls the next time; null if there is nothing to say beyond the lines about them. */
  howToAllow: () => string | null
}

/** The part that a run without a user needs, wherever it runs. */
export type RunPermissions = Omit<PrintPermissions, 'howToAllow'>

const NOBODY =
  'Refused: the user would have to be asked about this, and cannot be asked in this run. Nothing was run or changed. ' +
  'Do not try to do the same in another way. Continue without it if you can, and say at the end what was refused.'
/** Follows what was refused. */
const NOBODY_FOR_WANT =
  'the user would have to be asked about this, and cannot be asked in this run. ' +
  'Do not try to do the same in another way. Continue without it if you can, and say at the end what was refused.'
const NO_ANSWER_FOR_WANT = 'the program that decides gave no valid answer.'
const NO_ANSWER = 'Refused: the program that decides about calls gave no valid answer. Nothing was run or changed.'
const ALLOWED: ProgramAnswer = { ok: true, answer: { answer: 'allow' } }
const BY_PROGRAM = 'Refused by the program that decides about calls. Nothing was run or changed.'

export function createPrintPermissions(options: PrintPermissionOptions): PrintPermissions {
  const calls = new CallsWithoutUser(options)
  return {
    begin: backend => calls.begin(backend),
    heed: event => calls.heed(event),
    unaskedWarning: () => calls.unaskedWarning(),
    end: () => calls.end(),
    hasRefused: () => calls.refused.hasAny,
    howToAllow: () => calls.howToAllow(),
  }
}

class CallsWithoutUser {
  readonly refused: RefusedCalls
  readonly #options: PrintPermissionOptions
  #backend: Backend | null = null
  /** The undecided questions, with the controllers that end their programs. */
  readonly #open = new Map<string, AbortController>()
  /** The questions that the program has answered. */
  readonly #answered = new Set<string>()
  #queue: Promise<void> = Promise.resolve()

  constructor(options: PrintPermissionOptions) {
    this.#options = options
    this.refused = new RefusedCalls(options.onRefused)
  }

  async begin(agent: Backend): Promise<void> {
    const { judge, start } = this.#options
    this.#backend = agent
    if (!agent.abilities.has('judgeWith')) return
    await judge.load()
    agent.judgeWith(request => this.#decide(request))
    agent.setPermissionMode(start.mode)
    agent.startIn(start)
  }

  heed(event: AgentEvent): AgentEvent {
    if (event.type === 'permission_requested') this.#ask(event)
    if (event.type !== 'permission_decided') return event
    this.#open.get(event.id)?.abort()
    this.#open.delete(event.id)
    return this.#answered.delete(event.id) ? { ...event, by: this.#options.askProgram ? 'program' : 'rule' } : event
  }

  unaskedWarning(): { words: string; isWarning: boolean } | null {
    const unasked = this.#backend?.unasked() ?? null
    return unasked && { words: unasked.words, isWarning: this.#options.isNamed && !unasked.isKnown }
  }

  howToAllow(): string | null {
    return this.refused.howToAllow(this.#backend, this.#options.start.mode)
  }

  /** Ends the program. The agent withdraws the open questions. */
  end(): void {
    for (const controller of this.#open.values()) controller.abort()
    this.#open.clear()
  }

  #decide(request: ToolRequest): Verdict | Promise<Verdict> {
    const verdict = this.#options.judge.decide(request)
    return verdict instanceof Promise
      ? verdict.then(made => this.#unasked(request, made))
      : this.#unasked(request, verdict)
  }

  /** Without anybody who answers, what would be asked is refused. */
  #unasked(request: ToolRequest, verdict: Verdict): Verdict {
    const { askProgram, hooksDecide } = this.#options
    if (verdict.verdict !== 'ask' || askProgram) return verdict
    if (request.wants) {
      const because = wantRefused(request.wants)
      this.refused.add(request, because)
      return { verdict: 'refuse', because, words: NOBODY_FOR_WANT }
    }
    if (hooksDecide(request.tool) && !verdict.outside) return verdict
    if (verdict.outside) {
      const because = `the sandbox lets it out only if you say so, and -p cannot ask`
      this.refused.add({ ...request, outside: true }, because)
      return { verdict: 'refuse', because, words: NOBODY }
    }
    this.refused.add(request, `cannot ask: ${verdict.because}`)
    return { verdict: 'refuse', because: `cannot ask with -p: ${verdict.because}`, words: NOBODY }
  }

  #ask(call: UnansweredCall): void {
    const controller = new AbortController()
    this.#open.set(call.id, controller)
    this.#queue = this.#queue.then(() => this.#answer(call, controller.signal))
  }

  async #answer(call: UnansweredCall, signal: AbortSignal): Promise<void> {
    const { askProgram } = this.#options
    const reply = await this.#answerOf(call, signal)
    // The turn has ended meanwhile.
    if (signal.aborted) return
    this.#answered.add(call.id)
    if (!reply.ok) {
      this.refused.add(call, askProgram ? `the program ${reply.problem}` : this.#unaskable(call))
      return this.#backend?.answerPermission(call.id, { answer: 'refuse', words: noAnswer(call, askProgram !== null) })
    }
    const { answer: decision } = reply
    if (decision.answer === 'refuse' || decision.answer === 'stop') this.refused.add(call, 'the program said so')
    if (decision.answer === 'stop') for (const id of this.#open.keys()) this.#answered.add(id)
    const isWordless = decision.answer === 'refuse' && decision.words.trim() === '' && !call.wants
    this.#backend?.answerPermission(call.id, isWordless ? { answer: 'refuse', words: BY_PROGRAM } : decision)
  }

  /** Never rejects. */
  async #answerOf(call: UnansweredCall, signal: AbortSignal): Promise<ProgramAnswer> {
    const { askProgram, judge } = this.#options
    if (signal.aborted) return { ok: false, problem: 'was ended' }
    // A judge that fails makes the agent ask, even without a program.
    if (!askProgram) return this.#isAllowed(call) ? ALLOWED : { ok: false, problem: 'is missing' }
    try {
      const output = await askProgram(`${JSON.stringify(this.#questionOf(call))}\n`, signal)
      const reply = output.ok ? readAnswer(output.output, call) : output
      if (!reply.ok || reply.answer.answer !== 'allow_changed') return reply
      const verdict = judge.judge({ ...requestOf(call), command: reply.answer.command })
      return verdict.verdict === 'refuse'
        ? { ok: false, problem: `gave a command that is refused: ${verdict.because}` }
        : reply
    } catch {
      // No error may leave a call without an answer.
      return { ok: false, problem: 'could not be asked' }
    }
  }

  /** An agent with its own answers asks even in mode `allow`. It reports too little for a rule to allow its calls. */
  #isAllowed(call: UnansweredCall): boolean {
    const { judge, start } = this.#options
    return start.mode === 'allow' && call.options !== undefined && judge.judge(requestOf(call)).verdict === 'allow'
  }

  #questionOf(call: UnansweredCall): PermissionQuestion {
    const { judge, start } = this.#options
    const { because, paths } = call
    const dangers = [...judge.dangers(requestOf(call))]
    return {
      version: call.wants || call.outside ? 2 : 1,
      ...requestOf(call),
      ...(call.task !== undefined && { task: call.task }),
      paths,
      because,
      dangers,
      mode: start.mode,
    }
  }

  #unaskable({ because, wants }: UnansweredCall): string {
    if (wants) return wantRefused(wants)
    return because === ''
      ? `${this.#backend?.name ?? 'the agent'} asks about it, and nobody can answer`
      : `cannot ask: ${because}`
  }
}

function noAnswer({ wants }: UnansweredCall, hasProgram: boolean): string {
  if (wants) return hasProgram ? NO_ANSWER_FOR_WANT : NOBODY_FOR_WANT
  return hasProgram ? NO_ANSWER : NOBODY
}

/** With what would allow it the next time. */
function wantRefused(wants: BoxWant): string {
  switch (wants.kind) {
    case 'host':
      return 'the sandbox lets commands reach only the hosts of the setting sandboxHosts, and -p cannot ask'
    case 'outside':
      return 'the sandbox held it, and -p cannot ask; the settings sandboxWrite and sandboxHosts allow more'
    case 'left':
      return 'it can decide what runs later, and -p cannot ask; look at it with /sandbox'
  }
}

function requestOf({ type: _type, at: _at, because: _because, ...request }: UnansweredCall): ToolRequest {
  return request
}
