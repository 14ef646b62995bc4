/**
 * A model that says what a test wants: an HTTP server on loopback that speaks Anthropic Messages, OpenAI chat, OpenAI
 * Responses and the Gemini API, one step of its script for each request.
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
import { speakAnthropic } from './model/anthropic.ts'
import { speakGemini } from './model/gemini.ts'
import { speakOpenAiChat } from './model/openai-chat.ts'
import { speakOpenAiResponses } from './model/openai-responses.ts'
import type { Step } from './model/reply.ts'
import type { Speak } from './model/stream.ts'

export { cut, hang, hold, httpError, Reply, reply, type Gate, type Step } from './model/reply.ts'

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

/** A request before it is known whose it is. */
export type Asked = { method: string; path: string; body: unknown }

type ModelOptions = {
  /**
   * Answers what an agent asks beside the conversation, such as a title for it; null is for the script. Such a request
   * counts as none.
   */
  aside?: (asked: Asked) => Step | null
}

const running = new Set<Model>()

afterEach(async () => {
  const models = [...running]
  await Promise.all(models.map(model => model.close()))
})

/** Starts a model that answers its first request by the first step of the script, and so on. */
export async function startModel(script: readonly Step[] = [], { aside }: ModelOptions = {}): Promise<Model> {
  const steps = [...script]
  const requests: ModelRequest[] = []
  const unexpected: string[] = []
  const failures: unknown[] = []
  const listeners = new Set<() => void>()

  const server = createServer((incoming, outgoing) => {
    answer(incoming, outgoing).catch((failure: unknown) => {
      // A connection that the agent closed is its right; everything else is a mistake in here.
      if (!outgoing.destroyed && !isGone(failure)) failures.push(failure)
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
    const beside = aside?.({ method: incoming.method ?? '', path, body })
    const step = beside ?? steps.shift()
    if (!beside) {
      requests.push({ path, headers: incoming.headers, body, abandoned: abandoned.promise })
      for (const listener of listeners) listener()
    }
    if (!step) {
      unexpected.push(`${incoming.method} ${path}`)
      refuse(outgoing, 400, 'this model has nothing more to say')
    } else if (step.type === 'http') {
      refuse(outgoing, step.status, step.body, step.headers)
    } else if (step.type === 'reply') {
      await speakerOf(path)(step, outgoing, body)
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

const isGone = (failure: unknown): boolean =>
  failure instanceof Error && 'code' in failure && ['EPIPE', 'ECONNRESET'].includes(String(failure.code))

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

function speakerOf(path: string): Speak {
  const [plain = ''] = path.split('?')
  if (plain.endsWith('/chat/completions')) return speakOpenAiChat
  if (plain.endsWith(':streamGenerateContent')) return speakGemini
  return plain.endsWith('/responses') ? speakOpenAiResponses : speakAnthropic
}
