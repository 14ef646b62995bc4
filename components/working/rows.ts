/** The working line: the current activity of the agent, of the user's command or of the exit. */
import { isBusy, visibleQuestion, type AppState } from '../../src/state/state.ts'
import { providerErrorOf, type ProviderErrorKind } from '../../src/conversation/queries/provider-error.ts'
import { causeWords } from '../../src/conversation/queries/shown-prompt.ts'
import {
  askedAt,
  awaitedSubagents,
  awaitsModelSince,
  isAsked,
  isRunning,
  silentFor,
} from '../../src/conversation/queries/silence.ts'
import { taskName, workBeside, workCounts } from '../../src/conversation/queries/work-beside.ts'
import type { Part } from '../../src/conversation/part.ts'
import { keyed, type KeyNames } from '../../src/text/key-hints.ts'
import { formatDuration, formatPercent } from '../../src/text/format.ts'
import { truncate } from '../../src/text/lines/shorten.ts'
import { literal, oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'
import { factsLine, type Fact } from '../../src/style/facts-line.ts'
import { drawn, type Styled } from '../../src/style/styled.ts'
import type { Theme } from '../../src/style/theme.ts'
import { spinner } from '../../src/tools/panel/title.ts'
import type { Panel } from '../regions.ts'
import { rowOnly } from '../row-each.ts'

const AWAITS = 'waiting for the model'
const AWAITS_SHORT = 'waiting for model'
/** The milliseconds of a turn after which a wait for the model gets a time of its own. */
const LATER = 5000
const OPENING = 'loading the session'
const STOPS = '{composer.stop} stops'
const KILLS = '{composer.stop} stops, then {composer.interrupt} kills it'
const QUEUES = '{composer.submit} queues'
const STEERS = '{composer.submit} steers'
const KEY_STEERS = '{composer.steer} steers'
const KEY_QUEUES = '{composer.steer} queues'

export const working: Panel = {
  name: 'working',
  draw: ({ state, theme, columns }) => rowOnly(workingLine(state, theme, columns)),
  spoken(before, now) {
    const [was, is] = [before, now].map(workWords)
    if (is === was) return []
    if (is === undefined || is === null) return isBusy(before) && !isBusy(now) ? [sanitize('ready')] : []
    // A state that lasts for moments only would be said too late.
    return /^(?:composing|calling|answering|sending)/.test(is) ? [] : [oneLine(sanitize(is))]
  },
}

/** The same for the user's own command. */
export const shellWorking: Panel = {
  name: 'shell command working',
  draw: ({ state, theme, columns }) => rowOnly(shellLine(state, theme, columns)),
}

/** The current activity; null when idle. */
export function workingLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { chat, now, editor, queue, opening, keyNames } = state
  const { open, agent } = chat
  const queues = editor.text === '' && queue.entries.length === 0 ? '' : QUEUES
  if (opening !== null) {
    const doing = drawn`${sanitize(OPENING)} ${formatPercent(opening)}`
    return spinnerLine(state, theme, width, doing, '', STOPS, queues)
  }
  if (agent.phase === 'starting')
    return spinnerLine(state, theme, width, sanitize(`starting ${agent.name || 'the agent'}`), '', queues)
  const hooked = hookWords(state)
  if (!open) return hooked === null ? null : spinnerLine(state, theme, width, sanitize(hooked), '', STOPS)
  if (open.abortOverdue) {
    const since = formatDuration(now - (open.abortedAt ?? open.startedAt))
    const facts = [
      { text: sanitize(`${agent.name} does not stop`), rank: 1 },
      { text: sanitize(since), rank: 2 },
      { text: sanitize(keyed(keyNames, '{composer.interrupt} kills it')), rank: 0 },
    ]
    return drawn`${theme.warning(sanitize('!'))} ${factsLine(facts, width - 2)}`
  }
  const elapsed = formatDuration(now - (askedAt(chat) ?? open.startedAt))
  if (open.aborting) return spinnerLine(state, theme, width, sanitize('stopping'), elapsed, '')
  // The question itself says that it waits.
  if (isAsked(chat) && visibleQuestion(state)) return null
  // Esc stops the user's command first. A replay cannot be stopped.
  const isStoppable = !state.startup.isReplay && !isAsked(chat) && (!chat.shell || chat.shell.stopping)
  const isSilent = silentFor(chat, state.lastEventAt, now) !== null
  const sends = editor.text === '' || isAsked(chat) ? [] : sendKeys(state, open)
  return spinnerLine(
    state,
    theme,
    width,
    onItsOwn(open, doingNow(state, open, hooked, theme)),
    elapsed,
    !isStoppable ? '' : isSilent ? KILLS : STOPS,
    ...(sends.length > 0 ? sends : [isSilent ? queues : '']),
    chat.permissionMode !== null && runsCommand(open) ? '{composer.list_running} lists what runs' : '',
  )
}

/** Columns of the cause of a turn that the agent began itself. */
const LONGEST_CAUSE = 40

