/** The lines around the composer: header, working line, queue and status. */
import type { PermissionMode } from '../agent/permission.ts'
import { modeOption, valueName } from '../state/agent-options.ts'
import { labelled } from '../state/chips.ts'
import { modelName } from '../state/pickers/model-order.ts'
import { entryText } from '../state/queue-entry.ts'
import { isBusy, type AppState } from '../state/state.ts'
import { isAsked, isRunning, silentFor } from '../conversation/queries/silence.ts'
import type { Part } from '../conversation/state.ts'
import { formatCost, formatDuration, formatPercent, formatTokens } from '../text/format.ts'
import { literal, oneLine, sanitize, type SafeText } from '../text/sanitize.ts'
import { truncate } from '../text/shorten.ts'
import { displayWidth } from '../text/width.ts'
import { factsLine, fitting, GAP, type Fact } from '../style/facts-line.ts'
import { drawn, empty, indented, joinStyled, spread, type Styled } from '../style/styled.ts'
import type { Theme } from '../style/theme.ts'
import { conversationsFact } from './conversations.ts'
import { startupContextFacts } from './startup-context.ts'
import { spinner } from '../tools/panel/title.ts'

const KEYS = ['Enter sends', 'Esc stops', '/ commands', '? all keys']
const REPLAY_KEYS = ['Space pauses', 'q leaves', 'Right: one step', 'End to the end']

/** The program, the agent and the main keys. The status line shows the model and the folder. */
export function headerLines(state: AppState, theme: Theme, width: number): Styled[] {
  const { startup, chat } = state
  const { agent } = chat
  const ready = agent.phase === 'ready'
  const names = [
    { text: theme.strong(sanitize(`zotui ${startup.version}`)), rank: 0 },
    ...(isReadOnly(state) ? [{ text: theme.warning(sanitize(READ_ONLY)), rank: 1 }] : []),
    { text: oneLine(sanitize(ready ? `${agent.name} ${agent.version}` : '')), rank: 2 },
  ]
  const known = startup.isReplay ? REPLAY_KEYS : KEYS
  const keys = known.map((key, rank) => ({
    text: sanitize(key),
    rank,
  }))
  const reads = ready ? startupContextFacts(state.reading, agent.name, startup) : []
  const reading = reads.length > 0 ? [theme.dim(factsLine(reads, width, theme.gap))] : []
  // People who use a screen reader have no status line.
  if (theme.isSpoken && ready)
    names.push({ text: oneLine(sanitize(modelName({ provider: agent.provider, id: agent.model }))), rank: 3 })
  if (theme.isSpoken) names.push({ text: place(state, theme, width), rank: 4 })
  return [factsLine(names, width, theme.gap), theme.dim(factsLine(keys, width, theme.gap)), ...reading]
}

const READ_ONLY = 'read-only'

function isReadOnly({ startup }: AppState): boolean {
  return startup.toolLimit === 'read-only'
}

function place({ startup }: AppState, theme: Theme, room: number): Styled {
  const branch = oneLine(
    sanitize(startup.branch === null ? '' : `${theme.isSpoken ? theme.gap : '  '}${startup.branch}`),
  )
  const folder = oneLine(sanitize(startup.folder))
  const both = displayWidth(folder) + displayWidth(branch)
  if (both <= room) return theme.dim(drawn`${folder}${branch}`)
  return displayWidth(folder) <= room ? theme.dim(folder) : empty
}

const OPENING = 'reading the session'

/** The current activity; null when idle. */
export function workingLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { chat, now, editor, queue, opening } = state
  const { open, agent } = chat
  const queues = editor.text === '' && queue.entries.length === 0 ? '' : 'Enter queues'
  if (opening !== null) {
    const doing = drawn`${sanitize(OPENING)} ${formatPercent(opening)}`
    return working(state, theme, width, doing, '', 'Esc stops', queues)
  }
  if (agent.phase === 'starting')
    return working(state, theme, width, sanitize(`starting ${agent.name || 'the agent'}`), '', queues)
  if (!open) return null
  if (open.abortOverdue) {
    const since = formatDuration(now - (open.abortedAt ?? open.startedAt))
    const facts = [
      { text: sanitize(`${agent.name} does not stop`), rank: 1 },
      { text: sanitize(since), rank: 2 },
      { text: sanitize('Ctrl+C kills it'), rank: 0 },
    ]
    return drawn`${theme.warning(sanitize('!'))} ${factsLine(facts, width - 2)}`
  }
  const elapsed = formatDuration(now - open.startedAt)
  // Esc stops the user's command first. A replay cannot be stopped.
  const isStoppable = !state.startup.isReplay && (!chat.shell || chat.shell.stopping)
  if (open.aborting) return working(state, theme, width, sanitize('stopping'), elapsed, '')
  const doing = sanitize(open.kind === 'compaction' ? 'compacting' : verb(open, isAsked(chat)))
  const failed = open.kind === 'turn' && open.accepted && open.error !== null
  const silence = silentFor(chat, state.heardAt, now)
  if (silence !== null) {
    const words = literal`no word for ${formatDuration(silence)}`
    return working(state, theme, width, words, elapsed, isStoppable ? 'Esc stops, then Ctrl+C kills it' : '', queues)
  }
  return working(
    state,
    theme,
    width,
    failed ? theme.failed(doing) : doing,
    elapsed,
    isStoppable && !isAsked(chat) ? 'Esc stops' : '',
    editor.text === '' || isAsked(chat) ? '' : 'Enter queues',
    chat.permissionMode !== null && runsCommand(open) ? 'Alt+X lists what runs' : '',
  )
}

