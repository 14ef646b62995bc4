/**
 * A model that says what a test wants: an HTTP server on loopback that speaks Anthropic Messages and OpenAI chat, one step
 * of its script for each request.
 *
 *     const gate = hold()
 *     const model = await startModel([reply().text('Hello ').wait(gate).text('world'), httpError(401, 'no')])
 *     await zotui.see('Hello')
 *     gate.release()
 *
 * The wire is chosen by the path that is asked for. After each test every model still running is stopped, and a request
 * that its script had no step for fails the test.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach } from 'vitest'

/** Where a script waits for the test. */
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

type Piece =
  | { type: 'text'; chunks: readonly string[] }
  | { type: 'tool'; id: string; name: string; fragments: readonly string[]; gate: Gate | undefined }
  | { type: 'wait'; gate: Gate }
  | { type: 'fail'; kind: string; message: string }
  | { type: 'cut' }

export type Step =
  | { type: 'reply'; pieces: readonly Piece[]; usage: Usage; stop: string | undefined }
  | { type: 'http'; status: number; body: string; headers: Record<string, string> }
  | { type: 'hang' }

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

export type ModelRequest = {
  path: string
  headers: IncomingMessage['headers']
  /** The parsed JSON body. */
  body: unknown
  /** Resolves when the agent has closed the connection before the answer was complete. */
  abandoned: Promise<void>
}

export type Model = {
  /** For `--base-url`. */
  readonly url: string
  /** Flags with which zot (and zotui) talks to this model and to nothing else. */
  readonly flags: readonly string[]
  /** All requests so far. */
  readonly requests: readonly ModelRequest[]
  /** Waits for the request with this number, from 1. */
  request(number: number, options?: { timeout?: number }): Promise<ModelRequest>
  /** Adds steps to the script. */
  say(...steps: Step[]): void
  close(): Promise<void>
}

let calls = 0
const nextCall = () => ++calls

const running = new Set<Model>()

afterEach(async () => {
  const models = [...running]
  await Promise.all(models.map(model => model.close()))
})

/** Starts a model that answers its first request by the first step of the script, and so on. */
export async function startModel(script: readonly Step[] = []): Promise<Model> {
  const steps = [...script]
  const requests: ModelRequest[] = []
  const unexpected: string[] = []
  const failures: unknown[] = []
  const listeners = new Set<() => void>()

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((failure: unknown) => {
      // A connection that the agent closed is its right; everything else is a mistake in here.
      if (!outgoing.destroyed) failures.push(failure)
      outgoing.destroy()
    })
  })

  async function answer(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const abandoned = Promise.withResolvers<void>()
    outgoing.on('close', () => {
      if (!outgoing.writableFinished) abandoned.resolve()
    })
    const body = await readBody(incoming)
    const path = incoming.url ?? ''
    const step = steps.shift()
    requests.push({ path, headers: incoming.headers, body, abandoned: abandoned.promise })
    for (const listener of listeners) listener()
    if (!step) {
      unexpected.push(`${incoming.method} ${path}`)
      refuse(outgoing, 400, 'this model has nothing more to say')
    } else if (step.type === 'http') {
      refuse(outgoing, step.status, step.body, step.headers)
    } else if (step.type === 'reply') {
      await (path.endsWith('/chat/completions') ? speakOpenAi : speakAnthropic)(step, outgoing)
    }
  }

  await listen(server)
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

  const model: Model = {
    url,
    requests,
    flags: `--provider anthropic --model claude-sonnet-4-5 --api-key x --base-url ${url} --no-ext --no-skill`.split(
      ' ',
    ),
    request: async (number, { timeout = 20_000 } = {}) => {
      const failure = new Error(`the model was asked ${requests.length} times, not ${number}, within ${timeout} ms`)
      return new Promise((resolve, reject) => {
        const look = () => {
          const found = requests[number - 1]
          if (!found) return
          clearTimeout(deadline)
          listeners.delete(look)
          resolve(found)
        }
        const deadline = setTimeout(() => {
          listeners.delete(look)
          failure.message = `the model was asked ${requests.length} times, not ${number}, within ${timeout} ms`
          reject(failure)
        }, timeout)
        listeners.add(look)
        look()
      })
    },
    say: (...more) => void steps.push(...more),
    close: async () => {
      if (!running.delete(model)) return
      const closed = new Promise(resolve => server.close(resolve))
      server.closeAllConnections()
      await closed
      if (failures.length > 0) throw failures[0]
      if (unexpected.length > 0) throw new Error(`the model's script had no step for: ${unexpected.join(', ')}`)
    },
  }
  running.add(model)
  return model
}

