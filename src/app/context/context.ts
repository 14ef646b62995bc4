import type { Backend, Model } from '../../agent/backend.ts'
import type { AgentEvent } from '../../agent/event.ts'
import { unsavedSettings, type SettingsStore } from '../../config/settings.ts'
import type { Notice } from '../../conversation/state.ts'
import type { Sessions } from '../../storage/sessions/sessions.ts'
import type { RecentModels } from '../../storage/journal/recent-models.ts'
import type { Redactor } from '../../storage/sessions/secrets.ts'
import type { CommandSource } from '../../config/prompts/command.ts'
import type { Ledger } from '../../storage/usage/ledger.ts'
import { createArgumentLoader } from '../../state/arguments.ts'
import type { Host } from './host.ts'
import { defaultKeymap, type Keymap } from '../../state/keymap.ts'
import { createFiles, type Files, type OpenFinder } from './files.ts'
import { createDraftStore, type Journals, type DraftStore } from './draft-store.ts'
import { everyModel, withOthers } from './list-models.ts'
import { inOrderOfUse } from '../../state/model-order.ts'
import { createNaming, type Naming } from './command-name.ts'
import type { ListedModel } from '../../state/picker.ts'
import { createCurrentCommands, type CurrentCommands } from './prompt-commands.ts'
import { skillCommands } from './skill-commands.ts'
import { offeredCommands, type SlashCommand } from '../../state/slash.ts'
import { reduceApp, type AppEvent } from '../../state/reduce.ts'
import type { AppState, FoundFiles } from '../../state/state.ts'
import type { Store } from '../../state/store.ts'
import { createEventPipeline } from '../events/pipeline.ts'

/** How long a key that has to be pressed twice waits for the second press. */
const ARMED = 2000

/** What the parts of the controller share. */
export type AppContext = {
  backend: Backend
  /** Milliseconds since the Unix epoch. */
  now: () => number
  /** The slash commands that can be typed: those that this agent can do, and those of files. */
  commands: () => readonly SlashCommand[]
  promptCommands: Pick<CurrentCommands, 'isRead' | 'read'>
  /** The columns that the composer wraps at. */
  composerWidth: () => number
  useTheme: UseTheme | undefined
  /** What the person has set: `settings.values()` is what holds now. */
  settings: SettingsStore
  host: Host | undefined
  keymap: Keymap
  drafts: DraftStore
  /** Null where nothing is kept. */
  sessions: Sessions | null
  ledger: Ledger | null
  /** The models in the order in which they are listed. */
  inOrder: (models: readonly Model[]) => readonly ListedModel[]
  /** Null where nothing is kept. */
  recentModels: RecentModels | null
  showsUnicode: boolean
  files: Files | null
  /** Whose answer a remark is. */
  naming: Pick<Naming, 'during'>
  state: () => AppState
  dispatch: (event: AppEvent) => void
  /** Tells of what happened: the conversation and the session know it then. `now` moves the clock of the screen with it. */
  tell: (events: readonly AgentEvent[], now?: number) => void
  /** Says something in the conversation that does not come from the agent. */
  announce: (level: Notice['level'], text: string, hint?: string) => void
  /** The same, for a text of our own in Markdown. */
  show: (markdown: string) => void
  /** Answers a key in one line, until the next; `armed` is what a second press would do. */
  hint: (text: string, armed?: AppState['armed']) => void
  /** Tells what was held back: nothing more comes. */
  endTelling: () => void
  /** A text that nobody told of, without what must not be stored. */
  redact: (text: string) => string
  /** The same for one that comes in pieces. */
  redactStream: Redactor['stream']
  /** Lets go of timers. */
  stop: () => void
}

/** Puts a theme on and draws the screen with it; says what went wrong instead. */
export type UseTheme = (
  name: string,
) => { ok: true; warnings: readonly string[] } | { ok: false; message: string; hint: string }

