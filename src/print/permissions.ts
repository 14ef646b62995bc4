/** Permissions where nobody can be asked: a program answers, or the call is refused. Any error refuses it, too. */
import type { Backend, ModeChoice } from '../agent/backend.ts'
import type { AgentEvent, EventOf } from '../agent/event.ts'
import type { ToolKind, ToolRequest, Verdict } from '../agent/permission.ts'
import { callInBrief } from '../conversation/calls/call-in-brief.ts'
import type { CallJudge } from '../app/permissions/judge.ts'
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
  /** The ways to allow such calls the next time. */
  howToAllow: () => string
}

/** The part that a run without a user needs, wherever it runs. */
export type RunPermissions = Omit<PrintPermissions, 'howToAllow'>

const HOW_TO_ALLOW =
  '-p cannot ask. To allow such calls, use --permissions edits or allow, or a rule of the setting allow; `zotui permissions test "COMMAND"` tries it.'

const NOBODY =
  'Refused: the user would have to be asked about this, and cannot be asked in this run. Nothing was run or changed. ' +
  'Do not try to do the same in another way. Continue without it if you can, and say at the end what was refused.'
const NO_ANSWER = 'Refused: the program that decides about calls gave no valid answer. Nothing was run or changed.'
const ALLOWED: ProgramAnswer = { ok: true, answer: { answer: 'allow' } }
const BY_PROGRAM = 'Refused by the program that decides about calls. Nothing was run or changed.'

export function createPrintPermissions(options: PrintPermissionOptions): PrintPermissions {
  const { start, isNamed, judge, askProgram, hooksDecide, onRefused } = options
  const { mode } = start
  let backend: Backend | null = null
  /** The kinds of the requests that were refused because nobody allowed them, by their ids. */
  const refused = new Map<string, ToolKind>()
  /** The undecided questions, with the controllers that end their programs. */
  const open = new Map<string, AbortController>()
  /** The questions that the program has answered. */
  const answered = new Set<string>()
  let queue: Promise<void> = Promise.resolve()
  return { begin, heed, end, unaskedWarning, hasRefused: () => refused.size > 0, howToAllow }

  async function begin(agent: Backend): Promise<void> {
    backend = agent
    if (!agent.abilities.has('judgeWith')) return
    await judge.load()
    agent.judgeWith(decide)
    agent.setPermissionMode(mode)
    agent.startIn(start)
  }

  function unaskedWarning(): { words: string; isWarning: boolean } | null {
    const unasked = backend?.unasked() ?? null
    return unasked && { words: unasked.words, isWarning: isNamed && !unasked.isKnown }
  }

  /** The way depends on the agent: one that asks by itself reports too little for a rule to allow its calls. */
  function howToAllow(): string {
    if (!backend?.abilities.has('startIn')) return HOW_TO_ALLOW
    const { name } = backend
    const isOfEdits = [...refused.values()].every(kind => kind === 'edit')
    const helps = isOfEdits && mode !== 'edits' && backend.unasked()?.isKnown !== false
    const edits = helps ? '--permissions edits to let it change files, ' : ''
    return (
      `-p cannot ask. ${name} asks by its own rules, so allow rules of zotui do not count. ` +
      `Use ${edits}--permissions allow to let it do everything, or a program that answers: --permission-tool "COMMAND".`
    )
  }

  function decide(request: ToolRequest): Verdict | Promise<Verdict> {
    const verdict = judge.decide(request)
    return verdict instanceof Promise ? verdict.then(made => unasked(request, made)) : unasked(request, verdict)
  }

  /** Without anybody who answers, what would be asked is refused. */
  function unasked(request: ToolRequest, verdict: Verdict): Verdict {
    if (verdict.verdict !== 'ask' || askProgram || hooksDecide(request.tool)) return verdict
    refuse(request, `cannot ask: ${verdict.because}`)
    return { verdict: 'refuse', because: `cannot ask with -p: ${verdict.because}`, words: NOBODY }
  }

  function heed(event: AgentEvent): AgentEvent {
    if (event.type === 'permission_requested') ask(event)
    if (event.type !== 'permission_decided') return event
    open.get(event.id)?.abort()
    open.delete(event.id)
    return answered.delete(event.id) ? { ...event, by: askProgram ? 'program' : 'rule' } : event
  }

  function ask(call: UnansweredCall): void {
    const controller = new AbortController()
    open.set(call.id, controller)
    queue = queue.then(() => answer(call, controller.signal))
  }

  async function answer(call: UnansweredCall, signal: AbortSignal): Promise<void> {
    const reply = await answerOf(call, signal)
    // The turn has ended meanwhile.
    if (signal.aborted) return
    answered.add(call.id)
    if (!reply.ok) {
      refuse(call, askProgram ? `the program ${reply.problem}` : unaskable(call))
      return backend?.answerPermission(call.id, { answer: 'refuse', words: askProgram ? NO_ANSWER : NOBODY })
    }
    const { answer: decision } = reply
    if (decision.answer === 'refuse' || decision.answer === 'stop') refuse(call, 'the program said so')
    if (decision.answer === 'stop') for (const id of open.keys()) answered.add(id)
    const isWordless = decision.answer === 'refuse' && decision.words.trim() === ''
    backend?.answerPermission(call.id, isWordless ? { answer: 'refuse', words: BY_PROGRAM } : decision)
  }

  /** Never rejects. */
  async function answerOf(call: UnansweredCall, signal: AbortSignal): Promise<ProgramAnswer> {
    if (signal.aborted) return { ok: false, problem: 'was ended' }
    // A judge that fails makes the agent ask, even without a program.
    if (!askProgram) return isAllowed(call) ? ALLOWED : { ok: false, problem: 'is missing' }
    try {
      const output = await askProgram(`${JSON.stringify(questionOf(call))}\n`, signal)
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
  function isAllowed(call: UnansweredCall): boolean {
    return mode === 'allow' && call.options !== undefined && judge.judge(requestOf(call)).verdict === 'allow'
  }

  function questionOf(call: UnansweredCall): PermissionQuestion {
    const { because } = call
    return {
      version: 1,
      ...requestOf(call),
      paths: call.paths,
      because,
      dangers: [...dangersOf(call)],
      mode,
    }
  }

  function dangersOf(call: UnansweredCall): readonly string[] {
    return judge.dangers(requestOf(call))
  }

  function unaskable({ because }: UnansweredCall): string {
    return because === ''
      ? `${backend?.name ?? 'the agent'} asks about it, and nobody can answer`
      : `cannot ask: ${because}`
  }

  function refuse(call: ToolRequest | UnansweredCall, because: string): void {
    if (refused.has(call.id)) return
    refused.set(call.id, call.kind)
    onRefused(`refused ${callInBrief(call).replaceAll(/\s+/g, ' ')}: ${because}`)
  }

  /** Ends the program. The agent withdraws the open questions. */
  function end(): void {
    for (const controller of open.values()) controller.abort()
    open.clear()
  }
}

function requestOf({ type: _type, at: _at, because: _because, ...request }: UnansweredCall): ToolRequest {
  return request
}
