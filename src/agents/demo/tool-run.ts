/** Plays the tools of an answer, and stops as zot does wherever an abort falls. */
import type { Prompt } from '../../agent/backend.ts'
import { ALSO_HELD, HELD_BY_STEER } from '../tool-host/model-messages.ts'
import type { CallDecision } from '../tool-host/questions.ts'
import type { Stage } from './operation.ts'
import type { InnerRun, ScriptedRun, ToolUse } from './script/script.ts'
import { bashText } from './script/tool-text.ts'
import type { MessageBlock } from './transcript.ts'

/**
 * Emits frames and yields pauses: milliseconds at natural speed, Infinity until `endPause`. A `hold` lasts as long at every
 * speed.
 */
export type Steps<Result = void> = Generator<{ ms: number; hold?: true }, Result, void>

export type AnnouncedTool = { id: string; use: ToolUse }
type RunningTool = { id: string; output: string; inner: Set<string>; isEnded: boolean }
type EndTool = (id: string, text: string, failed: boolean) => void

/** Go's message for an aborted request. */
export const canceled = 'context canceled'

/** The pause between the last output of a command and its end, in milliseconds. */
const EXIT_PAUSE = 20

/** The time for which a question that the script answers itself is shown, in milliseconds. */
const QUESTION_SHOWN = 2500

/** What the user said while the tools ran, and the calls that did not run because of it. */
export type Heard = { said: readonly Prompt[]; held: readonly ToolUse[] }

/** Runs the tools of an answer one after another. All of them are asked about before the first one runs. */
export function* runTools(stage: Stage, tools: readonly AnnouncedTool[], answersItself = false): Steps<Heard> {
  const { transcript, time, gate } = stage
  const said: Prompt[] = []
  const held: ToolUse[] = []
  const decisions = new Map<string, CallDecision>()
  const allow = new Map<string, () => void>()
  let awaited: string | null = null
  const results: MessageBlock[] = []
  const end: EndTool = (id, text, failed) => {
    // The user's words are for the model only: the result that is shown is that of the call.
    const words = gate?.words.take()
    const after = words ? [{ type: 'text', text: words.text }] : []
    results.push({ type: 'tool_result', call_id: id, is_error: failed, content: [{ type: 'text', text }, ...after] })
    emitResult(stage, id, text, failed)
    said.push(...(words?.prompts ?? []))
    words?.delivered()
  }
  const holdBack = ({ id, use }: AnnouncedTool): void => {
    gate?.steered(id)
    end(id, held.length === 0 ? HELD_BY_STEER : ALSO_HELD, true)
    held.push(use)
  }
  try {
    if (gate?.isOn()) {
      // The calls arrive before the questions about them.
      yield { ms: 1 }
      for (const { id, use } of tools) {
        const decided = (decision: CallDecision): void => {
          decisions.set(id, decision)
          if (awaited === id) stage.endPause()
        }
        allow.set(id, gate.hold({ id, use }, decided))
      }
    }
    for (const tool of tools) {
      if (held.length > 0 || (gate?.words.areAny && tool.use.name === 'bash')) {
        // The call arrives before the word that it does not run.
        yield { ms: 1 }
        holdBack(tool)
        continue
      }
      awaited = tool.id
      while (gate?.isOn() && !decisions.has(tool.id)) {
        yield { ms: answersItself ? QUESTION_SHOWN : Infinity }
        if (answersItself) allow.get(tool.id)?.()
      }
      awaited = null
      const decision = decisions.get(tool.id)
      if (decision?.allowed === false) end(tool.id, decision.words, true)
      else yield* runTool(stage, changed(tool, decision?.command), end)
    }
  } finally {
    // What is refused now continues nothing: the turn is over.
    awaited = null
    gate?.withdraw()
    for (const { id } of tools.slice(results.length)) end(id, `aborted: ${canceled}`, true)
    transcript.add({ role: 'tool', content: results, time: time() })
  }
  return { said, held }
}

/** The call with the command that the user wrote instead. */
function changed(tool: AnnouncedTool, command: string | undefined): AnnouncedTool {
  const { use } = tool
  return command === undefined ? tool : { ...tool, use: { ...use, args: { ...use.args, command } } }
}

function* runTool(stage: Stage, { id, use }: AnnouncedTool, end: EndTool): Steps {
  const { name, args, argsText, runs = [], result } = use
  const { timers, gate } = stage
  const running: RunningTool = { id, output: '', inner: new Set(), isEnded: false }
  const argument = argsText === undefined ? args['command'] : ''
  const command = typeof argument === 'string' ? argument : ''
  const since = timers.now()
  let isComplete = false
  const ended = gate?.runs({ id, command: name === 'bash' ? command : name }, () => {
    running.isEnded = true
    stage.endPause()
  })
  try {
    for (const run of runs) {
      if (!running.isEnded) yield* runStep(stage, running, run)
    }
    if (running.isEnded) return
    yield { ms: 'exit' in result ? EXIT_PAUSE : (result.after ?? 50) }
    isComplete = true
  } finally {
    ended?.()
    if (!isComplete) {
      for (const inner of running.inner) emitResult(stage, inner, `aborted: ${canceled}`, true)
      if (name === 'bash') end(id, bashText(command, running.output, -1, timers.now() - since), true)
    }
  }
  if (!('exit' in result)) return end(id, result.text, result.failed === true)
  const ms = runs.reduce((sum, run) => sum + run.after, EXIT_PAUSE)
  end(id, bashText(command, running.output, result.exit, ms), result.exit !== 0)
}

function* runStep(stage: Stage, tool: RunningTool, run: ScriptedRun): Steps {
  yield 'hold' in run ? { ms: run.after, hold: true } : { ms: run.after }
  if (tool.isEnded) return
  if ('inner' in run) emitInner(stage, tool, run.inner)
  if (!('progress' in run)) return
  tool.output += run.progress
  stage.emit({ type: 'tool_progress', id: tool.id, text: run.progress })
}

/** Emits the frame of a call that the running tool made. */
function emitInner(stage: Stage, tool: RunningTool, run: InnerRun): void {
  const { emit, auxiliaryUsage } = stage
  const id = `${tool.id}/${run.call}`
  if ('name' in run) {
    tool.inner.add(id)
    return emit({ type: 'tool_call', id, name: run.name, args: run.args })
  }
  if ('progress' in run) return emit({ type: 'tool_progress', id, text: run.progress })
  const { text, failed = false, spends } = run
  if (spends) emit({ type: 'usage', auxiliary: true, ...auxiliaryUsage(spends.input, spends.output) })
  tool.inner.delete(id)
  emitResult(stage, id, text, failed)
}

function emitResult(stage: Stage, id: string, text: string, failed: boolean): void {
  stage.emit({ type: 'tool_result', id, is_error: failed, content: [{ type: 'text', text }] })
}
