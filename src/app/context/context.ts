/** The context that every part of the controller gets: state, agent, settings, and what the program can do. */
import { elapsedHere } from '../../platform/ages.ts'
import type { Backend, Model } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import type { Checkpoints } from '../../checkpoints/checkpoints.ts'
import type { Worktrees } from '../../worktrees/worktrees.ts'
import { unsavedSettings, type SettingsStore } from '../../config/settings.ts'
import type { Notice } from '../../conversation/part.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { OwnWrites } from '../../storage/journal/own-writes.ts'
import type { RecentModels } from '../../storage/journal/recent-models.ts'
import type { Redactor } from '../../storage/sessions/secrets.ts'
import type { ConversationHooks } from '../../hooks/conversation-hooks.ts'
import type { CommandSource } from '../../config/prompts/command.ts'
import type { Ledger } from '../../storage/usage/ledger.ts'
import { createArgumentLoader } from '../../state/completion/arguments.ts'
import type { Agents, StartSide } from './agents.ts'
import type { Conversations } from './conversations.ts'
import type { Host } from './host.ts'
import { defaultKeymap, type Keymap } from '../../state/keymap.ts'
import { createFiles, type Files, type ListSymbols, type OpenFinder } from './files.ts'
import { createDraftStore, type Journals, type DraftStore } from './draft-store.ts'
import { everyModel, withOthers } from './list-models.ts'
import { inOrderOfUse } from '../../state/pickers/model-order.ts'
import { createNaming, type CommandNaming } from './commands/command-name.ts'
import type { ListedModel } from '../../state/pickers/picker.ts'
import { createCurrentCommands, type CurrentCommands } from './commands/prompt-commands.ts'
import { skillCommands } from './commands/skill-commands.ts'
import { modeOption } from '../../state/agent-options.ts'
import { offeredCommands, type SlashCommand } from '../../state/slash.ts'
import { reduceApp, type AppEvent } from '../../state/reduce.ts'
import type { AppState, FoundFiles } from '../../state/state.ts'
import type { ConversationStore } from '../../state/app-store.ts'
import { createEventPipeline } from '../events/pipeline.ts'
import { keyed } from '../../text/key-hints.ts'

/** Milliseconds that a key which must be pressed twice waits for its second press. */
const ARMED = 2000

/** The options that every part of the controller gets as they are. */
type Given = {
  backend: Backend
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** The columns that the composer wraps at. */
  composerWidth: () => number
  /** The rows of the screen. */
  screenRows: () => number
  /** Without it, there is no /theme. */
  useTheme?: UseTheme
  /** Without them, there is no /agent. */
  agents?: Agents
  /** Without them, this is the only conversation, as in a replay. */
  conversations?: Conversations
  /** Without it, zotui runs no programs for the user. */
  host?: Host
  /** The user's hooks. Without them, none run, as in a replay. */
  hooks?: ConversationHooks
  /** Without them, sessions are not stored. */
  sessions?: Sessions
  /** Without it, usage is not recorded. */
  ledger?: Ledger
  recentModels?: RecentModels
  /** Without them, no earlier versions of files are kept. */
  checkpoints?: Checkpoints
  /** The files that zotui itself wrote into projects. Without it, such files count as changes of the agent. */
  ownWrites?: OwnWrites
  /** Without them, all conversations work in the user's folder, as on another machine or in the demo. */
  worktrees?: Worktrees
}

