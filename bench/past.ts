/**
 * Years of sessions for the search, as zotui writes them: prompts, answers in pieces, commands with their output, files that were read,
 * edits with their diffs. Their words are those of the packages in `node_modules` and of this repository, so that few words are frequent
 * and many are rare, as in real sessions; names and numbers that occur once are among them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { AgentEvent } from '../src/agent/event.ts'
import { storedFolderName } from '../src/storage/folder-name.ts'
import { jsonLine } from '../src/storage/jsonl-write.ts'
import { FORMAT, type SessionLine } from '../src/storage/sessions/session-format.ts'
import { sessionPath } from '../src/storage/sessions/session-path.ts'
import { randomFrom } from './text.ts'

export type Past = {
  sessions: number
  bytes: number
}

const root = fileURLToPath(new URL('..', import.meta.url))
/** Bytes of text that the sessions quote. */
const QUOTED = 48 * 1024 * 1024
const DAY = 86_400_000
/** The time of the newest event. */
const END = Date.UTC(2026, 10, 27)
const AGENTS = ['zot', 'claude', 'codex', 'gemini', 'meerkat']
const FOLDERS = 40
/** The least and the most turns of a session. */
const TURNS = [3, 40] as const
const model = { provider: 'bench', model: 'bench-model', contextWindow: 200_000 }

/** Writes about `bytes` bytes of sessions into the folder with zotui's state. The same each time. */
export function writePast(stateFolder: string, bytes: number): Past {
  const random = randomFrom(45)
  const sources = readSources()
  let written = 0
  let sessions = 0
  // Newest first, so that a smaller past is the end of a larger one.
  for (let at = END; written < bytes; at -= DAY / 6) {
    const project = `/home/user/work/project-${Math.floor(random() ** 2 * FOLDERS)}`
    const folder = join(stateFolder, 'sessions', storedFolderName(project))
    const id = `${new Date(at).toISOString().replaceAll(/[-:]/g, '').slice(0, 15).replace('T', '-')}-${hex(random, 8)}`
    const text = sessionText({ id, project, at, sources, random })
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    writeFileSync(sessionPath(folder, id), text, { mode: 0o600 })
    written += Buffer.byteLength(text)
    sessions += 1
  }
  return { sessions, bytes: written }
}

type Source = { path: string; lines: readonly string[] }
type Making = { id: string; project: string; at: number; sources: readonly Source[]; random: () => number }

function sessionText({ id, project, at, sources, random }: Making): string {
  const agent = AGENTS[Math.floor(random() ** 2 * AGENTS.length)] ?? 'zot'
  const lines: SessionLine[] = [
    {
      type: 'session',
      format: FORMAT,
      id,
      folder: project,
      createdAt: at,
      agent,
      agentVersion: '1.0.0',
      provider: model.provider,
      model: model.model,
      parent: null,
    },
    { type: 'agent_starting', at, agent },
    { type: 'agent_started', at, agent, version: '1.0.0', ...model, reasoning: null, reasoningLevels: [] },
  ]
  const turns = TURNS[0] + Math.floor(random() ** 2 * (TURNS[1] - TURNS[0]))
  let now = at
  for (let turn = 0; turn < turns; turn += 1) {
    const events = turnEvents({ sources, random, project }, now)
    now = (events.at(-1)?.at ?? now) + 60_000
    for (const event of events) lines.push(event)
  }
  return lines.map(jsonLine).join('')
}

type Turn = { sources: readonly Source[]; random: () => number; project: string }

function turnEvents(making: Turn, begun: number): AgentEvent[] {
  const { random } = making
  let at = begun
  const later = (): number => (at += Math.ceil(random() * 4000))
  const events: AgentEvent[] = [
    { type: 'prompt_sent', at, text: prose(making, 10 + random() ** 3 * 200), images: [] },
    { type: 'prompt_accepted', at: later() },
  ]
  const steps = 1 + Math.floor(random() * 8)
  for (let step = 1; step <= steps; step += 1) {
    events.push({ type: 'step_started', at: later(), step }, { type: 'answer_started', at: later() })
    const text = step === steps ? prose(making, 400) : prose(making, 40)
    for (let from = 0; from < text.length; from += 400)
      events.push({ type: 'text_received', at: later(), text: text.slice(from, from + 400) })
    if (step < steps) events.push(...callEvents(making, text, later))
    else events.push({ type: 'answer_finished', at: later(), content: [{ type: 'text', text }] })
    const usage = { input: 1200, output: 300, cacheRead: 800, cacheWrite: 0, costUsd: 0.004, reasoning: null }
    events.push({ type: 'usage_reported', at: later(), usage, auxiliary: false })
    events.push({ type: 'step_ended', at, stop: step < steps ? 'tool_use' : 'end' })
  }
  events.push({ type: 'turn_ended', at: later() })
  return events
}

