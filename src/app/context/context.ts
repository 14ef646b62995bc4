/** The context that every part of the controller gets: state, agent, settings, and what the program can do. */
import { elapsedHere } from '../../platform/ages.ts'
import type { Model } from '../../agent/backend.ts'
import { unsavedSettings, type SettingsStore } from '../../config/settings.ts'
import type { CommandSource } from '../../config/prompts/command.ts'
import { createArgumentLoader } from '../../state/completion/arguments.ts'
import type { StartSide } from './agents.ts'
import { defaultKeymap, type Keymap } from '../../state/keymap.ts'
import { createFiles, type ListSymbols, type OpenFinder } from './files.ts'
import { createDraftStore, type Journals } from './draft-store.ts'
import { everyModel, withOthers } from './list-models.ts'
import { inOrderOfUse } from '../../state/pickers/model-order.ts'
import { availableCommands } from './commands/available.ts'
import { createNaming } from './commands/command-name.ts'
import type { ListedModel } from '../../state/pickers/picker.ts'
import { createCurrentCommands } from './commands/prompt-commands.ts'
import { skillCommands } from './commands/skill-commands.ts'
import { createNotices, type Notices } from './notices.ts'
import type {
  AgentPart,
  CommandTable,
  Kept,
  ScreenState,
  Surroundings,
  TerminalFacts,
  Times,
  UserPart,
} from './parts.ts'
import { createCurrentReview } from './current-review.ts'
import { createPublishing, type Publishing } from './publishing.ts'
import { reducerWith, type FollowPicker } from '../../state/reduce.ts'
import type { BuiltInCommand } from '../../state/slash.ts'
import type { ReviewFile } from '../../storage/review/review-file.ts'
import type { FoundFiles } from '../../state/state.ts'
import type { ConversationStore } from '../../state/app-store.ts'

/** The parts that every part of the controller gets as they are. */
type Passed = Pick<Times, 'now'> & TerminalFacts & AgentPart & Surroundings & Kept

/** All of them together. A part of the controller names those that it needs, or takes all. */
export type AppContext = ScreenState &
  Times &
  TerminalFacts &
  AgentPart &
  Surroundings &
  Kept &
  Publishing &
  Notices &
  CommandTable &
  UserPart & {
    /** The ID of the session in which the conversation is kept, here or by its holder; null if it is not kept. */
    sessionId: () => string | null
    /** The comments and read marks of the present session; null without a place for them. Nothing is read before somebody asks. */
    review: () => ReviewFile | null
    /** Stops timers and closes the file index. */
    stop: () => void
    /** The starts on other machines that are not over: the stop key ends the last one. */
    starts: Set<AbortController>
  }

export type ContextOptions = Passed & {
  store: ConversationStore
  /** Without it, there is no /btw. */
  startSide?: StartSide
  /** Without it, there is no /board. */
  openBoard?: unknown
  /** Without them, the defaults apply. */
  settings?: SettingsStore
  /** What an event changes in an open list. */
  follow: FollowPicker
  /** All built-in commands, also those that are not offered here. */
  slashCommands: readonly BuiltInCommand[]
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

export function createContext(options: ContextOptions): AppContext {
  const {
    store,
    startSide,
    openBoard,
    slashCommands,
    follow,
    settings = unsavedSettings(),
    keymap = defaultKeymap,
    journals,
    showsUnicode = true,
    elapsed = elapsedHere,
    secrets = [],
    openFinder,
    listSymbols,
    commandSources = [],
    ...passed
  } = options
  const { backend, now, agents, sessions } = passed
  const { dispatch } = store
  const naming = createNaming()
  const { publish, ...publishing } = createPublishing({ ...passed, store, secrets }, naming)
  const { stop, ...notices } = createNotices({ publish, naming, keyNames: keymap.names, now, dispatch })
  const current = createCurrentCommands({
    builtIn: availableCommands(slashCommands, { ...passed, store, startSide, openBoard }),
    known: slashCommands,
    sources: [...commandSources, ...(agents || backend.abilities.has('reading') ? [skillCommands(backend)] : [])],
    get: store.get,
    agent: () => backend.name,
    onChange: found => dispatch({ type: 'commands_read', commands: found }),
    warn: text => notices.addProgramNotice('warn', text),
  })
  const commands = current.all
  const onChange = (found: FoundFiles): void => dispatch({ type: 'files_found', files: found })
  const files = openFinder ? createFiles({ openFinder, listSymbols, commands, now, get: store.get, onChange }) : null
  const inOrder = (models: readonly Model[]): ListedModel[] =>
    inOrderOfUse(models, settings.values().favouriteModels, passed.recentModels?.list() ?? [])
  const load = createArgumentLoader(commands, {
    async models() {
      // Both lists change together, so that the selected row stays the same.
      const [own, every] = await Promise.all([backend.listModels(), everyModel(backend)])
      const { provider } = store.get().chat.agent
      if (own.ok) dispatch({ type: 'models_listed', models: inOrder(withOthers(own.value, every, provider)) })
    },
    async branches() {
      const { host } = passed
      if (!host || store.get().startup.demo) return
      const { listBranches } = await import('../../changes/list-branches.ts')
      dispatch({ type: 'branches_listed', branches: await listBranches(host) })
    },
  })
  store.begin(reducerWith(follow), [
    { name: 'lists files after an @', complete: state => files?.follow(state) ?? state },
    { name: 'lists models after /model', act: (state, { type }) => void (type === 'edited' && load(state)) },
    { name: 'reads prompt files after a /', act: state => current.follow(state) },
  ])
  dispatch({ type: 'keys_named', names: keymap.names })
  dispatch({ type: 'commands_known', commands: slashCommands })
  const sessionId = (): string | null => sessions?.current().id ?? backend.holder?.session() ?? null
  const review = createCurrentReview(passed.openReview, sessionId, publishing.redact)
  return {
    ...passed,
    ...publishing,
    ...notices,
    state: store.get,
    dispatch,
    elapsed,
    commands,
    promptCommands: current,
    naming,
    settings,
    keymap,
    drafts: createDraftStore(store, dispatch, journals, commands),
    inOrder,
    showsUnicode,
    files,
    sessionId,
    review: review.current,
    starts: new Set(),
    stop() {
      stop()
      review.save()
      files?.close()
    },
  }
}