/** The context that the parts of the controller share. */
export type AppContext = Given & {
  /** The slash commands that can be typed: built-in ones, and those from files, skills and the agent. */
  commands: () => readonly SlashCommand[]
  promptCommands: Pick<CurrentCommands, 'isRead' | 'isReading' | 'read'>
  /** The settings; `settings.values()` are the current ones. */
  settings: SettingsStore
  keymap: Keymap
  drafts: DraftStore
  /** The ID of the session in which the conversation is kept, here or by its holder; null if it is not kept. */
  sessionId: () => string | null
  /** Milliseconds that have passed, by a clock that nobody sets. */
  elapsed: () => number
  /** The models in the order in which they are listed. */
  inOrder: (models: readonly Model[]) => readonly ListedModel[]
  showsUnicode: boolean
  files: Files | null
  /** Names the command that a notice answers. */
  naming: Pick<CommandNaming, 'during'>
  state: () => AppState
  dispatch: (event: AppEvent) => void
  /** Publishes events to the conversation and the session. `now` moves the clock of the screen with them. */
  tell: (events: readonly AgentEvent[], now?: number) => void
  /** Prints a notice of zotui in the conversation. */
  announce: (level: Notice['level'], text: string, hint?: string) => void
  /** Prints a notice that is about zotui and not about the conversation: exports omit it. */
  aside: (level: Notice['level'], text: string, hint?: string) => void
  /** Prints a Markdown text of zotui in the conversation. */
  show: (markdown: string) => void
  /** Prints a preview of what a question is about, in Markdown. Call the result with a few words if the user cancels it: it folds then. */
  preview: (markdown: string) => (words: string) => void
  /** Shows one line until the next key; `armed` is the effect of a second press. */
  hint: (text: string, armed?: AppState['armed']) => void
  /** A hint with the names of keys in its placeholders; see `keyed` of `text/key-hints.ts`. */
  keyed: (hint: string) => string
  /** Publishes the text that was held back. Called when no more events follow. */
  endTelling: () => void
  /** Removes secrets from a text that is part of no event. */
  redact: (text: string) => string
  /** Removes secrets from a text that comes in pieces. */
  redactStream: Redactor['stream']
  /** Stops timers and closes the file index. */
  stop: () => void
}

/** Switches the theme and redraws the screen, or returns what went wrong. */
export type UseTheme = (
  name: string,
) => { ok: true; warnings: readonly string[] } | { ok: false; message: string; hint: string }

export type ContextOptions = Given & {
  store: ConversationStore
  /** Without it, there is no /btw. */
  startSide?: StartSide
  /** Without them, the defaults apply. */
  settings?: SettingsStore
  /** The keys, with the user's `keys.json` applied. */
  keymap?: Keymap
  /** Without them, drafts and prompts are not stored. */
  journals?: Journals
  /** True if the terminal shows more than ASCII. */
  showsUnicode?: boolean
  /** Exact values that must not be shown or stored. */
  secrets?: readonly string[]
  /** Without it, files are not completed. */
  openFinder?: OpenFinder
  /** Without it, symbols are not completed. */
  listSymbols?: ListSymbols
  /** The sources of prompt files, the most important first. */
  commandSources?: readonly CommandSource[]
  /** Milliseconds that have passed, by a clock that nobody sets; this machine's by default. */
  elapsed?: () => number
}

/** Commands that need sessions on disk. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['resume', 'rename', 'fork', 'rewind'])
/** Commands that need the host. */
const OF_HOST: ReadonlySet<string> = new Set(['editor', 'paste', 'export', 'copy', 'diff', 'login', 'logout', 'memory'])

/** Commands that need more than one conversation. */
const OF_CONVERSATIONS: ReadonlySet<string> = new Set(['conversations', 'another', 'spawn'])

type RemarkEvent = Extract<AgentEvent, { type: 'remark_made' }>