/** A call: a command, a file that is read, or an edit. */
function callEvents(making: Turn, text: string, later: () => number): AgentEvent[] {
  const { random } = making
  const id = `call_${hex(random, 16)}`
  const source = pick(making.sources, random)
  const kind = random()
  const [name, args, result] =
    kind < 0.45
      ? (['bash', { command: commandOf(source, random) }, output(making, source)] as const)
      : kind < 0.8
        ? (['read', { path: source.path }, excerpt(source, 20 + random() ** 2 * 380, random)] as const)
        : editOf(source, random)
  const failed = random() < 0.06
  const content = [{ type: 'text' as const, text: result }]
  const progress: AgentEvent[] =
    name === 'bash' ? [{ type: 'tool_progressed', at: later(), id, text: result.slice(0, 8000) }] : []
  return [
    { type: 'tool_drafted', at: later(), id, name },
    { type: 'tool_arguments_received', at: later(), id, text: JSON.stringify(args) },
    { type: 'tool_arguments_finished', at: later(), id },
    {
      type: 'answer_finished',
      at: later(),
      content: [
        { type: 'text', text },
        { type: 'tool_call', id, name, arguments: args },
      ],
    },
    { type: 'tool_called', at: later(), id, name, arguments: args },
    ...progress,
    { type: 'tool_finished', at: later(), id, failed, content },
  ]
}

function editOf(source: Source, random: () => number): readonly ['edit', unknown, string] {
  const old = excerpt(source, 2 + random() * 20, random)
  const fresh = old.replaceAll(/\b[a-z]{6,}\b/g, word => (random() < 0.2 ? `${word}${hex(random, 2)}` : word))
  return [
    'edit',
    { path: source.path, edits: [{ oldText: old, newText: fresh }] },
    `${old.replaceAll(/^/gm, '-')}\n${fresh.replaceAll(/^/gm, '+')}`,
  ]
}

function commandOf({ path }: Source, random: () => number): string {
  const commands = [
    `npx vitest run ${path}`,
    `git log --oneline -20 -- ${path}`,
    `grep -rn "${hex(random, 5)}" ${path} | head -40`,
    `sed -n 1,80p ${path}`,
    `git diff ${hex(random, 8)} -- ${path}`,
  ]
  return pick(commands, random)
}

/** What a program printed: lines with times, sums and numbers, and lines of a file. */
function output({ random }: Turn, source: Source): string {
  const lines = excerpt(source, 5 + random() ** 3 * 400, random).split('\n')
  return lines
    .map((line, index) => {
      if (random() < 0.7) return line
      return `[${index}.${hex(random, 3)}] ${hex(random, 10)} ${line.slice(0, 60)} ${Math.floor(random() * 100_000)}ms`
    })
    .join('\n')
}

/** About so many words from comments and documents. */
function prose({ sources, random }: Turn, words: number): string {
  let text = ''
  for (let left = words; left > 0;) {
    const lines = excerpt(pick(sources, random), 6, random)
      .replaceAll(/[{}();=<>/*|]+/g, ' ')
      .split(/\s+/)
    text += `${lines.slice(0, left).join(' ')}.\n\n`
    left -= lines.length
  }
  return text.trim()
}

function excerpt({ lines }: Source, count: number, random: () => number): string {
  const from = Math.floor(random() * Math.max(1, lines.length - count))
  return lines.slice(from, from + Math.ceil(count)).join('\n')
}

/** The files of the packages and of this repository, in an order that is the same each time. */
function readSources(): Source[] {
  const sources: Source[] = []
  let read = 0
  const files = ['src', 'docs', 'node_modules'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(entry => entry.isFile() && /(?<!\.min)\.(?:ts|js|mjs|md)$/.test(entry.name))
      .map(entry => relative(root, join(entry.parentPath, entry.name))),
  )
  const random = randomFrom(7)
  const shuffled = files.toSorted().map(path => ({ path, at: random() }))
  for (const { path } of shuffled.toSorted((a, b) => a.at - b.at)) {
    if (read > QUOTED) break
    const lines = readFileSync(join(root, path), 'utf8')
      .split('\n')
      .map(line => line.slice(0, 300))
    if (lines.length < 10) continue
    read += lines.reduce((sum, line) => sum + line.length, 0)
    sources.push({ path, lines })
  }
  return sources
}

function hex(random: () => number, digits: number): string {
  let text = ''
  while (text.length < digits) text += Math.floor(random() * 16).toString(16)
  return text
}

function pick<Value>(values: readonly Value[], random: () => number): Value {
  const value = values[Math.floor(random() * values.length)]
  if (value === undefined) throw new Error('nothing to choose from')
  return value
}
