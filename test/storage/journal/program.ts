/**
 * A program with a journal, for tests that kill it. Takes its folders as JSON in its first argument and commands, one line of
 * JSON each, and answers each with a line.
 */
import { writeSync } from 'node:fs'
import { flushCompileCache } from 'node:module'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { openDrafts } from '../../../src/storage/journal/drafts.ts'
import type { Drafts, Unsent } from '../../../src/storage/journal/drafts.ts'
import { openHistory } from '../../../src/storage/journal/history.ts'
import type { HistoryLimits, HistoryOptions } from '../../../src/storage/journal/history.ts'

export type Command =
  | { do: 'open' }
  | { do: 'save'; state: Unsent }
  | { do: 'close' }
  /** Goes on saving and flushing states whose draft is a growing number, until it is killed; a line for each. */
  | { do: 'type on' }
  /** Adds `count` prompts, each named and up to `size` characters long. */
  | { do: 'append'; name: string; count: number; size: number }

export type Answer = {
  adopted?: Drafts['adopted']
  remembered?: string[]
  problems?: string[]
  typed?: number
}

type Folders = { stateFolder: string; projectFolder: string; limits?: HistoryLimits }

const folders = JSON.parse(process.argv[2] ?? '{}') as Folders
const problems: string[] = []
const onProblem = (words: string): unknown => problems.push(words)
let drafts: Drafts | null = null

function answer(words: Answer): void {
  // A kill loses lines that wait in a stream.
  writeSync(1, `${JSON.stringify(words)}\n`)
}

function open(): Answer {
  const remembered: string[] = []
  drafts = openDrafts({
    ...folders,
    now: () => Date.now(),
    timers: {
      after(ms, run) {
        const timeout = setTimeout(run, ms)
        return () => clearTimeout(timeout)
      },
    },
    remember: text => remembered.push(text),
    onProblem,
  })
  return { adopted: drafts.adopted, remembered, problems }
}

function typeOn(typed: number): void {
  drafts?.save({ draft: `${typed} ${'x'.repeat((typed * 7919) % 20_000)}`, queue: [String(typed)], held: false })
  drafts?.flushSync()
  answer({ typed })
  setImmediate(typeOn, typed + 1)
}

function append(name: string, count: number, size: number): Answer {
  const options: HistoryOptions = { ...folders, now: () => Date.now(), onProblem }
  const history = openHistory(options)
  for (let i = 0; i < count; i += 1) history.append(`${name} ${i} ${'é'.repeat((i * 7919) % size)}`)
  return { problems }
}

function perform(command: Command): Answer | null {
  switch (command.do) {
    case 'open':
      return open()
    case 'save':
      drafts?.save(command.state)
      return {}
    case 'close':
      drafts?.close()
      return {}
    case 'type on':
      typeOn(0)
      return null
    case 'append':
      return append(command.name, command.count, command.size)
  }
}

// Nothing is kept by a process that is killed.
flushCompileCache()
createInterface({ input: process.stdin }).on('line', line => {
  const words = perform(JSON.parse(line) as Command)
  if (words !== null) answer(words)
})
