/**
 * The guard: an extension of zot that asks zotui about every call before it runs. zot starts it, from a folder that zotui made.
 *
 *     zot  <- standard input and output, JSON lines ->  guard  <- socket, the same lines ->  zotui
 *
 * It decides nothing. zot's questions about its own tools go to zotui, and zotui's answers to zot; a missing answer is a refusal,
 * because zot itself would run a call that nobody answered within 5 s. The tools that the guard offers are zotui's: zot gets a mark in
 * the place of their arguments at once, and zotui the mark with the call. A call that comes without its mark is not carried out.
 * zotui sends the result of a tool that only reads by the mark, without waiting for zot's call: that and the result meet here.
 *
 * It is a program of its own and imports nothing of zotui, so that it starts fast and can be read on its own.
 */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import process from 'node:process'
import { setFlagsFromString } from 'node:v8'

/** zot runs the call after 5 s without an answer, in milliseconds. */
const INTERCEPT_LIMIT = 4500
/** zot gives up on a tool of an extension after 60 s, in milliseconds. */
const TOOL_LIMIT = 58_000
/** zot becomes deaf to an extension that writes a line of 4 MiB. In bytes, with the newline. */
const LONGEST_LINE = 4 * 1024 * 1024 - 1024
/** zot ends with its input, but some only after the model has answered. In milliseconds. */
const ZOT_MAY_OUTLIVE = 2000
/** Hexadecimal digits of a mark. */
const MARK_DIGITS = 16
const UNANSWERED = 'Not run: zotui did not answer in time.'
const UNSURE = 'zotui did not answer in time. Check whether this was done before you repeat it.'
const TOO_LONG = 'Not run: this call is too long for zotui to ask about it. Make it shorter, or in several steps.'
const ALONE = 'Not run: the connection to zotui is lost, and without it nothing may run.'

type OfferedTool = { name: string }
type GuardLine = {
  type?: unknown
  id?: unknown
  event?: unknown
  tool_name?: unknown
  name?: unknown
  args?: { zotui_call?: unknown } | null
  tools?: readonly OfferedTool[]
  early?: readonly string[]
}
/** A call that zot got a mark for: the id with which zot makes it, and zotui's result, whichever comes first. */
type MarkedCall = { tool: unknown; id: string | null; result: string | null }

/** The name of zotui's socket. */
const [socketName = ''] = process.argv.slice(2)
const socket = connect(socketName)
/** The questions that zot waits for, by their ids. */
const waiting = new Map<string, { refuse: (why: string) => void; timer: NodeJS.Timeout }>()
/** The calls of the current step, by their marks. */
const marked = new Map<string, MarkedCall>()
/** The names of the tools that zotui carries out. */
let offered: ReadonlySet<unknown> = new Set()
/** The names of those whose results come by their marks. */
let early: ReadonlySet<unknown> = new Set()
/** Why everything is refused from now on; null while zotui is there. */
let lost: string | null = null
let hasReceived = false
/** Random digits for marks: many at once, since asking for them takes longer than the rest of a mark. */
let digits = ''
/** The process that started us: it has another number once zot has ended. */
const zot = process.ppid

socket.on('data', lineReader(fromZotui))
socket.on('error', () => loseZotui())
socket.on('close', () => loseZotui())
process.stdin.on('data', lineReader(fromZot))
process.stdin.on('end', () => process.exit(0))
process.stdout.on('error', () => process.exit(1))
// A mistake in here must never end in a call that runs.
process.on('uncaughtException', error => {
  process.stderr.write(`zotui-guard: ${error.message}\n`)
  loseZotui()
})

function fromZot(line: string): void {
  const frame = JSON.parse(line) as GuardLine
  const id = String(frame.id)
  switch (frame.type) {
    case 'event_intercept':
      if (lost === null && frame.event === 'tool_call' && offered.has(frame.tool_name))
        return markCall(frame.tool_name, id, line)
      if (frame.event === 'turn_start') endStep()
      expectAnswer(id, INTERCEPT_LIMIT, reason =>
        sendToZot({ type: 'event_intercept_response', id, block: true, reason }),
      )
      return sendToZotui(line)
    case 'tool_call':
      expectAnswer(id, TOOL_LIMIT, why => {
        const text = why === UNANSWERED ? UNSURE : why
        sendToZot({ type: 'tool_result', id, is_error: true, content: [{ type: 'text', text }] })
      })
      return claim(frame.name, String(frame.args?.zotui_call), id) ? undefined : sendToZotui(line)
    case 'event':
      // zot sends this once all extensions are ready. It reaches only those that intercept by now: the proof that we do.
      if (frame.event !== 'session_start') return
      compileOnce()
      return sendToZotui(JSON.stringify({ type: 'ready', pid: process.pid, zot }))
    case 'shutdown':
      sendToZot({ type: 'shutdown_ack' })
      return process.exit(0)
    case 'hello_ack':
    case 'tool_cancel':
      return sendToZotui(line)
    default:
  }
}

/** The mark is random, so that no model can write it. zotui gets it first: zot's call with it may follow at once. */
function markCall(tool: unknown, id: string, line: string): void {
  const mark = nextMark()
  marked.set(mark, { tool, id: null, result: null })
  sendToZotui(`{"type":"own_call","mark":"${mark}","call":${line}}`)
  sendToZot({ type: 'event_intercept_response', id, modified_args: { zotui_call: mark } })
}

