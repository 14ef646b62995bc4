/** One prompt being answered: plays a script, and stops as zot does wherever an abort falls. */
import { tokens } from './meter.ts'
import type { DemoFrame, DemoOperation, Stage } from './operation.ts'
import { pieces } from './script/pieces.ts'
import type { Call, Refusal, Script, ScriptedAnswer, ToolUse, ScriptedWrite } from './script/script.ts'
import { canceled, runTools, type AnnouncedTool, type Heard, type Steps } from './tool-run.ts'
import type { MessageBlock } from './transcript.ts'

/** An answer as far as it is written. `text` is the part since the last tool call; `written` is in tokens. */
type Draft = { blocks: MessageBlock[]; text: string; written: number; tools: AnnouncedTool[]; hasTool: boolean }

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
  #isPaused = false
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

  endPause(): void {
    if (!this.#isPaused) return
    this.#cancel()
    this.#due = this.#stage.timers.now()
    this.#cancel = this.#stage.timers.after(0, () => this.#play())
  }

  /** Plays up to the next pause. */
  #play(): void {
    const { timers, speed } = this.#stage
    this.#isPaused = false
    for (let step = this.#steps.next(); !step.done; step = this.#steps.next()) {
      const { ms, hold } = step.value
      if (ms <= 0) continue
      const now = timers.now()
      // Pauses count from when the last one was due, so that late timers do not slow a stream down.
      if (hold) this.#due = now + ms
      else this.#due += speed === 0 ? 0 : ms / speed
      this.#isPaused = true
      if (this.#due < Infinity) this.#cancel = timers.after(Math.max(0, this.#due - now), () => this.#play())
      return
    }
  }

  *#turn({ calls, answersItself }: Script): Steps {
    const { emit, ended } = this.#stage
    let error: string | undefined
    let step = 0
    let retry: { takesBack: boolean } | undefined
    try {
      const coming = [...calls]
      for (let call = coming.shift(); call; call = coming.shift()) {
        if (!retry) emit({ type: 'turn_start', step: (step += 1) })
        if ('refused' in call) error = yield* this.#refusal(call)
        else {
          const scripted = 'writes' in call ? call : { writes: call }
          yield* this.#request(scripted.wait ?? 400, retry !== undefined)
          if (retry?.takesBack) this.#stage.transcript.dropLast()
          const { hasText, tools } = yield* this.#answer(scripted)
          if (!scripted.breaks && !scripted.length && tools.length > 0)
            coming.unshift(...answersTo(yield* runTools(this.#stage, tools, answersItself), coming.shift()))
          const pause = scripted.breaks?.retry
          retry = pause === undefined ? undefined : { takesBack: hasText }
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

  *#answer({ writes, length, breaks }: ScriptedAnswer): Steps<{ hasText: boolean; tools: AnnouncedTool[] }> {
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
        if (!draft.hasTool) this.#emitAnswer(draft)
        emit({ type: 'turn_end', stop: 'aborted', error: canceled })
      }
    }
    const hasText = this.#emitAnswer(draft)
    for (const { id, use } of draft.tools) emit(toolCall(id, use))
    const stop = breaks ? 'error' : length ? 'length' : draft.tools.length > 0 ? 'tool_use' : 'end'
    emit({ type: 'turn_end', stop, ...(breaks && { error: breaks.error }) })
    return { hasText, tools: draft.tools }
  }

  *#write(draft: Draft, write: ScriptedWrite): Steps {
    const { emit, fill, crash } = this.#stage
    if (typeof write === 'string') return yield* this.#write(draft, { text: write })
    if ('pause' in write) yield { ms: write.pause }
    else if ('hold' in write) yield { ms: write.hold, hold: true }
    else if ('extension' in write) emit(write.extension)
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

  /** Emits and remembers the answer. Returns false if it is empty. */
  #emitAnswer(draft: Draft): boolean {
    const { emit, transcript, time: clock } = this.#stage
    const content = blocksOf(draft)
    if (content.length === 0) return false
    const time = clock()
    transcript.add({ role: 'assistant', content, time })
    emit({ type: 'assistant_message', content, time })
    return true
  }
}

/** What comes after calls during which the user said something: an answer to that before the next one, and again the calls that were held. */
function answersTo({ said, held }: Heard, next: Call | undefined): readonly Call[] {
  const coming = next ? [next] : []
  if (said.length === 0 || (next && 'refused' in next)) return coming
  const quoted = said.map(({ text }) => `> ${text.split('\n').join('\n> ')}\n\n`).join('')
  const again = held.length > 0 ? 'I make the calls again that I held for it' : 'I go on'
  const answer = `${quoted}I got that while I worked. ${again}, and a real model would do what you say.\n\n`
  if (held.length > 0) return [[answer, ...held.map(tool => ({ tool }))], ...coming]
  const scripted = next && ('writes' in next ? next : { writes: next })
  return [{ ...scripted, writes: [answer, ...(scripted?.writes ?? [])] }]
}

function blocksOf({ blocks, text }: Draft): MessageBlock[] {
  return text === '' ? [...blocks] : [...blocks, { type: 'text', text }]
}

function toolCall(id: string, { name, args, argsText }: ToolUse): DemoFrame {
  return { type: 'tool_call', id, name, args: argsText === undefined ? args : null }
}