/** What a turn that the agent began itself is about. */
function onItsOwn(open: OpenEntry, doing: Fact): Fact {
  if (open.kind !== 'turn' || !open.unprompted) return doing
  const cause = truncate(oneLine(sanitize(causeWords(open.unprompted))), LONGEST_CAUSE)
  const own: Fact = { text: drawn`${doing.text}, on its own`, rank: 5, shorter: doing }
  return cause === '' ? own : { text: drawn`${doing.text}, on its own: ${cause}`, rank: 6, shorter: own }
}

/** What becomes of the draft while the agent works. */
function sendKeys({ steering }: AppState, { kind }: OpenEntry): readonly string[] {
  if (steering === 'nothing' || kind !== 'turn') return [QUEUES]
  return steering === 'enter' ? [STEERS, KEY_QUEUES] : [QUEUES, KEY_STEERS]
}

/** The activity, and a shorter form of it. */
function doingNow(state: AppState, open: OpenEntry, hooked: string | null, theme: Theme): Fact {
  const { chat, now, lastEventAt } = state
  if (open.kind === 'turn' && hooked === null && !isAsked(chat) && isRetrying(open)) {
    const paint = (words: string) => (open.error === null ? sanitize(words) : theme.failed(sanitize(words)))
    const [whole, short] = retryingWords(open, now)
    return { text: paint(whole), rank: 1, shorter: { text: paint(short), rank: 1 } }
  }
  const since = awaitsModelSince(chat, now)
  const words = open.kind === 'compaction' ? 'compacting' : (hooked ?? verb(open, isAsked(chat), since !== null))
  const held = hooked === null ? heldWords(state) : null
  if (held !== null) return { text: oneLine(sanitize(held)), rank: 1 }
  const silence = silentFor(chat, lastEventAt, now)
  if (silence !== null && since === null) return { text: literal`no output for ${formatDuration(silence)}`, rank: 1 }
  if (words !== AWAITS || since === null) return { text: sanitize(words), rank: 1 }
  // The seconds say more than the whole words.
  const plain: Fact = { text: sanitize(words), rank: 5, shorter: { text: sanitize(AWAITS_SHORT), rank: 1 } }
  // The time on the right counts from the prompt.
  if (since - open.startedAt <= LATER) return plain
  return { text: sanitize(`${words} for ${formatDuration(now - since)}`), rank: 5, shorter: plain }
}

/** The user's running command, or null. */
export function shellLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { shell } = state.chat
  if (!shell) return null
  const elapsed = formatDuration(state.now - shell.tool.draftedAt)
  if (shell.stopping) return spinnerLine(state, theme, width, sanitize('stopping your command'), elapsed)
  return spinnerLine(state, theme, width, sanitize('running your command'), elapsed, `${STOPS} it`)
}

/** The reason why the exit waits; null when zotui is not exiting, or has no agent. */
export function leavingLine(state: AppState, theme: Theme, width: number): Styled | null {
  if (state.leaving === null || state.startup.isReplay) return null
  return spinnerLine(
    state,
    theme,
    width,
    sanitize(`ending ${state.chat.agent.name || 'the agent'}`),
    '',
    '{composer.interrupt} ends at once',
  )
}

/** The agent's activity in a word or two; null if there is none. */
export function workWords(state: AppState): string | null {
  const { chat, opening, askedHooks, now } = state
  const { open, agent, shell } = chat
  if (opening !== null) return OPENING
  if (agent.phase === 'starting') return `starting ${agent.name || 'the agent'}`
  const hooked = hookWords({ chat, askedHooks })
  if (open === null) return hooked ?? (shell === null ? null : 'running your command')
  if (open.abortedAt !== null) return 'stopping'
  return open.kind === 'turn'
    ? (hooked ?? heldWords(state) ?? verb(open, isAsked(chat), awaitsModelSince(chat, now) !== null))
    : 'compacting'
}

/** Milliseconds for which the agent has said nothing itself before the line says whom it waits for. */
const HELD = 3000

/** The subagents for which the agent holds the end of the turn, or a call; null if it works itself. */
function heldWords({ chat, now, lastEventAt }: Pick<AppState, 'chat' | 'now' | 'lastEventAt'>): string | null {
  if (isAsked(chat) || now - lastEventAt < HELD) return null
  const [first, ...others] = awaitedSubagents(chat, lastEventAt)
  if (!first) return null
  return others.length === 0 ? `waiting for ${taskName(first)}` : `waiting for ${others.length + 1} agents`
}

/** A text for a hook that is waited for; null if there is none, or if the user is asked. */
function hookWords({ chat, askedHooks }: Pick<AppState, 'chat' | 'askedHooks'>): string | null {
  return askedHooks.length === 0 || isAsked(chat) ? null : 'waiting for a hook'
}

