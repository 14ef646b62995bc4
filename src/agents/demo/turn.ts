/** One prompt being answered: plays a script, and stops as zot does wherever an abort falls. */
import type { DemoFrame } from './frame.ts'
import { tokens } from './meter.ts'
import type { DemoOperation, Stage } from './operation.ts'
import { pieces } from './script/pieces.ts'
import type { InnerRun, Refusal, Script, ScriptedAnswer, ScriptedRun, ToolUse, Write } from './script/script.ts'
import { bashText } from './script/tool-text.ts'
import type { MessageBlock } from './transcript.ts'

/** Milliseconds to wait at natural speed, Infinity for ever. A `hold` lasts as long at every speed. */
type Pause = { ms: number; hold?: true }
type Steps<Result = void> = Generator<Pause, Result, void>

type AnnouncedTool = { id: string; use: ToolUse }
/** An answer as far as it is written. `text` is the part since the last tool call; `written` is in tokens. */
type Draft = { blocks: MessageBlock[]; text: string; written: number; tools: AnnouncedTool[]; hasTool: boolean }
type RunningTool = { id: string; output: string; inner: Set<string> }

const canceled = 'context canceled'
const refusedByCancel = `demo: Post "demo://model/v1/messages": ${canceled}`

/**
 * The turn is a generator that emits frames and yields pauses. An abort returns from it at the current pause, and the
 * `finally` blocks around that pause emit what zot emits there.
 */
export class DemoTurn implements DemoOperation {
  readonly #stage: Stage
  readonly #steps: Steps
  #toolCount = 0
  #due = 0
  #cancel = (): void => {}

  constructor(stage: Stage, script: Script) {
    this.#stage = stage
    this.#steps = this.#turn(script)
  }

  start(): void {
    this.#due = this.#stage.timers.now()
    this.#play()
  }

  abort(): void {
    this.#cancel()
    this.#steps.return()
  }

  stop(): void {
    this.#cancel()
  }

  /** Plays up to the next pause. */
  #play(): void {
    const { timers, speed } = this.#stage
    for (let step = this.#steps.next(); !step.done; step = this.#steps.next()) {
      const { ms, hold } = step.value
      if (ms <= 0) continue
      const now = timers.now()
      // Pauses count from when the last one was due, so that late timers do not slow a stream down.
      if (hold) this.#due = now + ms
      else this.#due += speed === 0 ? 0 : ms / speed
      if (this.#due < Infinity) this.#cancel = timers.after(Math.max(0, this.#due - now), () => this.#play())
      return
    }
  }