/** The user's running command, or null. */
export function shellLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { shell } = state.chat
  if (!shell) return null
  const elapsed = formatDuration(state.now - shell.tool.draftedAt)
  if (shell.stopping) return working(state, theme, width, sanitize('stopping your command'), elapsed)
  return working(state, theme, width, sanitize('running your command'), elapsed, 'Esc stops it')
}

/** The reason why the exit waits; null when zotui is not exiting. */
export function leavingLine(state: AppState, theme: Theme, width: number): Styled | null {
  if (state.leaving === null) return null
  return working(
    state,
    theme,
    width,
    sanitize(`ending ${state.chat.agent.name || 'the agent'}`),
    '',
    'Ctrl+C ends at once',
  )
}

/** The agent's activity in a word or two; null if there is none. */
export function workWords({ chat, opening }: AppState): string | null {
  const { open, agent, shell } = chat
  if (opening !== null) return OPENING
  if (agent.phase === 'starting') return `starting ${agent.name || 'the agent'}`
  if (open === null) return shell === null ? null : 'running your command'
  if (open.abortedAt !== null) return 'stopping'
  return open.kind === 'turn' ? verb(open, isAsked(chat)) : 'compacting'
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

function verb(turn: Extract<AppState['chat']['open'], { kind: 'turn' }>, isAsking: boolean): string {
  if (isAsking) return 'waiting for your answer'
  if (!turn.accepted) return 'sending'
  if (turn.compactingSince !== null) return 'compacting'
  if (turn.retry !== null)
    return turn.retry.of === null
      ? `failed, retry ${turn.retries}`
      : `failed, retry ${turn.retries} of ${turn.retry.of}`
  if (turn.error !== null) return `failed, retry ${turn.retries + 1}`
  const running = turn.parts.get(turn.parts.findLastIndex(isRunning, turn.attemptStart))
  if (running?.kind === 'tool') return `running ${running.name}`
  // A notice or the answer to a command is no activity of the agent.
  const last = turn.parts.get(turn.parts.findLastIndex(isDone, turn.attemptStart))
  if (last?.kind === 'tool' && last.state === 'composing') return `composing ${last.name}`
  if (last?.kind === 'tool' && last.state === 'waiting') return `calling ${last.name}`
  if (last?.kind === 'text' && !last.final) return 'answering'
  return 'thinking'
}

/** The spinner with its activity. A narrow line drops the elapsed time first, and the key last. */
function working(
  state: AppState,
  theme: Theme,
  width: number,
  doing: SafeText | Styled,
  elapsed: string,
  ...keys: string[]
): Styled {
  const facts = [
    { text: doing, rank: 1 },
    { text: sanitize(elapsed), rank: 4 },
    ...keys.map((key, index) => ({ text: sanitize(key), rank: index === 0 ? 0 : 1 + index })),
  ]
  // Nothing moves while the agent waits for the user.
  const isAsking = isAsked(state.chat) && !state.chat.open?.aborting
  const moving = theme.running(sanitize(spinner(theme.signs.spinner, state.now)))
  const sign = isAsking ? theme.warning(sanitize(theme.signs.waiting)) : moving
  return drawn`${sign} ${theme.dim(factsLine(facts, width - 2))}`
}

/** The waiting prompts on one line; null if there are none. */
export function queueLine(state: AppState, theme: Theme, width: number): Styled | null {
  const { queue, edited, chips } = state
  const texts = queue.entries.map(
    entry => `"${oneLine(sanitize(labelled(entryText(entry), chips)), theme.signs.newline)}"`,
  )
  const entries = edited ? texts.toSpliced(edited.at, 0, 'being edited') : texts
  const number = entries.length
  if (number === 0) return null
  const enter = queue.held && !isBusy(state) ? 'Enter sends, ' : ''
  const what = `${number} ${queue.held ? 'held' : 'queued'}${GAP}${enter}Alt+Up edits`
  const previews = entries.map((text, index) => `${index + 1} ${text}`).join(GAP)
  const paint = queue.held ? theme.warning : theme.dim
  const { ellipsis } = theme.signs
  const head = truncate(sanitize(`  ${what}`), width, ellipsis)
  const room = width - displayWidth(head) - GAP.length
  return room < 8 ? paint(head) : drawn`${paint(head)}   ${theme.dim(truncate(sanitize(previews), room, ellipsis))}`
}

/** One line that never wraps and drops the least important facts first. */
export function statusLine(state: AppState, theme: Theme, width: number): Styled {
  const room = width - 2
  if (state.hint !== null)
    return indented(2, truncate(oneLine(sanitize(state.hint)), Math.max(1, room), theme.signs.ellipsis))
  const facts = statusFacts(state, theme)
  const others = conversationsFact(state, theme)
  if (others) facts.push(others)
  // The folder is a fact at the other end of the line.
  const folder: Fact = { text: place(state, theme, Math.floor(room / 2)), rank: 6 }
  const kept = fitting([...facts, folder], room)
  const left = joinStyled(
    kept.filter(fact => fact !== folder).map(fact => fact.text),
    GAP,
  )
  return spread(indented(2, left), kept.includes(folder) ? drawn`${folder.text}` : empty, width)
}

/** The provider and the model; in a narrow terminal only the model, or its beginning. */
function modelFact({ chat, startup }: AppState, theme: Theme): Fact {
  const model = oneLine(sanitize(chat.agent.model))
  const beginning = { text: theme.dim(truncate(model, MODEL_START, theme.signs.ellipsis)), rank: 3 }
  const alone = { text: theme.dim(model), rank: 4, shorter: beginning }
  if (startup.demo || model === '' || chat.agent.provider === '') return alone
  return { text: theme.dim(drawn`${oneLine(sanitize(chat.agent.provider))}/${model}`), rank: 7, shorter: alone }
}

/** The part of a model's name that distinguishes it. */
const MODEL_START = 16

/** The mode, which stays when everything else is dropped. */
function modeFact(mode: PermissionMode, theme: Theme): Fact {
  const paints: Record<PermissionMode, Theme['dim']> = {
    ask: theme.dim,
    edits: theme.accent,
    plan: theme.accent,
    read: theme.warning,
    allow: theme.warning,
  }
  const whole = paints[mode](sanitize(MODES[mode]))
  return { text: whole, rank: 5, shorter: { text: paints[mode](sanitize(mode)), rank: 0 } }
}

/** Columns of an agent's own mode. */
const LONGEST_MODE = 24

const MODES: Readonly<Record<PermissionMode, string>> = {
  ask: 'ask',
  edits: 'edits allowed',
  plan: 'plan mode',
  read: READ_ONLY,
  allow: 'all allowed',
}

function statusFacts(state: AppState, theme: Theme): Fact[] {
  const { chat, startup } = state
  const { agent, usage, context } = chat
  const sent = usage.input + usage.cacheRead + usage.cacheWrite
  const facts: Fact[] = []
  const add = (text: string, rank: number, paint = theme.dim): void => {
    facts.push({ text: paint(oneLine(sanitize(text))), rank })
  }
  if (startup.demo) add('demo', 5)
  if (chat.permissionMode === null && isReadOnly(state)) add(READ_ONLY, 1, theme.warning)
  if (state.raw) add('raw', 1)
  if (agent.phase === 'ended')
    add(startup.isReplay ? `${agent.name} ended` : `${agent.name} ended, /restart starts it`, 0, theme.failed)
  facts.push(modelFact(state, theme))
  // A model without reasoning levels ignores the level of another model. Other agents name a level of their own 'default'.
  if (agent.reasoningLevels.length > 0 && agent.reasoning !== 'default') add(agent.reasoning ?? '', 5)
  const own = modeOption(chat.options)
  if (own) add(truncate(oneLine(sanitize(valueName(own))), LONGEST_MODE, theme.signs.ellipsis), 1)
  else if (chat.permissionMode !== null) facts.push(modeFact(chat.permissionMode, theme))
  if (agent.contextWindow && context !== null) {
    const share = context / agent.contextWindow
    add(`ctx ${formatPercent(share)}`, 1, share >= 0.85 ? theme.failed : share >= 0.7 ? theme.warning : theme.dim)
  }
  const tokens = `${theme.signs.up}${formatTokens(sent)} ${theme.signs.down}${formatTokens(usage.output)}`
  if (sent + usage.output > 0) add(tokens, 8)
  if (usage.cacheRead > 0) add(`${formatPercent(usage.cacheRead / sent)} cached`, 9)
  if (usage.costUsd === null) add('cost unknown', 7)
  else if (usage.costUsd > 0) add(`${chat.usageIsPartial ? theme.signs.atLeast : ''}${formatCost(usage.costUsd)}`, 2)
  return facts
}
