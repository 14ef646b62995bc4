/** Runs an allowed command in the sandbox, and asks the user about what it wants beyond that. */
import type { BoxKind, BoxWant, ToolRequest } from '../../agent/permission.ts'
import type { CommandSandbox, WantAnswer } from '../../local-tools/sandbox.ts'
import type { ToolOutcome, ToolRunOptions } from '../../local-tools/tool.ts'
import type { CallDecision } from './questions.ts'

/** Runs the call, in this box or of it. Never rejects. */
export type RunsCall = (held: Pick<ToolRunOptions, 'box' | 'openBox'>) => Promise<ToolOutcome>

export type HeldCall = {
  sandbox: CommandSandbox | null
  request: ToolRequest
  /** The box in which alone it was allowed. */
  box: BoxKind | undefined
  decide: (request: ToolRequest, withdrawn?: AbortSignal) => Promise<CallDecision>
  /** Stops the call. */
  signal: AbortSignal
  /** It now runs outside, since the user has said so. */
  onOutside: () => void
}

/** Never rejects. */
export async function heldBySandbox(run: RunsCall, call: HeldCall): Promise<ToolOutcome> {
  const { sandbox, request, box, signal } = call
  if (request.kind !== 'command') return run({ box, openBox: undefined })
  if (!sandbox || !(sandbox.isOn() || box?.kind === 'writing')) return run({ box, openBox: undefined })
  const wants = createWants(call)
  const inBox = (): Promise<ToolOutcome> =>
    run({ box, openBox: command => sandbox.open({ ...command, ask: wants.ask }) })
  let outcome = await inBox()
  while (outcome.refused && !signal.aborted) {
    const { hint, path } = outcome.refused
    const answer = await wants.ask({ kind: 'outside', hint, path }, signal)
    if (answer === 'no') return withNote(outcome, wants.refusal())
    if (answer === 'once' || path === null) {
      call.onOutside()
      return withNote(await run({ box: undefined, openBox: undefined }), RAN_OUTSIDE)
    }
    sandbox.allowWriting(path)
    outcome = await inBox()
  }
  return outcome
}

const RAN_OUTSIDE =
  '[sandbox] This command failed in the sandbox first. The user then let it run once outside of it, and this is the result of that.'
const KEPT =
  '[sandbox] The user was asked to run this command outside of the sandbox, and keeps this result. Do not try to reach the same by another way.'

function createWants({ request, decide }: HeldCall) {
  let count = 0
  let words = ''
  return {
    ask: async (want: BoxWant, withdrawn: AbortSignal): Promise<WantAnswer> => {
      count += 1
      const decision = await decide({ ...request, id: `${request.id}-${count}`, wants: want }, withdrawn)
      words = decision.allowed ? '' : decision.words
      return decision.allowed ? (decision.isForSession ? 'session' : 'once') : 'no'
    },
    /** For the model, after a no. */
    refusal: () => (words === '' ? KEPT : `${KEPT}\n${words}`),
  }
}

function withNote(outcome: ToolOutcome, note: string): ToolOutcome {
  const { refused: _refused, ...rest } = outcome
  return { ...rest, content: [...outcome.content, { type: 'text', text: note }] }
}
