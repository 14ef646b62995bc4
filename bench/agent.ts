/** Plays zot with real timing. Each prompt says what to play. */
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { startExtensions } from '../test/fixtures/agents/extensions.ts'
import { attacks, MODELS, type Attack } from './attacks.ts'
import { now, pace } from './clock.ts'
import { parsePlay, Recorder, type Play } from './play.ts'
import { makeAnswer } from './text.ts'

type Command = { id?: string; type: string; message?: string }

const MODEL = 'bench-model'
const PROVIDER = 'bench'
const spent = { input: 1200, output: 30, cache_read: 800, cache_write: 0, cost_usd: 0.0042, reasoning: null }

let recorder: Recorder | null = null

// The guard, where zotui wants it.
if (process.argv.includes('--ext')) void startExtensions()

createInterface({ input: process.stdin })
  .on('line', line => hear(JSON.parse(line) as Command))
  .on('close', () => process.exit())

function hear(command: Command): void {
  switch (command.type) {
    case 'hello':
      return reply(command, { protocol_version: 1, version: '0.0.0', provider: PROVIDER, model: MODEL })
    case 'get_state':
      return reply(command, { provider: PROVIDER, model: MODEL, cwd: process.cwd(), message_count: 0, busy: false })
    case 'get_models':
      return reply(command, {
        models: [MODEL, ...moreModels()].map(id => ({
          id,
          provider: PROVIDER,
          context_window: 200_000,
          max_output: 64_000,
          reasoning: false,
        })),
      })
    case 'prompt':
      return void run(command)
    case 'abort':
      if (recorder) recorder.abortedAt ??= now()
      return reply(command)
    default:
      return reply(command)
  }
}

/** As many as the file MODELS in the current folder says. */
function moreModels(): string[] {
  const count = existsSync(MODELS) ? Number(readFileSync(MODELS, 'utf8')) : 0
  return Array.from({ length: count }, (_, number) => `${MODEL}-abcdefghij-${number}`)
}

async function run(command: Command): Promise<void> {
  const message = command.message ?? ''
  const attack = attacks[message.split(' ')[1] ?? '']
  const play = parsePlay(message)
  reply(command, { started: true })
  say({ type: 'user_message', content: [text(message)], time: time() })
  say({ type: 'turn_start', step: 1 })
  say({ type: 'assistant_start' })
  const recorded = await (attack ? misbehave(attack) : play.kind === 'flood' ? flood(play) : answer(play))
  say({ type: 'done' })
  recorder = null
  recorded.finish()
}

async function answer({ count, rate, turn }: Play): Promise<Recorder> {
  const { deltas, text: whole } = makeAnswer(count, turn)
  const own = (recorder = new Recorder())
  await pace(count, rate, index => {
    const line = frame({ type: 'text_delta', delta: deltas[index] })
    own.time(() => process.stdout.write(line))
    return own.abortedAt === null
  })
  say({ type: 'usage', ...spent, cumulative: spent })
  say({ type: 'assistant_message', content: [text(whole)], time: time() })
  say({ type: 'turn_end', stop: 'end' })
  return own
}

/** Sends the frames of an attack as fast as they are read. */
function misbehave({ frames }: Attack): Recorder {
  const own = (recorder = new Recorder())
  for (const each of frames())
    own.time(() => (typeof each === 'string' ? process.stdout.write(`${each}\n`) : say(each)))
  return own
}

/** A command such as `yes`, until it is aborted. */
async function flood({ count, rate }: Play): Promise<Recorder> {
  const id = 't1'
  const args = { command: 'yes' }
  say({ type: 'tool_use_start', id, name: 'bash' })
  say({ type: 'tool_use_args', id, delta: JSON.stringify(args) })
  say({ type: 'tool_use_end', id })
  say({ type: 'usage', ...spent, cumulative: spent })
  say({ type: 'assistant_message', content: [{ type: 'tool_call', id, name: 'bash', args }], time: time() })
  say({ type: 'tool_call', id, name: 'bash', args })
  say({ type: 'turn_end', stop: 'tool_use' })
  const own = (recorder = new Recorder())
  await pace(count, rate, index => {
    const line = frame({ type: 'tool_progress', id, text: `yes ${index}\n` })
    own.time(() => process.stdout.write(line))
    return own.abortedAt === null
  })
  say({ type: 'tool_result', id, is_error: true, content: [text('$ yes\n\n[exit -1]  Took 5.0s')] })
  return own
}

function say(value: object): void {
  process.stdout.write(frame(value))
}

function reply({ id, type }: Command, data?: object): void {
  say({ command: type, id, success: true, type: 'response', ...(data ? { data } : {}) })
}

const frame = (value: object): string => `${JSON.stringify(value)}\n`
const text = (words: string): object => ({ type: 'text', text: words })
const time = (): string => new Date().toISOString()
