/** Runs an allowed command in the sandbox, and asks the user about what it wants beyond that. */
import type { BoxKind, BoxWant, ToolRequest } from '../../agent/permission.ts'
import type { AsksForMore, CommandSandbox, LeftPlaces, WantAnswer } from '../../sandbox/command-sandbox.ts'
import type { ToolOutcome, ToolRunOptions } from '../../local-tools/tool.ts'
import type { CallDecision } from './questions.ts'
import { RAN_OUTSIDE, refusedHost, removedByUser, stayedInside, waitsForUser, withNotes } from './sandbox-notes.ts'

/** Runs the call, in this box or of it. Never rejects. */
export type RunsCall = (held: Pick<ToolRunOptions, 'box' | 'openBox'>) => Promise<ToolOutcome>

export type HeldCall = {
  sandbox: CommandSandbox | null
  request: ToolRequest
  /** The box in which alone it was allowed. */
  box: BoxKind | undefined
  /** The user has allowed it to run outside from the beginning. */
  isLetOut: boolean
  decide: (request: ToolRequest, withdrawn?: AbortSignal) => Promise<CallDecision>
  /** Stops the call. */
  signal: AbortSignal
  /** It now runs outside, since the user has said so. */
  onOutside: () => void
}

/** Never rejects. */
export async function heldBySandbox(run: RunsCall, call: HeldCall): Promise<ToolOutcome> {
  const { sandbox, request, box, isLetOut, signal } = call
  if (request.kind !== 'command') return run({ box, openBox: undefined })
  if (!sandbox || !(sandbox.isOn() || box?.kind === 'writing')) return run({ box, openBox: undefined })
  if (isLetOut) {
    call.onOutside()
    return run({ box: undefined, openBox: undefined })
  }
  const wants = createWants(call)
  const inBox = (): Promise<ToolOutcome> =>
    run({ box, openBox: command => sandbox.open({ ...command, ask: wants.ask }) })
  const askLeft = async (left: LeftPlaces | undefined): Promise<readonly string[]> =>
    left ? askAbout(left, sandbox, call, wants.ask) : []
  let outcome = await inBox()
  // A later run in the box names it, too.
  let { left } = outcome
  while (outcome.refused && !signal.aborted) {
    const { hint, path } = outcome.refused
    const answer = await wants.ask({ kind: 'outside', hint, path }, signal)
    if (answer === 'once') {
      const notes = await askLeft(left)
      call.onOutside()
      const outside = await run({ box: undefined, openBox: undefined })
      return withNotes(outside, [...wants.notes(), RAN_OUTSIDE, ...notes])
    }
    // Only a path that is known can be made writable.
    if (answer === 'no' || path === null) break
    sandbox.allowWriting(path)
    outcome = await inBox()
    left = outcome.left ?? left
  }
  return withNotes(outcome, [...wants.notes(), ...(await askLeft(left))])
}

/** What it has left is held until the user has looked at it. Resolves to what the model is told. */
async function askAbout(
  left: LeftPlaces,
  sandbox: CommandSandbox,
  { signal }: HeldCall,
  ask: AsksForMore,
): Promise<readonly string[]> {
  const answer = signal.aborted ? 'no' : await ask({ kind: 'left', places: left.places }, signal)
  if (answer === 'no') return [waitsForUser(left.places)]
  const isRemoved = answer === 'remove'
  const problems = await sandbox.answerLeft(left, isRemoved ? 'remove' : 'keep')
  return [...(isRemoved ? [removedByUser(left.places)] : []), ...problems.map(problem => `[sandbox] ${problem}.`)]
}

export function wantAnswerOf(decision: CallDecision): WantAnswer {
  if (!decision.allowed) return decision.removes ? 'remove' : 'no'
  return decision.isForSession ? 'session' : 'once'
}

/** Asks, and keeps what the model is told of the answers. */
function createWants({ request, decide }: HeldCall) {
  let count = 0
  const notes: string[] = []
  /** The answers about hosts hold until the call ends, also when it runs again. */
  const known = new Map<string, WantAnswer>()

  async function ask(want: BoxWant, withdrawn: AbortSignal): Promise<WantAnswer> {
    const key = want.kind === 'host' ? `${want.host} ${want.port}` : null
    const before = key === null ? undefined : known.get(key)
    if (before !== undefined) return before
    count += 1
    const decision = await decide({ ...request, id: `${request.id}-${count}`, wants: want }, withdrawn)
    if (!decision.allowed) {
      // Nobody has answered what was withdrawn.
      if (decision.by === 'end') return 'no'
      if (want.kind === 'host') notes.push(refusedHost(want, decision))
      if (want.kind === 'outside') notes.push(stayedInside(decision))
    }
    const answer = wantAnswerOf(decision)
    if (key !== null) known.set(key, answer)
    return answer
  }

  return { ask, notes: () => notes }
}
