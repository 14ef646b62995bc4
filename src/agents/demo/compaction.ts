import type { DemoOperation, Stage } from './operation.ts'
import type { MessageBlock, Message } from './transcript.ts'

/** Milliseconds for which the demo pretends to summarise. */
const duration = 2_000

/**
 * Replaces the conversation with a summary. It ends as zot's does: with `compact_done`, with `error`, or without an event
 * after an abort.
 */
export function createCompaction(stage: Stage): DemoOperation {
  const { timers, transcript, emit } = stage
  let cancel: (() => void) | undefined
  const finish = (): void => {
    stage.ended()
    if (!transcript.compactable) return emit({ type: 'error', message: 'nothing to compact' })
    const summary = summarise(transcript.messages)
    transcript.compact(summary, stage.time())
    emit({ type: 'compact_done', summary })
  }
  return {
    start() {
      cancel = timers.after(stage.speed === 0 || !transcript.compactable ? 0 : duration / stage.speed, finish)
    },
    abort() {
      cancel?.()
      stage.ended()
    },
    stop: () => cancel?.(),
  }
}

function summarise(messages: readonly Message[]): string {
  const asked = messages.filter(message => message.role === 'user').map(message => firstLine(message.content))
  const tools = messages.filter(message => message.role === 'tool').flatMap(message => message.content).length
  return [
    '## Goal',
    'To try zotui on its built-in demo agent.',
    '',
    '## What happened',
    ...asked.filter(line => line !== '').map(line => `- You asked: ${line}`),
    `- ${tools} tool ${tools === 1 ? 'call was' : 'calls were'} shown; nothing was touched.`,
    '',
    '## Next',
    'Ask for something else. `help` lists what can be asked for.',
  ].join('\n')
}

function firstLine(content: readonly MessageBlock[]): string {
  const text = content.map(block => (typeof block['text'] === 'string' ? block['text'] : '')).join(' ')
  const line = text.replace(/^## .*\n+/, '').split('\n', 1)[0] ?? ''
  return line.length > 60 ? `${line.slice(0, 59).toWellFormed()}…` : line
}