/** Whether a call runs that may be ended alone. */
function runsCommand(open: NonNullable<AppState['chat']['open']>): boolean {
  if (open.kind !== 'turn') return false
  const running = open.parts.get(open.parts.findLastIndex(isRunning, open.attemptStart))
  return (
    running?.kind === 'tool' && running.permission?.state !== 'asked' && ['bash', 'powershell'].includes(running.name)
  )
}

const isDone = (part: Part): boolean => (part.kind === 'tool' || part.kind === 'text') && !part.withdrawn

type OpenEntry = NonNullable<AppState['chat']['open']>
type OpenTurn = Extract<OpenEntry, { kind: 'turn' }>

function verb(turn: OpenTurn, isAsking: boolean, awaitsModel: boolean): string {
  if (isAsking) return 'waiting for your answer'
  if (!turn.accepted) return 'sending'
  if (turn.compactingSince !== null) return 'compacting'
  if (isRetrying(turn)) return retryingWords(turn, null)[0]
  const running = turn.parts.get(turn.parts.findLastIndex(isRunning, turn.attemptStart))
  if (running?.kind === 'tool') return `running ${running.name}`
  // A notice or the answer to a command is no activity of the agent.
  const last = turn.parts.get(turn.parts.findLastIndex(isDone, turn.attemptStart))
  if (last?.kind === 'tool' && last.state === 'composing') return `composing ${last.name}`
  if (last?.kind === 'tool' && last.state === 'waiting') return `calling ${last.name}`
  if (last?.kind === 'text' && !last.final) return 'answering'
  return turn.activity.replaceAll(/\s+/g, ' ').trim() || (awaitsModel ? AWAITS : 'thinking')
}

function isRetrying({ accepted, compactingSince, retry, error }: OpenTurn): boolean {
  return accepted && compactingSince === null && (retry !== null || error !== null)
}

/** The reasons of failed calls, in a few words, and in one or two. */
const REASONS: Partial<Record<ProviderErrorKind, readonly [string, string]>> = {
  rate: ['rate limit', 'rate limit'],
  server: ['provider overloaded or unavailable', 'overloaded'],
  network: ['provider not reached', 'no network'],
}

/** The reason why a call is repeated, and the time of the next try, also in fewer words; without a clock only its number. */
function retryingWords(turn: OpenTurn, now: number | null): readonly [whole: string, short: string] {
  const { retry, retryAt, retries, error } = turn
  const message = retry?.message ?? error ?? ''
  const code = /\bhttp (\d{3})\b/.exec(message)?.[1]
  const [reason, short] = REASONS[providerErrorOf(message).kind] ?? ['failed', 'failed']
  const count = `retry ${Math.max(1, retries)}`
  const left = now === null || retryAt === null ? 0 : Math.ceil((retryAt - now) / 1000)
  const time = left <= 0 ? '' : ` in ${left < 60 ? `${left}s` : formatDuration(left * 1000)}`
  return [
    `${reason}${code === undefined ? '' : ` (http ${code})`}, ${count}${retry?.of ? ` of ${retry.of}` : ''}${time}`,
    `${short}, ${count}${time}`,
  ]
}

/** The spinner with what is in progress. A narrow line drops the elapsed time first, and the key last. */
function spinnerLine(
  state: AppState,
  theme: Theme,
  width: number,
  doing: SafeText | Styled | Fact,
  elapsed: string,
  ...keys: string[]
): Styled {
  const facts = [
    typeof doing === 'object' && 'rank' in doing ? doing : { text: doing, rank: 1 },
    { text: sanitize(workCounts(workBeside(state.chat))), rank: 5 },
    { text: sanitize(elapsed), rank: 4 },
    ...keys.map((key, index) => keyFact(key, index, state.keyNames)),
  ]
  // Nothing moves while the agent waits for the user.
  const isAsking = isAsked(state.chat) && !state.chat.open?.aborting
  const moving = theme.running(sanitize(spinner(theme.signs.spinner, state.now)))
  const sign = isAsking ? theme.warning(sanitize(theme.signs.waiting)) : moving
  return drawn`${sign} ${theme.dim(factsLine(facts, width - 2))}`
}

/** Hints by their texts with gaps, for the names of keys that are used now. */
let named: { names: KeyNames; hints: Map<string, SafeText> } | null = null

/** A hint with the names of keys: the line is drawn ten times a second and more, and its hints stay. */
function hintOf(key: string, names: KeyNames): SafeText {
  if (named?.names !== names) named = { names, hints: new Map() }
  const known = named.hints.get(key)
  if (known !== undefined) return known
  const hint = sanitize(keyed(names, key))
  named.hints.set(key, hint)
  return hint
}

/** A key of the working line. Of the two that end an agent which says nothing, the second one is dropped first. */
function keyFact(key: string, index: number, names: KeyNames): Fact {
  if (key === KILLS) return { text: hintOf(KILLS, names), rank: 3, shorter: keyFact(STOPS, 0, names) }
  return { text: hintOf(key, names), rank: index === 0 ? 0 : 1 + index }
}