async function listen(server: Server): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
}

async function readBody(incoming: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  const text = Buffer.concat(chunks).toString('utf8')
  return text === '' ? null : JSON.parse(text)
}

function refuse(outgoing: ServerResponse, status: number, body: string, headers: Record<string, string> = {}): void {
  outgoing.writeHead(status, { 'content-type': 'application/json', ...headers })
  outgoing.end(body)
}

function openStream(outgoing: ServerResponse): void {
  outgoing.writeHead(200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
  outgoing.flushHeaders()
}

/** Writes one piece and waits until the system has taken it: a gate then stands behind what was really sent. */
async function send(outgoing: ServerResponse, text: string): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    outgoing.write(text, failure => (failure ? reject(failure) : resolve()))
  })
}

type Spoken = Extract<Step, { type: 'reply' }>

const stopOf = ({ stop, pieces }: Spoken): string =>
  stop ?? (pieces.some(piece => piece.type === 'tool') ? 'tool_use' : 'end_turn')

async function speakAnthropic(step: Spoken, outgoing: ServerResponse): Promise<void> {
  const { input = 10, output = 5, cacheRead = 0, cacheWrite = 0 } = step.usage
  const event = (type: string, data: object) =>
    send(outgoing, `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
  let index = 0
  // Nothing is said before the first piece that says something: a cut or a gate may come first.
  let begun = false
  const begin = async () => {
    if (begun) return
    begun = true
    openStream(outgoing)
    const usage = {
      input_tokens: input,
      output_tokens: 1,
      cache_read_input_tokens: cacheRead,
      cache_creation_input_tokens: cacheWrite,
    }
    await event('message_start', { message: { role: 'assistant', content: [], usage } })
  }

  for (const piece of step.pieces) {
    switch (piece.type) {
      case 'text':
        await begin()
        await event('content_block_start', { index, content_block: { type: 'text', text: '' } })
        for (const text of piece.chunks) {
          await event('content_block_delta', { index, delta: { type: 'text_delta', text } })
        }
        await event('content_block_stop', { index })
        index += 1
        break
      case 'tool': {
        await begin()
        const { id, name, fragments, gate } = piece
        await event('content_block_start', { index, content_block: { type: 'tool_use', id, name, input: {} } })
        for (const [at, partial] of fragments.entries()) {
          if (at > 0) await gate?.pass()
          await event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: partial } })
        }
        await event('content_block_stop', { index })
        index += 1
        break
      }
      case 'wait':
        await piece.gate.pass()
        break
      case 'fail':
        await begin()
        await event('error', { error: { type: piece.kind, message: piece.message } })
        outgoing.end()
        return
      case 'cut':
        outgoing.destroy()
        return
    }
  }
  await begin()
  await event('message_delta', { delta: { stop_reason: stopOf(step) }, usage: { output_tokens: output } })
  await event('message_stop', {})
  outgoing.end()
}

const openAiStops: Record<string, string> = { end_turn: 'stop', tool_use: 'tool_calls', max_tokens: 'length' }

async function speakOpenAi(step: Spoken, outgoing: ServerResponse): Promise<void> {
  const { input = 10, output = 5, cacheRead = 0 } = step.usage
  const data = (value: object) => send(outgoing, `data: ${JSON.stringify(value)}\n\n`)
  const choice = (delta: object, reason: string | null = null) =>
    data({ choices: [{ index: 0, delta, finish_reason: reason }] })
  let index = 0
  let begun = false
  const begin = () => {
    if (!begun) openStream(outgoing)
    begun = true
  }

  for (const piece of step.pieces) {
    switch (piece.type) {
      case 'text':
        begin()
        for (const content of piece.chunks) await choice({ content })
        break
      case 'tool': {
        begin()
        const { id, name, fragments, gate } = piece
        await choice({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: '' } }] })
        for (const [at, fragment] of fragments.entries()) {
          if (at > 0) await gate?.pass()
          await choice({ tool_calls: [{ index, function: { arguments: fragment } }] })
        }
        index += 1
        break
      }
      case 'wait':
        await piece.gate.pass()
        break
      case 'fail':
        begin()
        await data({ error: { type: piece.kind, message: piece.message } })
        outgoing.end()
        return
      case 'cut':
        outgoing.destroy()
        return
    }
  }
  begin()
  await choice({}, openAiStops[stopOf(step)] ?? stopOf(step))
  const usage = {
    prompt_tokens: input + cacheRead,
    completion_tokens: output,
    prompt_tokens_details: { cached_tokens: cacheRead },
  }
  await data({ choices: [], usage })
  outgoing.end('data: [DONE]\n\n')
}
