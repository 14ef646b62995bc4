/** One prompt being answered: plays the beats of a script, and stops in zot's way at any of them. */
import type { TimelineAction, TimelineStep, Closing, Flow, Running, Writing } from './script/timeline.ts'
import { bashText } from './script/tool-text.ts'
import type { DemoFrame } from './frame.ts'
import type { DemoOperation, Stage } from './operation.ts'
import type { MessageBlock } from './transcript.ts'
import { Answering, Working } from './turn-state.ts'

/** Between the calls and tools of a turn nothing is open. */
type Phase = 'asking' | 'resting' | Answering | Working

const canceled = 'context canceled'
const refusedByCancel = `demo: Post "demo://model/v1/messages": ${canceled}`

export class DemoTurn implements DemoOperation {
  readonly #stage: Stage
  readonly #beats: readonly TimelineStep[]
  #next = 0
  #step = 0
  #phase: Phase = 'resting'
  /** The last answer was told to the end and failed: a new try takes it back. */
  #takesBack = false
  #over = false
  #due = 0
  #cancel = (): void => {}

  constructor(stage: Stage, script: readonly TimelineStep[]) {
    this.#stage = stage
    this.#beats = script
  }

  start(): void {
    this.#due = this.#stage.timers.now()
    this.#play()
  }

  /** Tells what is due, up to the next pause. */
  #play(): void {
    for (let beat = this.#beats[this.#next]; beat && !this.#over; beat = this.#beats[this.#next]) {
      this.#next += 1
      if (beat.after > 0) {
        this.#wait(beat)
        return
      }
      this.#perform(beat)
    }
  }

  stop(): void {
    this.#over = true
    this.#cancel()
  }

  abort(): void {
    if (this.#over) return
    this.#cancel()
    const { emit } = this.#stage
    if (this.#phase === 'asking') emit({ type: 'turn_end', stop: 'error', error: refusedByCancel })
    else if (this.#phase instanceof Answering) this.#cutAnswer(this.#phase)
    else if (this.#phase instanceof Working) this.#cutTools(this.#phase)
    this.#finish()
  }

  #wait(beat: TimelineStep): void {
    const { timers, speed } = this.#stage
    const now = timers.now()
    // Against the time it should be, not the time it is: late timers must not slow a stream down.
    if (beat.hold) this.#due = now + beat.after
    else this.#due += speed === 0 ? 0 : beat.after / speed
    if (this.#due === Infinity) return
    this.#cancel = timers.after(Math.max(0, this.#due - now), () => {
      this.#perform(beat)
      this.#play()
    })
  }

  #perform(beat: TimelineAction): void {
    if (beat.part === 'flow') this.#flow(beat)
    else if (beat.part === 'writing' && this.#phase instanceof Answering) this.#write(this.#phase, beat)
    else if (beat.part === 'running' && this.#phase instanceof Working) this.#run(this.#phase, beat)
  }

  #flow(beat: Flow): void {
    const { emit, transcript, crash } = this.#stage
    switch (beat.kind) {
      case 'turn':
        this.#step += 1
        this.#phase = 'asking'
        return emit({ type: 'turn_start', step: this.#step })
      case 'start':
        if (this.#takesBack) transcript.dropLast()
        this.#takesBack = false
        this.#phase = new Answering()
        return emit({ type: 'assistant_start' })
      case 'refuse':
        this.#phase = 'resting'
        return emit({ type: 'turn_end', stop: 'error', error: beat.error })
      case 'crash':
        return crash(beat.code, beat.lastWord)
      case 'pause':
        return
      case 'done':
        return this.#finish(beat.error)
    }
  }

  #write(answering: Answering, beat: Writing): void {
    const { emit } = this.#stage
    switch (beat.kind) {
      case 'text':
        answering.text(beat.delta)
        return emit({ type: 'text_delta', delta: beat.delta })
      case 'draft':
        answering.draft()
        return emit({ type: 'tool_use_start', id: beat.id, name: beat.name })
      case 'args':
        answering.argument(beat.delta)
        return emit({ type: 'tool_use_args', id: beat.id, delta: beat.delta })
      case 'drafted':
        answering.tool({ type: 'tool_call', id: beat.id, name: beat.name, args: beat.args })
        return emit({ type: 'tool_use_end', id: beat.id })
      case 'close':
        return this.#close(answering, beat)
    }
  }

  #close(answering: Answering, { stop, error, retried }: Closing): void {
    const { emit } = this.#stage
    this.#report(answering)
    this.#takesBack = this.#tellAnswer(answering.blocks) && retried === true
    const { calls } = answering
    for (const call of calls) emit(call)
    emit({ type: 'turn_end', stop, ...(error !== undefined && { error }) })
    this.#phase = stop === 'tool_use' ? new Working(calls, this.#stage.timers.now()) : 'resting'
  }

  #run(working: Working, beat: Running): void {
    const { emit } = this.#stage
    switch (beat.kind) {
      case 'progress':
        working.printed(beat.id, beat.text)
        return emit({ type: 'tool_progress', id: beat.id, text: beat.text })
      case 'inner':
        working.innerCalled(beat.id)
        return emit({ type: 'tool_call', id: beat.id, name: beat.name, args: beat.args })
      case 'aside':
        return emit({ type: 'usage', auxiliary: true, ...this.#stage.aside(beat.input, beat.output) })
      case 'innerResult':
        working.innerEnded(beat.id)
        return emit(toolResult(beat.id, beat.text, beat.failed))
      case 'exit': {
        const text = bashText(working.command, working.output, beat.exit, beat.ms)
        return this.#toolEnded(working, text, beat.exit !== 0)
      }
      case 'result':
        return this.#toolEnded(working, beat.text, beat.failed)
    }
  }

  #toolEnded(working: Working, text: string, failed: boolean): void {
    const { emit, timers, transcript, time } = this.#stage
    const id = working.finish(text, failed, timers.now())
    emit(toolResult(id, text, failed))
    if (working.running) return
    transcript.add({ role: 'tool', content: working.results, time: time() })
    this.#phase = 'resting'
  }

  /** Text alone is kept; once a tool was begun, zot drops the whole answer. */
  #cutAnswer(answering: Answering): void {
    this.#report(answering)
    if (!answering.drafting) this.#tellAnswer(answering.blocks)
    this.#stage.emit({ type: 'turn_end', stop: 'aborted', error: canceled })
  }

  #cutTools(working: Working): void {
    for (const id of working.innerOpen) this.#stage.emit(toolResult(id, `aborted: ${canceled}`, true))
    if (working.running?.name === 'bash') {
      const ms = this.#stage.timers.now() - working.since
      this.#toolEnded(working, bashText(working.command, working.output, -1, ms), true)
    }
    while (working.running) this.#toolEnded(working, `aborted: ${canceled}`, true)
  }

  #report(answering: Answering): void {
    this.#stage.emit({ type: 'usage', ...this.#stage.usage(answering.tokens) })
  }

  /** Whether there was anything to tell. */
  #tellAnswer(content: readonly MessageBlock[]): boolean {
    if (content.length === 0) return false
    const time = this.#stage.time()
    this.#stage.transcript.add({ role: 'assistant', content, time })
    this.#stage.emit({ type: 'assistant_message', content, time })
    return true
  }

  #finish(error?: string): void {
    this.#over = true
    this.#stage.ended()
    if (error !== undefined) this.#stage.emit({ type: 'error', message: error })
    this.#stage.emit({ type: 'done' })
  }
}

function toolResult(id: string, text: string, failed: boolean): DemoFrame {
  return { type: 'tool_result', id, is_error: failed, content: [{ type: 'text', text }] }
}
