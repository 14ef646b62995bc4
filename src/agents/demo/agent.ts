/**
 * An agent that speaks zot's protocol and plays scripts: it reads no file, runs no command and uses no network. Where
 * versions of zot differ it behaves like the newest.
 */
import type { FarEnd } from '../transport/memory-pair.ts'
import { parseCommand, readPrompt, type DemoCommand, type DemoPrompt } from './command.ts'
import { DemoConversation, type DemoReply } from './conversation.ts'
import type { DemoGate } from './gate.ts'
import type { DemoFrame, DemoOperation, Stage } from './operation.ts'
import { scriptFor } from './scripts.ts'
import type { DemoTimers } from './timers.ts'
import type { MessageBlock, Message } from './transcript.ts'
import { DemoTurn } from './turn.ts'

const busyRefusal = { error: 'agent is busy; wait for completion or abort before retrying' }

/** The longest line that zot's scanner accepts, in UTF-8 bytes. */
const longestLine = 16 * 1024 * 1024

export type AgentSettings = { timers: DemoTimers; speed: number; cwd: string; gate: DemoGate | undefined }

/** Answers on `far` until the input ends or a signal comes. */
export function startAgent(far: FarEnd, settings: AgentSettings): void {
  const agent = new Agent(far, settings)
  far.receive(line => agent.line(line))
  far.onInputClosed(() => agent.inputClosed())
  far.onKill(signal => agent.exit({ code: null, signal }))
}

class Agent {
  readonly #far: FarEnd
  readonly #settings: AgentSettings
  readonly #stage: Stage
  readonly #conversation = new DemoConversation()
  #operation: DemoOperation | undefined
  /** Whether the operation in flight ignores an abort. */
  #ignoresAbort = false
  /** After an abort zot reports that it is idle, before the work has ended. */
  #aborted = false
  /** Prompts and compactions that wait for the one in flight. zot itself starts them in any order. */
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
    const command = parseCommand(text)
    if (command) return this.#handle(command)
    this.#emit({ type: 'response', command: '', success: false, error: 'malformed json' })
  }

  /** Ends the agent once its work is done, as zot does. */
  inputClosed(): void {
    this.#inputClosed = true
    this.#endIfIdle()
  }

  exit(ending: { code: number | null; signal: string | null }): void {
    this.#over = true
    this.#queue = []
    this.#operation?.stop()
    this.#settings.gate?.withdraw()
    this.#far.end(ending)
  }

  #handle(command: DemoCommand): void {
    switch (command.type) {
      case 'prompt':
        return this.#whenFree(() => this.#prompt(command, readPrompt(command)))
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

  /** Answers the commands that need no operation. */
  #answer(command: DemoCommand): DemoReply {
    const conversation = this.#conversation
    switch (command.type) {
      case 'hello':
        return conversation.hello()
      case 'ping':
        return { data: { pong: true } }
      case 'get_state':
        return conversation.state(this.#settings.cwd, this.#operation !== undefined && !this.#aborted)
      case 'get_messages':
        return conversation.messages()
      case 'get_models':
        return conversation.models()
      case 'clear':
        return this.#operation ? busyRefusal : conversation.clear()
      case 'set_model':
        return this.#operation ? busyRefusal : conversation.setModel(command)
      case 'set_reasoning':
        return this.#operation ? busyRefusal : conversation.setReasoning(command)
      default:
        return { error: 'unknown command' }
    }
  }

  #prompt(command: DemoCommand, { message, images }: DemoPrompt): void {
    this.#reply(command, { data: { started: true } })
    const text: MessageBlock[] = message === '' ? [] : [{ type: 'text', text: message }]
    const content = [...text, ...images.map(image => ({ type: 'image', ...image }))]
    const time = this.#time()
    this.#conversation.transcript.add({ role: 'user', content, time })
    this.#emit({ type: 'user_message', content, time })
    const script = scriptFor(message, images.length)
    this.#operate(new DemoTurn(this.#stage, script), script.ignoresAbort)
  }

  #operate(operation: DemoOperation, ignoresAbort = false): void {
    this.#aborted = false
    this.#ignoresAbort = ignoresAbort
    this.#operation = operation
    operation.start()
  }

  #abort(): void {
    if (!this.#operation || this.#aborted) return
    this.#aborted = true
    if (!this.#ignoresAbort) this.#operation.abort()
  }

  #whenFree(start: () => void): void {
    if (this.#operation) this.#queue.push(start)
    else start()
  }

  #ended(): void {
    this.#operation = undefined
    // The next one starts in a microtask, after the last frame of this one.
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
      transcript: this.#conversation.transcript,
      emit: frame => this.#emit(frame),
      time: () => this.#time(),
      usage: output => this.#conversation.usage(output),
      auxiliaryUsage: (input, output) => this.#conversation.auxiliaryUsage(input, output),
      ended: () => this.#ended(),
      crash: (code, lastWord) => this.#crash(code, lastWord),
      fill: text => this.#conversation.fill(text),
      gate: this.#settings.gate,
      endPause: () => this.#operation?.endPause?.(),
    }
  }

  #reply({ id, type }: DemoCommand, reply: DemoReply): void {
    const success = !('error' in reply)
    this.#emit({ type: 'response', command: type, success, ...(id && { id }), ...reply })
  }

  #emit(frame: DemoFrame): void {
    this.#far.write(JSON.stringify(frame))
  }

  /** RFC 3339, as Go writes it where the nanoseconds end in zeros. */
  #time(): string {
    return new Date(this.#settings.timers.now()).toISOString()
  }
}

/** Milliseconds for which the demo pretends to summarise. */
const COMPACTION_TIME = 2_000

/**
 * Replaces the conversation with a summary. It ends as zot's does: with `compact_done`, with `error`, or without an event
 * after an abort.
 */
function createCompaction(stage: Stage): DemoOperation {
  const { timers, transcript, emit } = stage
  let cancel: (() => void) | undefined
  const finish = (): void => {
    stage.ended()
    if (!transcript.compactable) return emit({ type: 'error', message: 'nothing to compact' })
    const summary = summarise(transcript.messages)
    transcript.compact(summary, stage.time())
    emit({ type: 'compact_done', summary })
  }
  return {
    start() {
      cancel = timers.after(stage.speed === 0 || !transcript.compactable ? 0 : COMPACTION_TIME / stage.speed, finish)
    },
    abort() {
      cancel?.()
      stage.ended()
    },
    stop: () => cancel?.(),
  }
}

function summarise(messages: readonly Message[]): string {
  const asked = messages.filter(message => message.role === 'user').map(message => firstLine(message.content))
  const tools = messages.filter(message => message.role === 'tool').flatMap(message => message.content).length
  return [
    '## Goal',
    'To try zotui on its built-in demo agent.',
    '',
    '## What happened',
    ...asked.filter(line => line !== '').map(line => `- You asked: ${line}`),
    `- ${tools} tool ${tools === 1 ? 'call was' : 'calls were'} shown; nothing was touched.`,
    '',
    '## Next',
    'Ask for something else. `help` lists what can be asked for.',
  ].join('\n')
}

function firstLine(content: readonly MessageBlock[]): string {
  const text = content.map(block => (typeof block['text'] === 'string' ? block['text'] : '')).join(' ')
  const line = text.replace(/^## .*\n+/, '').split('\n', 1)[0] ?? ''
  return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line
}
