/**
 * The tools of a folder on another machine: each call goes to the program there (`zotui-tools.ts`). It is started with the first call, and
 * again with the first one after it was lost. A call is sent once: one whose answer is lost fails.
 */
import { createReader } from '../../agent/schema-reader.ts'
import { createLocalTools } from '../../local-tools/local-tools.ts'
import { failure, type LocalTools, type ToolOutcome } from '../../local-tools/tool.ts'
import { parseJson } from '../../text/json.ts'
import { sentence } from '../../text/sentence.ts'
import { lossOf } from '../host/explain-end.ts'
import type { Ending, Transport } from '../transport/transport.ts'
import { withTimeout } from '../transport/with-timeout.ts'
import { answered, type Answered, type RemoteToolRequest } from './wire.ts'

export type RemoteToolsOptions = {
  /** The absolute folder there. */
  folder: string
  /** The name of the machine. */
  machine: string
  connect: () => Transport
  /** Waits for a machine that can come back. Resolves to why it does not; null if it is there. */
  comeBack?: () => Promise<string | null>
  /** Milliseconds for the program to start, for a preview, and for a stopped call to end. */
  limits?: Partial<typeof LIMITS>
}

const LIMITS = { start: 45_000, preview: 45_000, stop: 6000 }

export const NO_SANDBOX_THERE =
  'Not run: this command may run only in the sandbox, and there is none on another machine.'

type RemoteToolResult = Extract<Answered, { type: 'preview' | 'outcome' }>
type RemoteToolCall = Exclude<RemoteToolRequest, { type: 'stop' }>

type OpenCall = {
  settle: (result: RemoteToolResult | string) => void
  onProgress?: ((text: string) => void) | undefined
}

/** The program there. */
type Link = {
  /** Resolves when it takes requests, or to why it does not. */
  ready: Promise<string | null>
  ask: (question: RemoteToolCall, call: OpenCall) => void
  stop: (id: number) => void
  /** Ends it: what it runs ends with it. */
  close: (why: string) => void
}

const unanswered = (why: string): ToolOutcome => failure(sentence(why))

export function createRemoteTools(options: RemoteToolsOptions): LocalTools {
  const { folder, machine, connect, comeBack } = options
  const limits = { ...LIMITS, ...options.limits }
  const { definitions } = createLocalTools({ folder, env: {} })
  let link: Promise<Link> | null = null
  let hasRun = false
  let count = 0

  function current(): Promise<Link> {
    if (link) return link
    const own = opened(() => {
      if (link === own) link = null
    })
    link = own
    return own
  }

  async function opened(onEnd: () => void): Promise<Link> {
    const isFirst = !hasRun
    hasRun = true
    // A place that was lost may come back as another one of its name.
    const problem = isFirst ? null : ((await comeBack?.()) ?? null)
    return problem === null ? connectTo(connect(), machine, onEnd) : goneLink(problem, onEnd)
  }

  /** Resolves to the answer, or to why there is none. */
  async function ask(make: (id: number) => RemoteToolCall, call: Omit<OpenCall, 'settle'>, signal?: AbortSignal) {
    const used = await current()
    const ready = await withTimeout(limits.start, used.ready)
    const why = ready === 'timed out' ? `the tools on ${machine} did not start` : ready
    if (why !== null) {
      used.close(why)
      return why
    }
    if (signal?.aborted) return 'aborted: context canceled'
    count += 1
    const question = make(count)
    const { promise, resolve } = Promise.withResolvers<RemoteToolResult | string>()
    used.ask(question, { ...call, settle: resolve })
    const late = `${machine} does not answer`
    const stop = (): void => {
      used.stop(question.id)
      timer ??= setTimeout(() => used.close(late), limits.stop)
    }
    let timer = question.type === 'preview' ? setTimeout(() => used.close(late), limits.preview) : undefined
    signal?.addEventListener('abort', stop)
    if (signal?.aborted) stop()
    const result = await promise
    signal?.removeEventListener('abort', stop)
    clearTimeout(timer)
    return result
  }

  return {
    definitions,
    sandbox: null,
    async preview(tool, args) {
      const result = await ask(id => ({ type: 'preview', id, tool, args }), {})
      if (typeof result === 'string') return { ok: false, outcome: unanswered(result) }
      return result.type === 'preview' ? withoutUndefined(result.preview) : { ok: false, outcome: WRONG }
    },
    async run(tool, args, { signal, onProgress, ...more } = {}) {
      const { expected = null, paths, box, openBox, mayLeaveFolder = false, limit } = more
      if (openBox || box?.kind === 'writing') return failure(NO_SANDBOX_THERE)
      const result = await ask(
        id => ({
          type: 'run',
          id,
          tool,
          args,
          expected,
          mayLeaveFolder,
          ...(paths && { paths: [...paths] }),
          ...(box && { box: { kind: 'reading', git: box.git?.map(([key, value]) => [key, value]) ?? null } }),
          ...(limit !== undefined && { limit }),
        }),
        { onProgress },
        signal,
      )
      if (typeof result === 'string') return unanswered(result)
      return result.type === 'outcome' ? outcomeOf(result.outcome) : WRONG
    },
    close() {
      const closing = link
      link = null
      void closing?.then(each => each.close('the conversation has ended'))
    },
  }
}

const WRONG = failure('The answer from the other machine could not be read.')

type WiredOutcome = Extract<Answered, { type: 'outcome' }>['outcome']
type WiredPreview = Extract<Answered, { type: 'preview' }>['preview']

function outcomeOf({ content, isError, exitCode, isCut }: WiredOutcome): ToolOutcome {
  return { content, isError, ...(exitCode !== undefined && { exitCode }), ...(isCut !== undefined && { isCut }) }
}

function withoutUndefined(preview: WiredPreview): Awaited<ReturnType<LocalTools['preview']>> {
  return preview.ok ? preview : { ok: false, outcome: outcomeOf(preview.outcome) }
}

function goneLink(why: string, onEnd: () => void): Link {
  return { ready: Promise.resolve(why), ask: (_question, { settle }) => settle(why), stop() {}, close: onEnd }
}

function connectTo(transport: Transport, machine: string, onEnd: () => void): Link {
  const read = createReader(() => answered)
  const open = new Map<number, OpenCall>()
  const { promise: ready, resolve: isReady } = Promise.withResolvers<string | null>()
  let gone: string | null = null

  function lose(why: string): void {
    if (gone !== null) return
    gone = why
    onEnd()
    isReady(why)
    for (const { settle } of open.values()) settle(why)
    open.clear()
  }

  transport.receive(
    line => {
      const answer = read(parseJson(line))
      if (!answer) return
      if (answer.type === 'ready') return isReady(null)
      const call = open.get(answer.id)
      if (answer.type === 'progress') return call?.onProgress?.(answer.text)
      open.delete(answer.id)
      call?.settle(answer)
    },
    () => lose(`an answer from ${machine} was too long`),
  )
  void transport.ended.then(ending => lose(reasonOf(ending, machine)))
  const send = (line: RemoteToolRequest): void => transport.write(JSON.stringify(line))
  return {
    ready,
    ask(question, call) {
      if (gone !== null) return call.settle(gone)
      open.set(question.id, call)
      send(question)
    },
    stop(id) {
      if (open.has(id)) send({ type: 'stop', id })
    },
    close(why) {
      lose(why)
      transport.closeInput()
    },
  }
}

function reasonOf({ lost, lastWords }: Ending, machine: string): string {
  if (lost) return lossOf(lost.target)
  const [words] = lastWords.slice(-1)
  return `the tools on ${machine} have ended${words === undefined ? '' : ` (${words})`}`
}