function nextMark(): string {
  if (digits === '') digits = randomBytes(MARK_DIGITS * 32).toString('hex')
  const mark = digits.slice(0, MARK_DIGITS)
  digits = digits.slice(MARK_DIGITS)
  return mark
}

/**
 * Leaves out V8's two optimizing compilers: they take more time than all calls of a session, and from the programs that work on a
 * call at the same time. To be called when all of Node that is needed is loaded: V8 refuses Node's code cache after that.
 */
function compileOnce(): void {
  for (const compiler of ['maglev', 'turbofan']) setFlagsFromString(`--no-${compiler}`)
}

/** zot makes a call. Whether its result comes by its mark; if not, the call is reported to zotui. A mark is good for one call. */
function claim(tool: unknown, mark: string, id: string): boolean {
  const call = marked.get(mark)
  if (!call || call.tool !== tool || call.id !== null) {
    // zot did not wait for the mark of this call: it will not come.
    for (const [other, { tool: its, id: made }] of marked) if (its === tool && made === null) marked.delete(other)
    return false
  }
  call.id = id
  if (!early.has(tool)) return false
  deliver(mark, call)
  return true
}

/** All calls of the last step have ended. zot has made them all, unless it carried one out itself. */
function endStep(): void {
  if ([...marked.values()].some(({ id }) => id === null)) sendToZotui('{"type":"unmade"}')
  marked.clear()
}

function deliver(mark: string, { id, result }: MarkedCall): void {
  if (id === null || result === null) return
  marked.delete(mark)
  answerZot(id, `{"type":"tool_result","id":${JSON.stringify(id)}${result.slice(BY_MARK.length + mark.length + 1)}`)
}

/** Without zotui, zot must not take this process for a guard: it gets a hello only after zotui has listed the tools. */
function sayHello({ tools = [], early: byMark = [] }: GuardLine): void {
  hasReceived = true
  early = new Set(byMark)
  offered = new Set(tools.map(({ name }) => name))
  sendToZot(
    { type: 'hello', name: 'zotui-guard', version: '1', capabilities: ['tools', 'events'] },
    ...tools.map(registration),
    { type: 'subscribe', events: ['session_start'], intercept: ['tool_call', 'turn_start'] },
    { type: 'ready' },
  )
}

function registration(tool: object): object {
  return { type: 'register_tool', ...tool }
}

/** The beginning of a result by its mark. It is not parsed: it may be long, and zot waits for it. */
const BY_MARK = '{"type":"tool_result","mark":"'

function fromZotui(line: string): void {
  if (line.startsWith(BY_MARK)) {
    const mark = line.slice(BY_MARK.length, BY_MARK.length + MARK_DIGITS)
    const call = marked.get(mark)
    if (!call) return
    call.result = line
    return deliver(mark, call)
  }
  const frame = JSON.parse(line) as GuardLine
  if (frame.type === 'tools') return sayHello(frame)
  if (frame.type === 'ping') return sendToZotui('{"type":"pong"}')
  answerZot(String(frame.id), line)
}

function answerZot(id: string, line: string): void {
  const question = waiting.get(id)
  // It was refused meanwhile.
  if (!question) return
  if (Buffer.byteLength(line) > LONGEST_LINE) return question.refuse(TOO_LONG)
  forget(id)
  process.stdout.write(`${line}\n`)
}

/** Begins to wait for zotui's answer to zot's question. */
function expectAnswer(id: string, limit: number, answer: (why: string) => void): void {
  const refuse = (why: string): void => {
    forget(id)
    answer(why)
  }
  if (lost !== null) return answer(lost)
  waiting.set(id, { refuse, timer: setTimeout(refuse, limit, UNANSWERED) })
}

function forget(id: string): void {
  clearTimeout(waiting.get(id)?.timer)
  waiting.delete(id)
}

/** Refuses what waits and whatever comes. zotui ends zot when the socket closes; if zotui is gone, we do. */
function loseZotui(): void {
  // zot says hello to no guard then, and zotui ends a zot whose guard did not come.
  if (!hasReceived) process.exit(1)
  if (lost === null) setTimeout(endZot, ZOT_MAY_OUTLIVE)
  lost = ALONE
  for (const { refuse } of waiting.values()) refuse(ALONE)
  socket.destroy()
}

function endZot(): void {
  if (process.ppid === zot) process.kill(zot, 'SIGKILL')
}

function sendToZot(...frames: readonly object[]): void {
  process.stdout.write(frames.map(frame => `${JSON.stringify(frame)}\n`).join(''))
}

function sendToZotui(line: string): void {
  if (lost === null) socket.write(`${line}\n`)
}

/** Splits bytes into lines. A line may be many megabytes long, and a piece may end inside a character. */
function lineReader(onLine: (line: string) => void): (piece: Buffer) => void {
  let begun: Buffer[] = []
  return piece => {
    let start = 0
    for (let end = piece.indexOf(10); end !== -1; end = piece.indexOf(10, start)) {
      const line = Buffer.concat([...begun, piece.subarray(start, end)]).toString('utf8')
      begun = []
      start = end + 1
      if (line.trim() !== '') onLine(line)
    }
    if (start < piece.length) begun.push(piece.subarray(start))
  }
}
