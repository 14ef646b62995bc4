/** The calls of the tools that zotui runs for zot. */
import type { AgentEvent } from '../../../agent/event.ts'
import type { ToolRequest } from '../../../agent/permission.ts'
import { failure, type LocalTools, type ToolOutcome } from '../../../local-tools/tool.ts'
import { carryOut } from '../../tool-host/carry-out.ts'
import { STOPPED, TOO_LONG } from '../../tool-host/model-messages.ts'
import { untilAborted, type CallDecision } from '../../tool-host/questions.ts'
import { createRunningHere, type RunningHere } from '../../tool-host/running-here.ts'
import type { JudgedCalls } from './judged-calls.ts'
import { took } from '../../../text/format.ts'
import type { ZotEvent } from '../frame.ts'

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
  resultAfter: RunningCalls['resultAfter']
}

/** Characters of a command. No system starts a program with one as long, and parsing it would take a while. */
const LONGEST_COMMAND = 1_000_000
const CHANGED = 'The user changed this command before it ran. This is what ran instead.'

export function createCarrier({ calls, emit, now, watch, tools }: CarrierOptions): Carrier {
  const commands = createRunningHere()
  const running = createRunningCalls(now)
  const carrier: Carrier = {
    tools,
    commands,
    async carryOut(call, turn, onStart) {
      if ((call.command?.length ?? 0) > LONGEST_COMMAND) return failure(TOO_LONG)
      let ran = call.command
      const outcome = await carryOut(
        {
          tool: call.tool,
          arguments: call.arguments,
          signal: turn,
          request: preview => asPrepared(call, preview),
          decide: (request, withdrawn = turn) => decisionOf(request, withdrawn),
          begin({ callId, command }) {
            onStart()
            ran = command
            return running.begin(callId, command ?? '', turn)
          },
        },
        { tools: carrier.tools, commands, emit, now, watch },
      )
      return ran === undefined || ran === call.command ? outcome : withNote(outcome, ran)
    },
    resultAfter: result => running.resultAfter(result),
  }
  return carrier

  async function decisionOf(request: ToolRequest, withdrawn: AbortSignal): Promise<CallDecision> {
    const verdict = await calls.verdictOf(request)
    if (withdrawn.aborted) return { allowed: false, words: STOPPED, by: 'end' }
    const judged = calls.judged(request, verdict)
    if (judged.verdict === 'allow') return { allowed: true, ...(judged.box && { box: judged.box }) }
    if (judged.verdict === 'refuse') return { allowed: false, words: judged.words, by: 'rule' }
    return untilAborted(judged.question, withdrawn)
  }
}
/** The call with what is asked about: the diff of an edit, and every path that a call reads or writes, as it is named and as it is. */
function asPrepared(call: ToolRequest, { paths, diff }: { paths: readonly string[]; diff: string }): ToolRequest {
  if (call.kind === 'command') return call
  const all = [...new Set([...(call.paths ?? []), ...paths])]
  return call.kind === 'edit' ? { ...call, paths: all, diff } : { ...call, paths: all }
}

/** Says to the model, after the command, that it is another one. */
function withNote(outcome: ToolOutcome, command: string): ToolOutcome {
  const line = `$ ${command}\n`
  const content = outcome.content.map(part =>
    part.type === 'text' && part.text.startsWith(line)
      ? { ...part, text: `${line}\n${CHANGED}\n${part.text.slice(line.length)}` }
      : part,
  )
  return { ...outcome, content }
}

export type ToolResult = Extract<ZotEvent, { type: 'tool_result' }>

type RunningCall = {
  /** Aborted with its turn, and when zot does not wait for the call any more. */
  readonly signal: AbortSignal
  /** A further piece of its output. */
  onProgress(text: string): void
  end(): void
}

/** The calls that run here while zot waits for them, so that an abort loses nothing of what the user has seen. */
type RunningCalls = {
  begin(callId: string | null, command: string, turn: AbortSignal): RunningCall
  /** The result to show for a result of zot. If the call still runs, zot waits no longer: the call is ended, and its output replaces zot's own words. */
  resultAfter(result: ToolResult): ToolResult
}

type OutputOfCall = { command: string; since: number; output: string; controller: AbortController }

/** Characters of the output that stay, as of any result. */
const MOST_OUTPUT = 50 * 1024

function createRunningCalls(now: () => number): RunningCalls {
  const running = new Map<string, OutputOfCall>()

  return {
    begin(callId, command, turn) {
      const call: OutputOfCall = { command, since: now(), output: '', controller: new AbortController() }
      const id = callId ?? ''
      if (id !== '') running.set(id, call)
      // `AbortSignal.any` takes longer than reading a file.
      const stop = (): void => call.controller.abort()
      turn.addEventListener('abort', stop)
      if (turn.aborted) stop()
      return {
        signal: call.controller.signal,
        onProgress: text => void (call.output = (call.output + text).slice(0, MOST_OUTPUT)),
        end() {
          turn.removeEventListener('abort', stop)
          if (running.get(id) === call) running.delete(id)
        },
      }
    },
    resultAfter(result) {
      const call = running.get(result.id)
      if (!call) return result
      running.delete(result.id)
      call.controller.abort()
      const { command, output, since } = call
      if (command === '') return result
      const text = `$ ${command}\n\n${output}${output === '' || output.endsWith('\n') ? '' : '\n'}\n[exit -1]  Took ${took(now() - since)}`
      return { ...result, is_error: true, content: [{ type: 'text', text }] }
    },
  }
}
