/**
 * The tools of zotui on another machine: a program that zotui starts there, over a connection of its own. It runs what zotui has allowed,
 * and decides nothing. When its input ends, as at a lost connection, it ends what it runs, and itself.
 *
 * All of it comes through that connection. Nothing of it is written there.
 */
import process from 'node:process'
import { createReader } from '../../agent/schema-reader.ts'
import { createLocalTools } from '../../local-tools/local-tools.ts'
import { parseJson } from '../../text/json.ts'
import { signalProcess } from '../tool-host/end-process.ts'
import { createRunningHere } from '../tool-host/running-here.ts'
import { createLineSplitter } from '../transport/lines.ts'
import { asked, type Answered, type RemoteToolRequest } from './wire.ts'

/** Milliseconds for what runs to end by itself. */
const END_GRACE = 3000
/** Milliseconds for what is killed to be gone. */
const KILL_GRACE = 1000
/** Bytes that may wait for the connection before further output of a running command is left out. Its result has it. */
const MOST_WAITING = 1024 * 1024

const folder = process.argv.at(-1) ?? '.'
const tools = createLocalTools({ folder, env: process.env })
const commands = createRunningHere()
const running = new Map<number, AbortController>()
const read = createReader(() => asked)
let isEnding = false

function say(line: Answered): void {
  process.stdout.write(`${JSON.stringify(line)}\n`)
}

async function carryOut(request: RemoteToolRequest): Promise<void> {
  const { type, id } = request
  if (type === 'stop') return running.get(id)?.abort()
  if (type === 'preview') return say({ type, id, preview: copyOf(await tools.preview(request.tool, request.args)) })
  const stop = new AbortController()
  running.set(id, stop)
  const { tool, args, expected = null, paths, box, mayLeaveFolder = false, limit } = request
  const { content, isError, exitCode, isCut } = await tools.run(tool, args, {
    expected,
    box,
    mayLeaveFolder,
    ...(paths && { paths }),
    ...(limit !== undefined && { limit }),
    signal: stop.signal,
    onProgress(text) {
      if (process.stdout.writableLength < MOST_WAITING) say({ type: 'progress', id, text })
    },
    watch: leader => commands.began(leader, String(id), ''),
  })
  running.delete(id)
  const facts = { ...(exitCode !== undefined && { exitCode }), ...(isCut !== undefined && { isCut }) }
  say({ type: 'outcome', id, outcome: { content: [...content], isError, ...facts } })
}

function copyOf(preview: Awaited<ReturnType<typeof tools.preview>>): Extract<Answered, { type: 'preview' }>['preview'] {
  if (preview.ok) return { ...preview, paths: [...preview.paths], named: [...preview.named] }
  const { content, isError } = preview.outcome
  return { ok: false, outcome: { content: [...content], isError } }
}

async function end(): Promise<void> {
  if (isEnding) return
  isEnding = true
  setTimeout(() => process.exit(0), END_GRACE + 2 * KILL_GRACE).unref()
  for (const stop of running.values()) stop.abort()
  const began = performance.now()
  let left = await commands.list()
  for (const { pid } of left) await commands.end(pid)
  while ((running.size > 0 || left.length > 0) && performance.now() - began < END_GRACE) {
    await new Promise(resolve => setTimeout(resolve, 50))
    left = await commands.list()
  }
  // One may ignore a mere request to end, and leave others behind when it is killed.
  while (left.length > 0 && performance.now() - began < END_GRACE + KILL_GRACE) {
    for (const { pid } of left) signalProcess(pid, 'SIGKILL')
    await new Promise(resolve => setTimeout(resolve, 20))
    left = await commands.list()
  }
  process.exit(0)
}

const lines = createLineSplitter({
  onLine(line) {
    const request = read(parseJson(line))
    if (request && !isEnding) void carryOut(request)
  },
})
process.stdin.on('data', (piece: Buffer) => lines.push(piece))
process.stdin.on('end', () => void end())
process.stdin.on('error', () => void end())
process.stdout.on('error', () => void end())
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, () => void end())
process.stdin.resume()
say({ type: 'ready' })
