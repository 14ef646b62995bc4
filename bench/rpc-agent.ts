/** Shared by the bench's agents that speak JSON-RPC: they play the same answers as `agent.ts`, with real timing. */
import process from 'node:process'
import { createInterface } from 'node:readline'
import { now, pace } from './clock.ts'
import { LISTED_AT, parsePlay, Recorder } from './play.ts'
import { makeAnswer } from './text.ts'

export type RpcAgentRequest = { id?: number; method: string; params?: Readonly<Record<string, unknown>> }

/** The lines of an answer. */
export type RpcAnswer = {
  prompt: string
  /** The line for a piece of its text. */
  delta: (text: string | undefined) => string
  /** The line that comes three times in an answer with lists. */
  list?: string
  /** The lines of what works beside the answer: before it, and with each piece of it. */
  beside?: { before: string; with: (index: number, text: string | undefined) => string }
  /** Ends the turn. */
  end: (isAborted: boolean) => void
}

let recorder: Recorder | null = null

/** Reads requests until its input is closed, then ends. */
export function serve(hear: (request: RpcAgentRequest) => void): void {
  createInterface({ input: process.stdin })
    .on('line', line => hear(JSON.parse(line) as RpcAgentRequest))
    .on('close', () => process.exit())
}

/** Answers a request; a notification needs no answer. */
export function reply(id: number | undefined, result: object): void {
  if (id !== undefined) process.stdout.write(line({ id, result }))
}

export function line(frame: object): string {
  return `${JSON.stringify({ jsonrpc: '2.0', ...frame })}\n`
}

/** Stops the answer that is being played. */
export function abort(): void {
  if (recorder) recorder.abortedAt ??= now()
}

export async function play({ prompt, delta, list, beside, end }: RpcAnswer): Promise<void> {
  const { kind, count, rate, turn } = parsePlay(prompt)
  const { deltas } = makeAnswer(count, turn)
  const own = (recorder = new Recorder())
  const listed = new Set(kind === 'commands' ? LISTED_AT.map(share => Math.floor(count * share)) : [])
  const others = kind === 'subagents' ? beside : undefined
  if (others) process.stdout.write(others.before)
  await pace(count, rate, index => {
    if (list !== undefined && listed.has(index)) process.stdout.write(list)
    const text = delta(deltas[index]) + (others?.with(index, deltas[index]) ?? '')
    own.time(() => process.stdout.write(text))
    return own.abortedAt === null
  })
  end(own.abortedAt !== null)
  recorder = null
  own.finish()
}
