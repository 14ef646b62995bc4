/**
 * An agent that speaks zot's wire and only tells: it reads no file, runs no command and calls no network. Its answers are
 * scripts. Where versions of zot differ it behaves as the newest.
 */
import type { FarEnd } from '../wire/memory.ts'
import { beats } from './beats.ts'
import { parseCommand, readPrompt, textField, type Command, type Prompt } from './command.ts'
import { createCompaction } from './compaction.ts'
import { encode, type Frame } from './frame.ts'
import { Meter } from './meter.ts'
import { defaultModel, demoModels, demoProvider, reasoningLevel, type DemoModel } from './models.ts'
import { scriptFor } from './scripts.ts'
import type { DemoTimers } from './timers.ts'
import { Transcript, type Block } from './transcript.ts'
import { Turn, type Operation, type Stage } from './turn.ts'

export const demoVersion = '1.0.0-demo'

const busyRefusal = 'agent is busy; wait for completion or abort before retrying'

/** zot's scanner takes no longer line, in UTF-8 bytes. */
const longestLine = 16 * 1024 * 1024

export type AgentSettings = { timers: DemoTimers; speed: number; cwd: string }

/** Answers on `far` until it is told to go. */
export function startAgent(far: FarEnd, settings: AgentSettings): void {
  const agent = new Agent(far, settings)
  far.receive(line => agent.line(line))
  far.onInputClosed(() => agent.inputClosed())
  far.onKill(signal => agent.exit({ code: null, signal }))
}

/** What `data` holds on success, or why not. */
type Reply = { data?: Readonly<Record<string, unknown>> } | { error: string }

class Agent {
  readonly #far: FarEnd
  readonly #settings: AgentSettings
  readonly #stage: Stage
  readonly #transcript = new Transcript()
  readonly #meter = new Meter()
  #model: DemoModel = defaultModel
  #level = ''
  #operation: Operation | undefined
  /** What is in flight does not hear an abort. */
  #deaf = false
  /** zot's own answer to "are you busy" turns to no with the abort, before the work has ended. */
  #aborted = false
  /** Prompts and compactions that wait for the one in flight. The real one starts them in any order. */
  #queue: (() => void)[] = []
  #inputClosed = false
  #over = false

  constructor(far: FarEnd, settings: AgentSettings) {
    this.#far = far
    this.#settings = settings
    this.#stage = this.#createStage()
  }