export type ContextOptions = {
  store: Store<AppState>
  backend: Backend
  now: () => number
  composerWidth: () => number
  /** Without it there is no /theme. */
  useTheme?: UseTheme
  /** Without them everything is as it is where nobody says anything. */
  settings?: SettingsStore
  /** Without it nothing is run for the person. */
  host?: Host
  /** The keys as the person wants them. */
  keymap?: Keymap
  /** Without them nothing is kept on disk. */
  journals?: Journals
  /** Without them no session is kept on disk. */
  sessions?: Sessions
  /** Without it nothing is noted of what is used. */
  ledger?: Ledger
  recentModels?: RecentModels
  /** Whether the terminal shows more than ASCII. */
  showsUnicode?: boolean
  /** What must not be seen or stored: exact values. */
  secrets?: readonly string[]
  /** Without it no files are completed. */
  openFinder?: OpenFinder
  /** Where commands of files are looked for, the most important first. */
  commandSources?: readonly CommandSource[]
}

/** Commands that need sessions on disk. */
const OF_SESSIONS: ReadonlySet<string> = new Set(['resume', 'rename', 'fork', 'rewind'])
/** Commands that need the person's machine. */
const OF_HOST: ReadonlySet<string> = new Set(['editor', 'paste', 'export', 'copy', 'diff', 'login', 'logout'])

export function createContext(options: ContextOptions): AppContext {
  const {
    store,
    backend,
    now,
    composerWidth,
    useTheme,
    settings = unsavedSettings(),
    host,
    keymap = defaultKeymap,
    journals,
    sessions,
    ledger,
    recentModels,
    showsUnicode = true,
    secrets = [],
    openFinder,
    commandSources = [],
  } = options
  let disarming: NodeJS.Timeout | undefined
  const isThere = (name: string): boolean => {
    if (name === 'theme') return useTheme !== undefined
    if (name === 'doctor') return host?.examine !== undefined
    return (!OF_HOST.has(name) || host !== undefined) && (!OF_SESSIONS.has(name) || sessions !== undefined)
  }
  const current = createCurrentCommands({
    builtIn: offeredCommands(backend).filter(({ name }) => isThere(name)),
    sources: [...commandSources, ...skillCommands(backend)],
    get: store.get,
    onChange: found => dispatch({ type: 'commands_read', commands: found }),
    announce: text => announce('warn', text, null, false),
  })
  const commands = current.all
  const onChange = (files: FoundFiles): void => dispatch({ type: 'files_found', files })
  const files = openFinder ? createFiles({ openFinder, commands, get: store.get, onChange }) : null
  const inOrder = (models: readonly Model[]): ListedModel[] =>
    inOrderOfUse(models, settings.values().favouriteModels, recentModels?.list() ?? [])
  const load = createArgumentLoader(commands, {
    async models() {
      // All at once: a row that was moved to must not become another one.
      const [own, every] = await Promise.all([backend.listModels?.(), everyModel(backend)])
      const { provider } = store.get().chat.agent
      if (own?.ok) dispatch({ type: 'models_listed', models: inOrder(withOthers(own.value, every, provider)) })
    },
  })
  const dispatch = (event: AppEvent): void => {
    const next = reduceApp(store.get(), event)
    store.set(files ? files.follow(next) : next)
    if (event.type === 'edited') load(store.get())
    current.follow(store.get())
  }
  const pipeline = createEventPipeline({ store, sessions, ledger, secrets, folder: host?.folder })
  const naming = createNaming()
  const announce = (level: Notice['level'], text: string, hint: string | null, markdown: boolean): void => {
    const command = naming.take()
    const named = command === undefined ? {} : { command }
    pipeline.publish([{ type: 'remark_made', at: now(), level, text, hint, markdown, ...named }])
  }
  return {
    backend,
    now,
    commands,
    promptCommands: current,
    composerWidth,
    useTheme,
    settings,
    host,
    keymap,
    drafts: createDraftStore(store, dispatch, journals),
    sessions: sessions ?? null,
    ledger: ledger ?? null,
    inOrder,
    recentModels: recentModels ?? null,
    showsUnicode,
    files,
    naming,
    state: store.get,
    dispatch,
    tell: pipeline.publish,
    endTelling: pipeline.end,
    redact: pipeline.redact,
    redactStream: pipeline.redactStream,
    show: text => announce('info', text, null, true),
    announce: (level, text, hint) => announce(level, text, hint ?? null, false),
    hint(text, armed = null) {
      clearTimeout(disarming)
      dispatch({ type: 'hinted', hint: text, armed })
      if (armed) disarming = setTimeout(() => dispatch({ type: 'hinted', hint: null }), ARMED)
    },
    stop() {
      clearTimeout(disarming)
      files?.close()
    },
  }
}
