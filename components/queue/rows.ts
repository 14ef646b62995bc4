/** The line of the waiting prompts. */
import { labelled } from '../../src/state/composer/chips.ts'
import { entryText } from '../../src/state/composer/queue-entry.ts'
import { isBusy, type AppState } from '../../src/state/state.ts'
import { laterTime } from '../../src/text/clock-time.ts'
import { keyedLine } from '../../src/text/key-hints.ts'
import { oneLine, sanitize } from '../../src/text/sanitize.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { displayWidth } from '../../src/text/lines/width.ts'
import { GAP } from '../../src/style/facts-line.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import type { Panel } from '../regions.ts'
import { rowOnly } from '../row-each.ts'

export const queue: Panel = {
  name: 'queue',
  draw: ({ state, theme, columns }) => rowOnly(queueLine(state, theme, columns)),
  spoken(before, now) {
    if (now.waitingDraft && !before.waitingDraft) return [sanitize(WAITS)]
    const { entries, paused } = now.queue
    if (entries.length === before.queue.entries.length && paused === before.queue.paused) return []
    return entries.length === 0 ? [] : [sanitize(`${entries.length} ${paused ? 'paused' : 'queued'}`)]
  },
}

/** A text that begins with a slash command and not with a path. */
const SLASH = /^\/[^\s/]*(?:\s|$)/

const INDENT = 2
const WAITS = 'waits until its images are read'
const TOO_MANY = 'too many conversations are working (turnsAtOnce)'

/** The waiting prompts on one line; null if there are none. */
export function queueLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { queue, edited, chips, keyNames, waitingDraft, limitWait, now } = state
  const quoted = (text: string): string => `"${oneLine(sanitize(labelled(text, chips)), theme.signs.newline)}"`
  if (waitingDraft)
    return theme.dim(truncate(sanitize(`  ${WAITS}   ${quoted(waitingDraft.text)}`), width, theme.signs.ellipsis))
  const texts = queue.entries.map(entry => quoted(entryText(entry)))
  const entries = edited ? texts.toSpliced(edited.at, 0, 'being edited') : texts
  const number = entries.length
  if (number === 0) return null
  const keys = keyedLine(keyNames, [enterWords(state), steerWords(state), '{composer.queue_previous} edits'], ', ')
  const line = (why: string): string =>
    [`${number} ${queue.paused ? 'paused' : 'queued'}${why}`, keys].filter(part => part !== '').join(GAP)
  // The hint has said so, and goes with the next key.
  const kept = limitWait?.kept ? queue.entries.indexOf(limitWait.kept) : -1
  const place = edited && edited.at <= kept ? kept + 2 : kept + 1
  const which = number === 1 ? 'sent' : `${place} sent`
  const wait = limitWait && kept >= 0 && queue.paused ? line(`, ${which} ${laterTime(limitWait.at, now)}`) : ''
  const reasoned = queue.isInLine && state.hint === null ? line(`: ${TOO_MANY}`) : wait
  const what = reasoned !== '' && displayWidth(reasoned) + INDENT <= width ? reasoned : line('')
  const previews = entries.map((text, index) => `${index + 1} ${text}`).join(GAP)
  const paint = queue.paused ? theme.warning : theme.dim
  const { ellipsis } = theme.signs
  const head = truncate(sanitize(`${' '.repeat(INDENT)}${what}`), width, ellipsis)
  const room = width - displayWidth(head) - GAP.length
  return room < 8 ? paint(head) : drawn`${paint(head)}   ${theme.dim(truncate(sanitize(previews), room, ellipsis))}`
}

/** The effect of the key that steers on the first entry. */
function steerWords({ queue, edited, editor, steering, chat }: AppState): string {
  const isOffered = steering === 'key' && editor.text === '' && !edited && chat.open?.kind === 'turn'
  return isOffered && queue.entries[0]?.kind === 'prompt' ? '{composer.steer} steers' : ''
}

/** The effect of Enter on a paused queue, or in spite of it. Its effect while the agent works is in the working line. */
function enterWords(state: AppState): string {
  const { queue, edited, editor, noting, chat } = state
  if (edited) return '{composer.submit} puts it back'
  if (!queue.paused || isBusy(state) || chat.agent.phase !== 'ready') return ''
  if (editor.text.trim() === '') return `{composer.submit} sends ${queue.entries.length === 1 ? 'it' : 'them'}`
  if (noting) return '{composer.submit} keeps only your note'
  const runs = editor.text.startsWith('!') || SLASH.test(editor.text)
  return runs ? '{composer.submit} runs only your command' : '{composer.submit} sends only your text'
}