  line(line: string): void {
    const text = line.trim()
    if (text === '' || this.#over) return
    if (Buffer.byteLength(line) > longestLine) return this.#crash(1, 'zot: bufio.Scanner: token too long')
    const parsed = parseCommand(text)
    if ('command' in parsed) return this.#handle(parsed.command)
    this.#emit({ type: 'response', command: '', success: false, error: `malformed json: ${parsed.malformed}` })
  }

  /** A real agent finishes what it has begun and then ends. */
  inputClosed(): void {
    this.#inputClosed = true
    this.#endIfIdle()
  }

  exit(ending: { code: number | null; signal: string | null }): void {
    this.#over = true
    this.#queue = []
    this.#operation?.stop()
    this.#far.end(ending)
  }

  #handle(command: Command): void {
    switch (command.type) {
      case 'prompt': {
        const prompt = readPrompt(command)
        if ('error' in prompt) return this.#reply(command, prompt)
        return this.#whenFree(() => this.#prompt(command, prompt))
      }
      case 'compact':
        return this.#whenFree(() => {
          this.#reply(command, { data: { started: true } })
          this.#operate(createCompaction(this.#stage))
        })
      case 'abort':
        this.#reply(command, {})
        return this.#abort()
      default:
        this.#reply(command, this.#answer(command))
    }
  }

  /** The commands that are answered at once. */
  #answer(command: Command): Reply {
    switch (command.type) {
      case 'hello':
        return { data: { protocol_version: 1, version: demoVersion, provider: demoProvider, model: this.#model.id } }
      case 'ping':
        return { data: { pong: true } }
      case 'get_state':
        return { data: this.#state() }
      case 'get_messages':
        return { data: { messages: this.#transcript.messages } }
      case 'get_models':
        return { data: { models: demoModels.map(wireModel) } }
      case 'clear':
      case 'set_model':
      case 'set_reasoning':
        return this.#operation ? { error: busyRefusal } : this.#change(command)
      default:
        return { error: 'unknown command' }
    }
  }

  #change(command: Command): Reply {
    if (command.type === 'clear') {
      this.#transcript.clear()
      this.#meter.forget()
      return {}
    }
    if (command.type === 'set_model') {
      const id = textField(command, 'model')
      const model = demoModels.find(model => model.id === id)
      if (!model) return { error: `unknown model "${id}" (provider="${demoProvider}")` }
      if (model !== this.#model) this.#meter.forget()
      this.#model = model
      return { data: { model: model.id } }
    }
    const level = reasoningLevel(textField(command, 'reasoning'))
    if (level === undefined) return { error: 'reasoning must be off|minimum|low|medium|high|xhigh|max' }
    this.#level = level
    return { data: { reasoning: level } }
  }

  #state(): Readonly<Record<string, unknown>> {
    return {
      provider: demoProvider,
      model: this.#model.id,
      reasoning: this.#level,
      cwd: this.#settings.cwd,
      message_count: this.#transcript.messages.length,
      busy: this.#operation !== undefined && !this.#aborted,
      usage: this.#meter.total,
    }
  }

  #prompt(command: Command, { message, images }: Prompt): void {
    this.#reply(command, { data: { started: true } })
    const text: Block[] = message === '' ? [] : [{ type: 'text', text: message }]
    const content = [...text, ...images.map(image => ({ type: 'image', ...image }))]
    const time = this.#time()
    this.#transcript.add({ role: 'user', content, time })
    this.#emit({ type: 'user_message', content, time })
    const script = scriptFor(message, images.length)
    const fill = (text: string) =>
      text.replaceAll('{model}', this.#model.id).replaceAll('{reasoning}', this.#level || 'off')
    this.#operate(new Turn(this.#stage, beats(script, fill)), script.deaf)
  }

  #operate(operation: Operation, deaf = false): void {
    this.#aborted = false
    this.#deaf = deaf
    this.#operation = operation
    operation.start()
  }

  #abort(): void {
    if (!this.#operation || this.#aborted) return
    this.#aborted = true
    if (!this.#deaf) this.#operation.abort()
  }

  #whenFree(start: () => void): void {
    if (this.#operation) this.#queue.push(start)
    else start()
  }

  #ended(): void {
    this.#operation = undefined
    // In a while of its own, so that the last frame of what ended comes first.
    queueMicrotask(() => {
      if (!this.#operation && !this.#over) this.#queue.shift()?.()
      this.#endIfIdle()
    })
  }

  #endIfIdle(): void {
    const idle = !this.#operation && this.#queue.length === 0
    if (this.#inputClosed && idle && !this.#over) this.exit({ code: 0, signal: null })
  }

  #crash(code: number, lastWord: string): void {
    this.#far.writeError(lastWord)
    this.exit({ code, signal: null })
  }

  #createStage(): Stage {
    return {
      timers: this.#settings.timers,
      speed: this.#settings.speed,
      transcript: this.#transcript,
      emit: frame => this.#emit(frame),
      time: () => this.#time(),
      usage: output =>
        this.#meter.call({ model: this.#model, level: this.#level, context: this.#transcript.tokens, output }),
      aside: (input, output) => this.#meter.aside(this.#model, input, output),
      ended: () => this.#ended(),
      crash: (code, lastWord) => this.#crash(code, lastWord),
    }
  }

  #reply({ id, type }: Command, reply: Reply): void {
    const success = !('error' in reply)
    this.#emit({ type: 'response', command: type, success, ...(id && { id }), ...reply })
  }

  #emit(frame: Frame): void {
    this.#far.write(encode(frame))
  }

  /** RFC 3339, as Go writes it where the nanoseconds end in zeros. */
  #time(): string {
    return new Date(this.#settings.timers.now()).toISOString()
  }
}

function wireModel({ id, contextWindow, maxOutput, reasoning }: DemoModel): Readonly<Record<string, unknown>> {
  return { id, provider: demoProvider, context_window: contextWindow, max_output: maxOutput, reasoning }
}
