/** Carries out a call of a tool that runs here: only once it is allowed, and an edit only on the file that was shown. */
import type { AgentEvent } from '../../agent/event.ts'
import type { ToolRequest } from '../../agent/permission.ts'
import { failure, type LocalTools, type ToolOutcome } from '../../local-tools/tool.ts'
import { STOPPED } from './model-messages.ts'
import { withCommand, type CallDecision } from './questions.ts'
import { heldBySandbox, type RunsCall } from './held-by-sandbox.ts'
import type { RunningHere } from './running-here.ts'
import { writtenFile } from './written-file.ts'

/** What a call would do. */
export type CallPreview = Extract<Awaited<ReturnType<LocalTools['preview']>>, { ok: true }>

export type LocalCall = {
  tool: string
  arguments: unknown
  /** Aborted when the call is not needed any more. */
  signal: AbortSignal
  /** The call as it is asked about. */
  request: (preview: CallPreview) => ToolRequest
  /** `withdrawn` takes the question back; by default that is `signal`. */
  decide: (request: ToolRequest, withdrawn?: AbortSignal) => Promise<CallDecision>
  /** It begins. Returns what stops it, and what follows it. */
  begin: (request: ToolRequest) => { signal: AbortSignal; onProgress?: (text: string) => void; end?: () => void }
}

export type LocalCallOptions = {
  tools: LocalTools
  commands: RunningHere
  emit: (event: AgentEvent) => void
  now: () => number
  /** Makes sure that no command outlives zotui: called with the leader of its session, and what it returns when that has ended. */
  watch?: ((leader: number) => () => void) | undefined
}

const whereOf = { reading: 'reading', writing: 'sandbox' } as const

/** Never rejects. */
export async function carryOut(
  call: LocalCall,
  { tools, commands, emit, now, watch }: LocalCallOptions,
): Promise<ToolOutcome> {
  const preview = await tools.preview(call.tool, call.arguments)
  if (call.signal.aborted) return failure(STOPPED)
  if (!preview.ok) return preview.outcome
  const asked = call.request(preview)
  const decision = await call.decide(asked)
  if (!decision.allowed) return failure(decision.words)
  if (call.signal.aborted) return failure(STOPPED)
  const request = withCommand(asked, decision.command)
  const { callId, command = '' } = request
  const running = call.begin(request)
  const run: RunsCall = ({ box, openBox }) =>
    tools.run(request.tool, request.arguments, {
      expected: preview.state,
      paths: preview.paths,
      box,
      openBox,
      mayLeaveFolder: true,
      signal: running.signal,
      onProgress(text) {
        running.onProgress?.(text)
        if (callId !== null) emit({ type: 'tool_progressed', at: now(), id: callId, text })
      },
      onUnboxed: message => emit({ type: 'warning_raised', at: now(), message }),
      onBoxed(kind) {
        if (callId !== null) emit({ type: 'call_held', at: now(), id: callId, where: whereOf[kind] })
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
  const outcome = await heldBySandbox(run, {
    sandbox: tools.sandbox,
    request,
    box: decision.box,
    isLetOut: decision.outside === true,
    decide: call.decide,
    signal: running.signal,
    onOutside() {
      if (callId !== null) emit({ type: 'call_held', at: now(), id: callId, where: 'outside' })
    },
  })
  running.end?.()
  for (const event of writtenFile(asked, preview, outcome, now())) emit(event)
  return outcome
}
