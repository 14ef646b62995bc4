/** Carries out the calls of the tools that zotui runs for zot: prepares them, asks about them, and runs those that are allowed. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { GitSetting, ToolRequest } from '../../../agent/permission.ts'
import { failure, type FileState, type LocalTools, type ToolOutcome } from '../../../local-tools/tool.ts'
import { createRunningHere, type RunningHere } from '../../tool-host/running-here.ts'
import { STOPPED, TOO_LONG } from '../../tool-host/model-messages.ts'
import { withCommand, type CallDecision } from '../../tool-host/questions.ts'
import { writtenFile } from '../../tool-host/written-file.ts'
import type { JudgedCalls } from './judged-calls.ts'
import { createRunningCalls, type RunningCalls } from './running-calls.ts'

export type CarrierOptions = {
  tools: LocalTools
  calls: JudgedCalls
  emit: (event: AgentEvent) => void
  now: () => number
  watch?: ((leader: number) => () => void) | undefined
}

export type Carrier = {
  /** The tools of zot's folder. */
  tools: LocalTools
  /** The commands that run, and what earlier ones left in the background. */
  readonly commands: RunningHere
  /** `onStart` is called when an allowed call begins. Never rejects. */
  carryOut(call: ToolRequest, turn: AbortSignal, onStart: () => void): Promise<ToolOutcome>
  givenUp: RunningCalls['givenUp']
}

/** The call, what its preview found, and the settings that its git needs. */
type PreparedCall = {
  request: ToolRequest
  paths: readonly string[]
  state: FileState | null
  git: readonly GitSetting[] | undefined
}

/** Characters of a command. No system starts a program with one as long, and parsing it would take a while. */
const LONGEST_COMMAND = 1_000_000
const CHANGED = 'The user changed this command before it ran. This is what ran instead.'

export function createCarrier({ calls, emit, now, watch, tools }: CarrierOptions): Carrier {
  const commands = createRunningHere()
  const running = createRunningCalls(now)
  const carrier: Carrier = { tools, commands, carryOut, givenUp: result => running.givenUp(result) }
  return carrier

  async function carryOut(call: ToolRequest, turn: AbortSignal, onStart: () => void): Promise<ToolOutcome> {
    if ((call.command?.length ?? 0) > LONGEST_COMMAND) return failure(TOO_LONG)
    const preview = await carrier.tools.preview(call.tool, call.arguments)
    if (turn.aborted) return failure(STOPPED)
    if (!preview.ok) return preview.outcome
    const { paths, state } = preview
    const request = asPrepared(call, preview)
    const decision = await decisionOf(request, turn)
    if (!decision.allowed) return failure(decision.words)
    onStart()
    const { command, git } = decision
    const outcome = await run({ request: withCommand(request, command), paths, state, git }, turn)
    for (const event of writtenFile(request, preview, outcome, now())) emit(event)
    return command === undefined || command === request.command ? outcome : withNote(outcome, command)
  }

  async function decisionOf(request: ToolRequest, turn: AbortSignal): Promise<CallDecision> {
    const verdict = await calls.verdictOf(request)
    if (turn.aborted) return { allowed: false, words: STOPPED }
    const judged = calls.judged(request, verdict)
    if (judged.verdict === 'allow') return { allowed: true, ...(judged.git && { git: judged.git }) }
    if (judged.verdict === 'refuse') return { allowed: false, words: judged.words }
    return new Promise(decide => judged.question.decided(decide))
  }

  async function run({ request, paths, state, git }: PreparedCall, turn: AbortSignal): Promise<ToolOutcome> {
    const { callId, command = '' } = request
    const call = running.begin(callId, command, turn)
    const outcome = await carrier.tools.run(request.tool, request.arguments, {
      expected: state,
      paths,
      git,
      mayLeaveFolder: true,
      signal: call.signal,
      onProgress(text) {
        call.heard(text)
        if (callId !== null) emit({ type: 'tool_progressed', at: now(), id: callId, text })
      },
      watch(leader) {
        const unwatch = watch?.(leader)
        const ended = commands.began(leader, callId ?? '', command)
        return () => {
          ended()
          unwatch?.()
        }
      },
    })
    call.end()
    return outcome
  }
}

/** The call with what is asked about: the diff of an edit, and every path that a call reads or writes, as it is named and as it is. */
function asPrepared(call: ToolRequest, { paths, diff }: { paths: readonly string[]; diff: string }): ToolRequest {
  if (call.kind === 'command') return call
  const all = [...new Set([...(call.paths ?? []), ...paths])]
  return call.kind === 'edit' ? { ...call, paths: all, diff } : { ...call, paths: all }
}

/** Tells the model, after the command, that it is another one. */
function withNote(outcome: ToolOutcome, command: string): ToolOutcome {
  const line = `$ ${command}\n`
  const content = outcome.content.map(part =>
    part.type === 'text' && part.text.startsWith(line)
      ? { ...part, text: `${line}\n${CHANGED}\n${part.text.slice(line.length)}` }
      : part,
  )
  return { ...outcome, content }
}