export function createContext(options: ContextOptions): AppContext {
  const {
    store,
    startSide,
    settings = unsavedSettings(),
    keymap = defaultKeymap,
    journals,
    showsUnicode = true,
    elapsed = elapsedHere,
    secrets = [],
    openFinder,
    listSymbols,
    commandSources = [],
    ...given
  } = options
  const { backend, now, agents, conversations, host, sessions } = given
  let disarming: NodeJS.Timeout | undefined
  const isThere = (name: string): boolean => {
    if (name === 'theme') return given.useTheme !== undefined
    if (name === 'mode') return modeOption(store.get().chat.options) !== undefined
    if (name === 'agent') return agents !== undefined
    if (OF_CONVERSATIONS.has(name)) return conversations !== undefined
    if (name === 'worktree' || name === 'worktrees') return given.worktrees !== undefined && conversations !== undefined
    if (name === 'btw') return startSide !== undefined
    if (name === 'hooks') return given.hooks !== undefined
    if (name === 'doctor') return host?.examine !== undefined
    return (!OF_HOST.has(name) || host !== undefined) && (!OF_SESSIONS.has(name) || hasSession(name))
  }
  const hasSession = (name: string): boolean =>
    sessions !== undefined || (name !== 'resume' && (backend.holder?.session() ?? null) !== null)
  const current = createCurrentCommands({
    builtIn: () => offeredCommands(backend.abilities).filter(({ name }) => isThere(name)),
    sources: [...commandSources, ...(agents || backend.abilities.has('reading') ? [skillCommands(backend)] : [])],
    get: store.get,
    agent: () => backend.name,
    onChange: found => dispatch({ type: 'commands_read', commands: found }),
    announce: text => announce({ level: 'warn', text, aside: true }),
  })
  const commands = current.all
  const onChange = (files: FoundFiles): void => dispatch({ type: 'files_found', files })
  const files = openFinder ? createFiles({ openFinder, listSymbols, commands, now, get: store.get, onChange }) : null
  const inOrder = (models: readonly Model[]): ListedModel[] =>
    inOrderOfUse(models, settings.values().favouriteModels, given.recentModels?.list() ?? [])
  const load = createArgumentLoader(commands, {
    async models() {
      // Both lists change together, so that the selected row stays the same.
      const [own, every] = await Promise.all([backend.listModels(), everyModel(backend)])
      const { provider } = store.get().chat.agent
      if (own.ok) dispatch({ type: 'models_listed', models: inOrder(withOthers(own.value, every, provider)) })
    },
  })
  const { dispatch } = store
  store.begin(reduceApp, [
    { name: 'lists files after an @', complete: state => files?.follow(state) ?? state },
    { name: 'lists models after /model', act: (state, { type }) => void (type === 'edited' && load(state)) },
    { name: 'reads prompt files after a /', act: state => current.follow(state) },
  ])
  const pipeline = createEventPipeline({
    chat: () => store.get().chat,
    onFold: (chat, at) => dispatch({ type: 'conversation_folded', chat, now: at }),
    isLeaving: () => store.get().leaving !== null,
    sessions: sessions ?? null,
    ledger: given.ledger ?? null,
    secrets,
    // Files of another machine are not read for it.
    folder: host?.elsewhere ? undefined : host?.folder,
    toolLimit: store.get().startup.toolLimit ?? null,
  })
  const sessionId = (): string | null => sessions?.current().id ?? backend.holder?.session() ?? null
  const naming = createNaming()
  const named = (event: AgentEvent): AgentEvent => {
    if (event.type !== 'model_changed' && event.type !== 'reasoning_changed') return event
    const command = naming.take()
    return command === undefined ? event : { ...event, command }
  }
  const announce = (remark: Pick<RemarkEvent, 'level' | 'text'> & Partial<RemarkEvent>): void => {
    const command = naming.take()
    const answers = command === undefined ? {} : { command }
    pipeline.publish([{ type: 'remark_made', at: now(), hint: null, markdown: false, ...remark, ...answers }])
  }
  dispatch({ type: 'keys_named', names: keymap.names })
  return {
    ...given,
    elapsed,
    commands,
    promptCommands: current,
    settings,
    keymap,
    drafts: createDraftStore(store, dispatch, journals, commands),
    sessionId,
    inOrder,
    showsUnicode,
    files,
    naming,
    state: store.get,
    dispatch,
    tell: (events, at) => pipeline.publish(events.map(named), at),
    endTelling: pipeline.end,
    redact: pipeline.redact,
    redactStream: pipeline.redactStream,
    show: text => announce({ level: 'info', text, markdown: true }),
    preview(text) {
      announce({ level: 'info', text, markdown: true, isPreview: true })
      return words => announce({ level: 'info', text: words, cancels: true, details: text, aside: true })
    },
    announce: (level, text, hint = '') => announce({ level, text, hint: hint || null }),
    aside: (level, text, hint = '') => announce({ level, text, hint: hint || null, aside: true }),
    hint(text, armed = null) {
      clearTimeout(disarming)
      dispatch({ type: 'hinted', hint: text, armed })
      if (armed) disarming = setTimeout(() => dispatch({ type: 'hinted', hint: null }), ARMED)
    },
    keyed: hint => keyed(keymap.names, hint),
    stop() {
      clearTimeout(disarming)
      files?.close()
    },
  }
}