  *#turn({ calls }: Script): Steps {
    const { emit, ended } = this.#stage
    let error: string | undefined
    let step = 0
    let retry: { takesBack: boolean } | undefined
    try {
      for (const call of calls) {
        if (!retry) emit({ type: 'turn_start', step: (step += 1) })
        if ('refused' in call) error = yield* this.#refusal(call)
        else {
          const scripted = 'writes' in call ? call : { writes: call }
          yield* this.#request(scripted.wait ?? 400, retry !== undefined)
          if (retry?.takesBack) this.#stage.transcript.dropLast()
          const { wasTold, tools } = yield* this.#answer(scripted)
          if (!scripted.breaks && !scripted.length && tools.length > 0) yield* this.#tools(tools)
          const pause = scripted.breaks?.retry
          retry = pause === undefined ? undefined : { takesBack: wasTold }
          if (pause === undefined) error = scripted.breaks?.error
          else yield { ms: pause }
        }
      }
    } finally {
      ended()
      if (error !== undefined) emit({ type: 'error', message: error })
      emit({ type: 'done' })
    }
  }

  /** Waits for the provider's answer. */
  *#request(wait: number, isRetry = false): Steps {
    let answered = isRetry
    try {
      yield { ms: wait }
      answered = true
    } finally {
      if (!answered) this.#stage.emit({ type: 'turn_end', stop: 'error', error: refusedByCancel })
    }
  }

  *#refusal({ wait = 600, refused }: Refusal): Steps<string> {
    yield* this.#request(wait)
    this.#stage.emit({ type: 'turn_end', stop: 'error', error: refused })
    return refused
  }

  *#answer({ writes, length, breaks }: ScriptedAnswer): Steps<{ wasTold: boolean; tools: AnnouncedTool[] }> {
    const { emit, usage } = this.#stage
    const draft: Draft = { blocks: [], text: '', written: 0, tools: [], hasTool: false }
    let isComplete = false
    emit({ type: 'assistant_start' })
    try {
      for (const write of writes) yield* this.#write(draft, write)
      yield { ms: 30 }
      isComplete = true
    } finally {
      emit({ type: 'usage', ...usage(draft.written) })
      if (!isComplete) {
        // zot keeps text alone; once a tool was begun, it drops the whole answer.
        if (!draft.hasTool) this.#tellAnswer(draft)
        emit({ type: 'turn_end', stop: 'aborted', error: canceled })
      }
    }
    const wasTold = this.#tellAnswer(draft)
    for (const { id, use } of draft.tools) emit(toolCall(id, use))
    const stop = breaks ? 'error' : length ? 'length' : draft.tools.length > 0 ? 'tool_use' : 'end'
    emit({ type: 'turn_end', stop, ...(breaks && { error: breaks.error }) })
    return { wasTold, tools: draft.tools }
  }

  *#write(draft: Draft, write: Write): Steps {
    const { emit, fill, crash } = this.#stage
    if (typeof write === 'string') return yield* this.#write(draft, { text: write })
    if ('pause' in write) yield { ms: write.pause }
    else if ('hold' in write) yield { ms: write.hold, hold: true }
    else if ('tool' in write) yield* this.#draftTool(draft, write.tool)
    else if ('crash' in write) {
      crash(write.crash.code, write.crash.lastWord)
      yield { ms: Infinity }
    } else {
      for (const delta of pieces(fill(write.text), write.size)) {
        yield { ms: write.pace ?? 28 }
        draft.text += delta
        draft.written += tokens(delta)
        emit({ type: 'text_delta', delta })
      }
    }
  }

  *#draftTool(draft: Draft, use: ToolUse): Steps {
    const { emit } = this.#stage
    const id = `call_${(this.#toolCount += 1)}`
    yield { ms: 60 }
    draft.hasTool = true
    draft.blocks = blocksOf(draft)
    draft.text = ''
    emit({ type: 'tool_use_start', id, name: use.name })
    for (const delta of pieces(use.argsText ?? JSON.stringify(use.args))) {
      yield { ms: use.pace ?? 18 }
      draft.written += tokens(delta)
      emit({ type: 'tool_use_args', id, delta })
    }
    yield { ms: 12 }
    draft.blocks.push(toolCall(id, use))
    draft.tools.push({ id, use })
    emit({ type: 'tool_use_end', id })
  }

  /** Runs the tools of an answer one after another. */
  *#tools(tools: readonly AnnouncedTool[]): Steps {
    const { transcript, time } = this.#stage
    const results: MessageBlock[] = []
    const end = (id: string, text: string, failed: boolean): void => {
      results.push({ type: 'tool_result', call_id: id, is_error: failed, content: [{ type: 'text', text }] })
      this.#tellResult(id, text, failed)
    }
    try {
      for (const { id, use } of tools) yield* this.#tool(id, use, end)
    } finally {
      for (const { id } of tools.slice(results.length)) end(id, `aborted: ${canceled}`, true)
      transcript.add({ role: 'tool', content: results, time: time() })
    }
  }

  *#tool(id: string, use: ToolUse, end: (id: string, text: string, failed: boolean) => void): Steps {
    const { name, args, argsText, runs = [], result } = use
    const { timers } = this.#stage
    const running: RunningTool = { id, output: '', inner: new Set() }
    const command = argsText === undefined ? String(args['command'] ?? '') : ''
    const since = timers.now()
    let isComplete = false
    try {
      for (const run of runs) yield* this.#run(running, run)
      yield { ms: 'exit' in result ? EXIT_PAUSE : (result.after ?? 50) }
      isComplete = true
    } finally {
      if (!isComplete) {
        for (const inner of running.inner) this.#tellResult(inner, `aborted: ${canceled}`, true)
        if (name === 'bash') end(id, bashText(command, running.output, -1, timers.now() - since), true)
      }
    }
    if (!('exit' in result)) return end(id, result.text, result.failed === true)
    const ms = runs.reduce((sum, run) => sum + run.after, EXIT_PAUSE)
    end(id, bashText(command, running.output, result.exit, ms), result.exit !== 0)
  }

  *#run(tool: RunningTool, run: ScriptedRun): Steps {
    yield 'hold' in run ? { ms: run.after, hold: true } : { ms: run.after }
    if ('inner' in run) this.#inner(tool, run.inner)
    if (!('progress' in run)) return
    tool.output += run.progress
    this.#stage.emit({ type: 'tool_progress', id: tool.id, text: run.progress })
  }

  /** Emits the frame of a call that the running tool made. */
  #inner(tool: RunningTool, run: InnerRun): void {
    const { emit, aside } = this.#stage
    const id = `${tool.id}/${run.call}`
    if ('name' in run) {
      tool.inner.add(id)
      return emit({ type: 'tool_call', id, name: run.name, args: run.args })
    }
    if ('progress' in run) return emit({ type: 'tool_progress', id, text: run.progress })
    const { text, failed = false, spends } = run
    if (spends) emit({ type: 'usage', auxiliary: true, ...aside(spends.input, spends.output) })
    tool.inner.delete(id)
    this.#tellResult(id, text, failed)
  }

  #tellResult(id: string, text: string, failed: boolean): void {
    this.#stage.emit({ type: 'tool_result', id, is_error: failed, content: [{ type: 'text', text }] })
  }

  /** Emits and remembers the answer. Returns false if it is empty. */
  #tellAnswer(draft: Draft): boolean {
    const { emit, transcript, time: clock } = this.#stage
    const content = blocksOf(draft)
    if (content.length === 0) return false
    const time = clock()
    transcript.add({ role: 'assistant', content, time })
    emit({ type: 'assistant_message', content, time })
    return true
  }
}

/** The pause between the last output of a command and its end, in milliseconds. */
const EXIT_PAUSE = 20

function blocksOf({ blocks, text }: Draft): MessageBlock[] {
  return text === '' ? [...blocks] : [...blocks, { type: 'text', text }]
}

function toolCall(id: string, { name, args, argsText }: ToolUse): DemoFrame {
  return { type: 'tool_call', id, name, args: argsText === undefined ? args : null }
}
