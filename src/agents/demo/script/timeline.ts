/** From a script to its beats: one thing to tell each, with the pause before it. Pure. */
import { pieces } from './pieces.ts'
import type { ScriptedAnswer, Call, InnerRun, Script, ToolUse, Write } from './script.ts'

export type TimelineStep = {
  /** Milliseconds at natural speed since the beat before; Infinity for never. */
  after: number
  /** The pause lasts as long at every speed. */
  hold?: true
} & TimelineAction

export type TimelineAction = Flow | Writing | Running

/** The frame of a turn. */
export type Flow = { part: 'flow' } & (
  | { kind: 'turn' }
  | { kind: 'start' }
  /** The model call never opened. */
  | { kind: 'refuse'; error: string }
  | { kind: 'pause' }
  | { kind: 'crash'; code: number; lastWord: string }
  | { kind: 'done'; error?: string }
)

/** While the model answers. */
export type Writing = { part: 'writing' } & (
  | { kind: 'text'; delta: string }
  | { kind: 'draft'; id: string; name: string }
  | { kind: 'args'; id: string; delta: string }
  | { kind: 'drafted'; id: string; name: string; args: unknown }
  | ({ kind: 'close' } & Closing)
)

/** The model call is over. With `retried`, what it wrote is taken back by the `start` that follows. */
export type Closing = { stop: 'end' | 'length' | 'tool_use' | 'error'; error?: string; retried?: true }

/** While a tool runs. */
export type Running = { part: 'running' } & (
  | { kind: 'progress'; id: string; text: string }
  /** A call made by the running tool, and what came of it. */
  | { kind: 'inner'; id: string; name: string; args: unknown }
  | { kind: 'innerResult'; id: string; text: string; failed: boolean }
  /** Tokens that a tool spent beside the conversation. */
  | { kind: 'aside'; input: number; output: number }
  /** bash is told by its exit code, anything else by its text. */
  | { kind: 'exit'; exit: number; ms: number }
  | { kind: 'result'; text: string; failed: boolean }
)

/** `fill` puts what is in use into the texts of the script. */
export function timelineOf(script: Script, fill: (text: string) => string): TimelineStep[] {
  const all: TimelineStep[] = []
  const ids = toolIds()
  let error: string | undefined
  let retrying = false
  for (const call of script.calls) {
    if (!retrying) all.push({ after: 0, part: 'flow', kind: 'turn' })
    all.push(...('refused' in call ? refusal(call) : answer(call, fill, ids)))
    const retry = 'refused' in call ? undefined : call.breaks?.retry
    retrying = retry !== undefined
    if (retry !== undefined) all.push({ after: retry, part: 'flow', kind: 'pause' })
    error = 'refused' in call ? call.refused : retrying ? undefined : call.breaks?.error
  }
  all.push({ after: 0, part: 'flow', kind: 'done', ...(error !== undefined && { error }) })
  return all
}

/** They start anew with each prompt, as those of some providers do: a client must not take them for unique. */
function toolIds(): () => string {
  let last = 0
  return () => `call_${(last += 1)}`
}

function refusal(call: Extract<Call, { refused: string }>): TimelineStep[] {
  return [{ after: call.wait ?? 600, part: 'flow', kind: 'refuse', error: call.refused }]
}

function answer(call: ScriptedAnswer, fill: (text: string) => string, nextId: () => string): TimelineStep[] {
  const tools: { id: string; use: ToolUse }[] = []
  const all: TimelineStep[] = [{ after: call.wait ?? 400, part: 'flow', kind: 'start' }]
  for (const write of call.writes) {
    if ('tool' in write) {
      const id = nextId()
      tools.push({ id, use: write.tool })
      all.push(...draft(id, write.tool))
    } else all.push(...written(write, fill))
  }
  all.push({ after: 30, part: 'writing', kind: 'close', ...ending(call, tools.length > 0) })
  if (!call.breaks && !call.length) for (const { id, use } of tools) all.push(...toolRun(id, use))
  return all
}

function ending(call: ScriptedAnswer, tools: boolean): Closing {
  if (call.breaks) {
    return { stop: 'error', error: call.breaks.error, ...(call.breaks.retry !== undefined && { retried: true }) }
  }
  return { stop: call.length ? 'length' : tools ? 'tool_use' : 'end' }
}

function written(write: Exclude<Write, { tool: ToolUse }>, fill: (text: string) => string): TimelineStep[] {
  if ('pause' in write) return [{ after: write.pause, part: 'flow', kind: 'pause' }]
  if ('hold' in write) return [{ after: write.hold, hold: true, part: 'flow', kind: 'pause' }]
  if ('crash' in write) return [{ after: 0, part: 'flow', kind: 'crash', ...write.crash }]
  return pieces(fill(write.text), write.size).map(delta => ({
    after: write.pace ?? 28,
    part: 'writing',
    kind: 'text',
    delta,
  }))
}

function draft(id: string, use: ToolUse): TimelineStep[] {
  const text = use.argsText ?? JSON.stringify(use.args)
  return [
    { after: 60, part: 'writing', kind: 'draft', id, name: use.name },
    ...pieces(text).map((delta): TimelineStep => ({ after: use.pace ?? 18, part: 'writing', kind: 'args', id, delta })),
    {
      after: 12,
      part: 'writing',
      kind: 'drafted',
      id,
      name: use.name,
      args: use.argsText === undefined ? use.args : null,
    },
  ]
}

function toolRun(id: string, use: ToolUse): TimelineStep[] {
  const runs = (use.runs ?? []).flatMap((run): TimelineStep[] => {
    if ('hold' in run) return [{ after: run.after, hold: true, part: 'flow', kind: 'pause' }]
    if ('progress' in run) return [{ after: run.after, part: 'running', kind: 'progress', id, text: run.progress }]
    return innerRun(id, run.after, run.inner)
  })
  if (!('exit' in use.result)) {
    const { text, failed, after } = use.result
    return [...runs, { after: after ?? 50, part: 'running', kind: 'result', text, failed: failed === true }]
  }
  const wait = 20
  const ms = runs.reduce((sum, beat) => sum + beat.after, wait)
  return [...runs, { after: wait, part: 'running', kind: 'exit', exit: use.result.exit, ms }]
}

function innerRun(parent: string, after: number, inner: InnerRun): TimelineStep[] {
  const id = `${parent}/${inner.call}`
  if ('name' in inner) return [{ after, part: 'running', kind: 'inner', id, name: inner.name, args: inner.args }]
  if ('progress' in inner) return [{ after, part: 'running', kind: 'progress', id, text: inner.progress }]
  const result: TimelineStep = {
    after,
    part: 'running',
    kind: 'innerResult',
    id,
    text: inner.text,
    failed: inner.failed === true,
  }
  if (!inner.spends) return [result]
  return [
    { after, part: 'running', kind: 'aside', ...inner.spends },
    { ...result, after: 0 },
  ]
}
