/** The words of a scripted model: texts, thoughts, tool calls, pauses and failures, in order. */

/** A place where a script waits for the test. */
export type Gate = {
  /** Resolves when the script has come to it: everything before it has been sent. */
  readonly reached: Promise<void>
  release(): void
  /** The script's side of it. */
  pass(): Promise<void>
}

export function hold(): Gate {
  const arrival = Promise.withResolvers<void>()
  const opening = Promise.withResolvers<void>()
  return {
    reached: arrival.promise,
    release: opening.resolve,
    pass: () => {
      arrival.resolve()
      return opening.promise
    },
  }
}

export type Usage = { input?: number; output?: number; cacheRead?: number; cacheWrite?: number }

export type Piece =
  | { type: 'text'; chunks: readonly string[] }
  | { type: 'thought'; chunks: readonly string[] }
  | { type: 'tool'; id: string; name: string; fragments: readonly string[]; gate: Gate | undefined }
  | { type: 'wait'; gate: Gate }
  | { type: 'fail'; kind: string; message: string }
  | { type: 'cut' }

export type Step =
  | { type: 'reply'; pieces: readonly Piece[]; usage: Usage; stop: string | undefined }
  | { type: 'http'; status: number; body: string; headers: Record<string, string> }
  | { type: 'hang' }

export type Spoken = Extract<Step, { type: 'reply' }>

/** An answer, told in order; each call adds to it and gives a new one. */
export class Reply {
  readonly type = 'reply'
  readonly pieces: readonly Piece[]
  readonly usage: Usage
  readonly stop: string | undefined

  constructor(pieces: readonly Piece[] = [], usage: Usage = {}, stop?: string) {
    this.pieces = pieces
    this.usage = usage
    this.stop = stop
  }

  /** Text, one delta a chunk. */
  text(...chunks: string[]): Reply {
    return this.#with({ type: 'text', chunks })
  }

  /** Thinking that the user may read, one delta a chunk. */
  thought(...chunks: string[]): Reply {
    return this.#with({ type: 'thought', chunks })
  }

  /** A tool call; the agent runs it when the reply has ended. `gate` holds the model in the middle of the arguments. */
  tool(name: string, input: unknown, { id, gate }: { id?: string; gate?: Gate } = {}): Reply {
    const json = typeof input === 'string' ? input : JSON.stringify(input)
    const middle = Math.ceil(json.length / 2)
    const fragments = [json.slice(0, middle), json.slice(middle)]
    return this.#with({ type: 'tool', id: id ?? `call_${nextCall()}`, name, fragments, gate })
  }

  /** Sends nothing more until the test releases the gate. */
  wait(gate: Gate): Reply {
    return this.#with({ type: 'wait', gate })
  }

  /** An error in the middle of the stream. */
  fail(kind: string, message: string): Reply {
    return this.#with({ type: 'fail', kind, message })
  }

  /** Closes the connection without a word. */
  cut(): Reply {
    return this.#with({ type: 'cut' })
  }

  /** Tokens, as the provider reports them. */
  using(usage: Usage): Reply {
    return new Reply(this.pieces, usage, this.stop)
  }

  /** Why it stopped, in the words of Anthropic, such as `max_tokens`. */
  stopping(reason: string): Reply {
    return new Reply(this.pieces, this.usage, reason)
  }

  #with(piece: Piece): Reply {
    return new Reply([...this.pieces, piece], this.usage, this.stop)
  }
}

export const reply = (): Reply => new Reply()

/** A refusal before any stream. Agents try 429 and 5xx again, in their own time; 400 and 401 they do not. */
export const httpError = (status: number, body: string, headers: Record<string, string> = {}): Step => ({
  type: 'http',
  status,
  body,
  headers,
})

/** Takes the request and never answers. */
export const hang = (): Step => ({ type: 'hang' })

/** Ends the connection before anything was said. */
export const cut = (): Step => reply().cut()

let calls = 0
const nextCall = () => ++calls
