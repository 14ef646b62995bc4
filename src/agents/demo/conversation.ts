/** The agent's state: the model, the transcript and the cost. */
import { textField, type DemoCommand } from './command.ts'
import { DemoMeter, type Spent } from './meter.ts'
import { defaultModel, demoModels, demoProvider, reasoningLevel, type DemoModel } from './models.ts'
import { DemoTranscript } from './transcript.ts'

const demoVersion = '1.0.0-demo'

/** The data of a successful response, or the error. */
export type DemoReply = { data?: Readonly<Record<string, unknown>> } | { error: string }

export class DemoConversation {
  readonly transcript = new DemoTranscript()
  readonly #meter = new DemoMeter()
  #model: DemoModel = defaultModel
  /** '' is off. */
  #level = ''

  hello(): DemoReply {
    return { data: { protocol_version: 1, version: demoVersion, provider: demoProvider, model: this.#model.id } }
  }

  models(): DemoReply {
    return { data: { models: demoModels.map(wireModel) } }
  }

  messages(): DemoReply {
    return { data: { messages: this.transcript.messages } }
  }

  state(cwd: string, busy: boolean): DemoReply {
    return {
      data: {
        provider: demoProvider,
        model: this.#model.id,
        reasoning: this.#level,
        cwd,
        message_count: this.transcript.messages.length,
        busy,
        usage: this.#meter.total,
      },
    }
  }

  clear(): DemoReply {
    this.transcript.clear()
    this.#meter.forget()
    return {}
  }

  setModel(command: DemoCommand): DemoReply {
    const id = textField(command, 'model')
    const model = demoModels.find(model => model.id === id)
    if (!model) return { error: `unknown model "${id}" (provider="${demoProvider}")` }
    if (model !== this.#model) this.#meter.forget()
    this.#model = model
    return { data: { model: id } }
  }

  setReasoning(command: DemoCommand): DemoReply {
    const level = reasoningLevel(textField(command, 'reasoning'))
    if (level === undefined) return { error: 'reasoning must be off|minimum|low|medium|high|xhigh|max' }
    this.#level = level
    return { data: { reasoning: level } }
  }

  /** Puts the model and reasoning level in use into a script's text. */
  fill(text: string): string {
    return text.replaceAll('{model}', this.#model.id).replaceAll('{reasoning}', this.#level || 'off')
  }

  /** The fields of `usage` for a model call that wrote these tokens. */
  usage(output: number): Spent & { cumulative: Spent } {
    return this.#meter.call({ model: this.#model, level: this.#level, context: this.transcript.tokens, output })
  }

  /** The fields of `usage` for a model call outside the conversation. */
  auxiliaryUsage(input: number, output: number): Spent & { cumulative: Spent } {
    return this.#meter.auxiliaryUsage(this.#model, input, output)
  }
}

function wireModel({ id, contextWindow, maxOutput, reasoning }: DemoModel): Readonly<Record<string, unknown>> {
  return { id, provider: demoProvider, context_window: contextWindow, max_output: maxOutput, reasoning }
}
