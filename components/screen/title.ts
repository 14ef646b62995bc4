/** Text outside the screen: the terminal's title, and notifications for a user who looks at another window. */
import { askerOf } from '../../src/conversation/queries/task-words.ts'
import { callInBrief } from '../../src/conversation/calls/call-in-brief.ts'
import { lastTurn } from '../../src/conversation/queries/last-turn.ts'
import { turnHeading } from '../../src/conversation/queries/shown-prompt.ts'
import type { ConversationRow } from '../../src/state/conversations/conversations.ts'
import { isBusy, type AppState } from '../../src/state/state.ts'
import { formatDuration } from '../../src/text/format.ts'
import { literal, oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'

/** Columns. */
const LONGEST_PROMPT = 60

const waits = literal`? `
const signs = { unicode: { busy: literal`● `, failed: literal`✗ ` }, ascii: { busy: literal`* `, failed: literal`x ` } }

/** A sign for the state, and the project: `● zotui: project`. */
export function windowTitle(state: AppState, project: SafeText, unicode: boolean): SafeText {
  return literal`${signOf(state, unicode)}zotui: ${project}`
}

function signOf(state: AppState, unicode: boolean): SafeText {
  const { busy, failed } = signs[unicode ? 'unicode' : 'ascii']
  if (isAsked(state)) return waits
  if (isBusy(state)) return busy
  if (lastTurn(state.chat.entries)?.outcome === 'failed') return failed
  return state.picker ? waits : literal``
}

/** Whether a question waits for the user. */
export function isAsked({ chat, question }: AppState): boolean {
  return chat.questions.length + chat.forms.length > 0 || question !== null
}

/** A notification with the subject of the agent's question. */
export function askedWords({ chat }: AppState): SafeText {
  const [call] = chat.questions
  const asker = askerOf(chat, call ? call.task : chat.forms[0]?.task)
  const subject = `${asker === null ? '' : `${asker}: `}${call ? callInBrief(call) : 'a question'}`
  return oneLine(
    sanitize(`waits for you: ${truncate(oneLine(sanitize(subject.slice(0, 1000))), LONGEST_PROMPT, '...')}`),
  )
}

/** A notification that a turn or a compaction has ended, with its outcome. */
export function endedWords({ chat }: AppState, kind: 'turn' | 'compaction', milliseconds: number): SafeText {
  const ended = chat.entries.findLast(entry => entry.kind === kind)
  const heading = ended?.kind === 'turn' ? turnHeading(ended).slice(0, 1000) : kind === 'turn' ? '' : kind
  const prompt = truncate(oneLine(sanitize(heading)), LONGEST_PROMPT, '...')
  const outcome = ended && 'outcome' in ended ? ended.outcome : null
  const how = outcome === 'failed' ? 'failed' : outcome === 'aborted' ? 'stopped' : 'done'
  return oneLine(sanitize(`${how} after ${formatDuration(milliseconds)}: ${prompt}`))
}

/** A notification about a conversation that is not shown, with its name. */
export function newsWords(row: ConversationRow, milliseconds: number): { title: SafeText; body: SafeText } {
  const { state, number, title, call } = row
  const name = truncate(oneLine(sanitize(title)), LONGEST_PROMPT, '...')
  const what =
    state === 'asks'
      ? `waits for you: ${call?.subject.slice(0, 1000) ?? 'a question'}`
      : `${state} after ${formatDuration(milliseconds)}`
  return {
    title: oneLine(sanitize(`zotui: ${number} ${name}`.trimEnd())),
    body: truncate(oneLine(sanitize(what)), 2 * LONGEST_PROMPT, '...'),
  }
}
