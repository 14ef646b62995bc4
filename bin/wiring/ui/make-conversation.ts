/** Makes a conversation of the UI, with its own state, journals, permissions and agent, on the common terminal. */
import process from 'node:process'
import { createCheckpoints } from '../../../src/checkpoints/checkpoints.ts'
import { withFolders } from '../../../src/checkpoints/with-folders.ts'
import type { PermissionMode } from '../../../src/agent/permission.ts'
import { pickerTable } from '../../../components/picker/table.ts'
import { slashCommands } from '../../../src/commands/table.ts'
import { createController } from '../../../src/app/controller.ts'
import type { ControllerOptions } from '../../../src/app/controller-options.ts'
import type { PermissionOptions } from '../../../src/app/permissions/permissions.ts'
import type { Conversation } from '../../../src/program/conversation.ts'
import type { Program } from '../../../src/program/conversations.ts'
import { createFinder } from '../../../src/platform/files/finder.ts'
import { listRemote } from '../../../src/platform/remote/list-files.ts'
import type { SymbolList } from '../../../src/platform/symbols/list-symbols.ts'
import { machineFiles } from '../../../src/app/mentions/machine-files.ts'
import { composerWidth } from '../../../components/composer/rows.ts'
import { questionRoom } from '../../../components/question/panel.ts'
import type { AppStore, ConversationStore } from '../../../src/state/app-store.ts'
import { statePath } from '../../../src/storage/log.ts'
import { createWorktrees } from '../../../src/worktrees/worktrees.ts'
import { quietTimers } from '../../../src/platform/timers.ts'
import type { Terminal } from '../../../src/terminal/terminal.ts'
import type { OpenedAgent, UiOptions } from './options.ts'
import { openOwnWrites } from '../../../src/storage/journal/own-writes.ts'
import { openMarks, type Marks } from '../../../src/storage/marks/marks.ts'
import type { QueueFile } from '../../../src/storage/sessions/queue-file.ts'
import { openReviewFile } from '../../../src/storage/review/review-file.ts'
import { closeJournals, openJournals, type OpenJournals } from '../start/journals.ts'
import { promptFiles } from '../start/prompt-files.ts'
import { openDemoLedger } from '../../../src/storage/usage/demo-ledger.ts'
import type { DayCost } from '../../../src/storage/usage/day-cost.ts'
import { openLedger, type Ledger } from '../../../src/storage/usage/ledger.ts'
import type { DemoPast } from './demo-past.ts'
import type { Display } from './display.ts'
import { createRemoteHost } from './remote-host.ts'
import type { Host } from '../../../src/app/context/host.ts'
import type { Backend } from '../../../src/agent/backend.ts'
import type { StartSide } from '../../../src/app/context/agents.ts'
import type { ConversationHooks } from '../../../src/hooks/conversation-hooks.ts'
import { hookedAgent } from '../../../src/hooks/hooked-agent.ts'
import { dayClock } from '../../../src/platform/ages.ts'
import { startHooks } from '../start/hooks.ts'
import type { Remote } from '../start/remote.ts'
import type { RemoteMachines } from '../start/remote-machines.ts'

/** The common parts of all conversations of a UI. */
export type ConversationParts = {
  options: UiOptions
  program: Program
  terminal: Terminal
  display: Display
  /** The pages, the themes, the keys, and the server for browsers. */
  shared: Pick<ControllerOptions, 'pages' | 'useTheme' | 'keymap' | 'openLocalServer' | 'openBoard'>
  /** Makes the user's machine with this folder for the user's commands. Undefined in a replay, which runs nothing. */
  hostOf: ((folder: string, remote: Remote | null) => Host) | undefined
  machines: RemoteMachines
  /** Undefined if nothing is saved. */
  journals: OpenJournals | undefined
  /** Undefined if nothing is saved. */
  openSessionFinder: ControllerOptions['openSessionFinder'] | undefined
  /** Undefined if nothing is limited. */
  dayCost: DayCost | undefined
  /** Undefined if this is not the demo. */
  demoPast: DemoPast | undefined
  now: () => number
  onProblem: (words: string) => void
}

export type ConversationStart = OpenedAgent & {
  store: ConversationStore
  /** The machine that it works on, which is held for it; null for this one. */
  remote: Remote | null
  /** Absolute. */
  folder: string
  permissions: PermissionOptions | null
  /** The mode to begin with; that of `permissions` if it is undefined. */
  mode?: PermissionMode | undefined
  /** The ID under which another process holds and saves the conversation. */
  backgroundId?: string
}

/** The first conversation has the journals of `parts`; each other one has its own drafts and session. */
export function makeConversation(parts: ConversationParts, start: ConversationStart): Conversation {
  const { options, program, terminal, display, now } = parts
  const { home, settings, replay, secrets, look } = options
  const { store, agents, remote, folder, permissions, mode, backgroundId = null } = start
  const { output } = terminal
  const { env, platform } = process
  const theme = look.theme()
  const journals = backgroundId === null ? journalsOf(parts, folder) : undefined
  const demo = backgroundId === null ? parts.demoPast?.keep(folder) : undefined
  const host = parts.hostOf?.(folder, remote)
  const worktrees = createWorktrees({ stateFolder: statePath(), env, now: Date.now })
  const release = journals && !remote ? worktrees.use(folder) : null
  // The demo changes no files, and a replay has none.
  const hasFiles = journals !== undefined || (backgroundId !== null && !store.get().startup.demo)
  // A replay runs nothing.
  const hooked = replay
    ? { hooks: undefined, backend: start.backend, startSide: start.startSide }
    : hookConversation({
        options,
        remote,
        isInBackground: backgroundId !== null,
        store,
        backend: start.backend,
        startSide: start.startSide,
        folder,
        session: () => backgroundId ?? journals?.sessions.current().id ?? null,
        onMessage: text => controller.addProgramNotice('info', `A hook says: ${text}`),
      })
  const { backend, startSide, hooks } = hooked
  const controller = createController({
    store,
    slashCommands,
    pickers: pickerTable,
    ...parts.shared,
    print: display.print,
    redraw: display.redraw,
    backend,
    ...(agents && { agents }),
    ...(startSide && { startSide }),
    ...(hooks && { hooks }),
    ...(options.openAgent && { conversations: program.conversations }),
    ...(!replay && { serving: program.serving }),
    now,
    composerWidth: () => composerWidth(output.columns),
    screenRows: () => output.rows,
    settings,
    readsMacOption: () => platform === 'darwin' && !terminal.hasKittyKeys(),
    ...(host && { host }),
    ...(journals && { journals, ...journals, marks: marksOf(parts, folder) }),
    ...(journals && parts.openSessionFinder && { openSessionFinder: parts.openSessionFinder }),
    ...(journals && { openQueueFile: () => openQueueFile(parts, folder) }),
    ...demo,
    ...(parts.dayCost && { dayCost: parts.dayCost }),
    ...(hasFiles && checkpointsOf(home, remote, folder)),
    ...(hasFiles && !remote && { worktrees, ownWrites: openOwnWrites({ stateFolder: statePath(), now: Date.now }) }),
    openReview: reviewsOf(parts, folder, hasFiles),
    ...(!journals && !replay && { ledger: ledgerBeside(parts, folder) }),
    showsUnicode: theme.markdown.unicode,
    secrets,
    permissions: permissions && mode ? { ...permissions, start: inMode(permissions.start, mode) } : permissions,
    questionRoom: () =>
      questionRoom({ state: store.get(), theme: look.theme(), columns: output.columns, rows: output.rows }),
    openFinder: parts =>
      createFinder({
        ...parts,
        folder,
        now: () => performance.now(),
        beside: () => store.get().chat.folders,
        ...(remote && { lister: listRemote(remote.machine, remote.survey.folder) }),
      }),
    ...(host && { listSymbols: () => symbolsOf(remote?.survey.folder ?? folder, host) }),
    // A replay takes no input.
    commandSources: replay ? [] : [promptFiles(folder, home)],
    isShown: () => program.isShown(store),
    onLeave: code => program.onAgentGone(store, code),
  })
  let isClosed = false
  return {
    store,
    controller,
    start: () => (backend.name === 'zot' ? backend.startOptions() : undefined),
    remoteWords: () => start.remoteWords?.(),
    folder,
    machine: remote && { name: remote.name, folder: remote.survey.folder, on: remote.on, flags: remote.flags },
    backgroundId,
    session: () => (backgroundId === null ? storedIn(journals) : (backend.holder?.session() ?? null)),
    sessions: journals?.sessions ?? null,
    kept: journals?.sessions ?? demo?.sessions ?? null,
    kill: () => backend.leave(),
    flush() {
      journals?.drafts.flushSync()
      journals?.sessions.flush()
    },
    close() {
      if (isClosed) return
      isClosed = true
      if (remote) parts.machines.release(remote)
      release?.()
      if (journals) closeJournals(journals)
      demo?.sessions.close()
    },
  }
}

function marksOf({ now, onProblem }: ConversationParts, projectFolder: string): Marks {
  return openMarks({ stateFolder: statePath(), projectFolder, now, onProblem })
}

/** Loaded when a session is resumed. */
async function openQueueFile({ onProblem }: ConversationParts, projectFolder: string): Promise<QueueFile> {
  const { openQueueFile: open } = await import('../../../src/storage/sessions/queue-file.ts')
  return open({ stateFolder: statePath(), projectFolder, onProblem })
}

/** The comments of a conversation, beside its session, or in memory if it has none. */
function reviewsOf(
  { now, onProblem }: ConversationParts,
  projectFolder: string,
  isStored: boolean,
): NonNullable<ControllerOptions['openReview']> {
  return (sessionId, redact) => {
    const place = isStored && sessionId !== null ? { stateFolder: statePath(), projectFolder, sessionId } : null
    return openReviewFile(place, { redact, now, timers: quietTimers, onProblem })
  }
}

/** A mode that another conversation is in may be one that nobody has chosen yet. */
function inMode(start: PermissionOptions['start'], mode: PermissionMode): PermissionOptions['start'] {
  return { ...start, mode, isChosen: start.isChosen || mode !== start.mode }
}

/** Checkpoints of another machine are kept there. Windows, which joins paths differently, makes none of them. */
function checkpointsOf(home: string, remote: Remote | null, folder: string): Pick<ControllerOptions, 'checkpoints'> {
  const here = { home, stateFolder: statePath(), env: process.env, now: Date.now }
  if (remote && process.platform === 'win32') return {}
  const place = remote ? { ...here, home: remote.survey.home, remote: createRemoteHost(remote) } : here
  const open = (each: string) => createCheckpoints({ ...place, folder: each })
  return { checkpoints: withFolders(open(remote?.survey.folder ?? folder), open) }
}

function journalsOf({ program, journals, options, onProblem }: ConversationParts, folder: string) {
  const isSaved = !options.demo && !options.replay
  if (!isSaved || (journals && program.all().length === 0)) return journals
  const places = { stateFolder: statePath(), projectFolder: folder, secrets: options.secrets, onProblem }
  return openJournals({ ...places, ...(program.all().length > 0 && { kind: 'spawned' as const }) }, journals)
}

/** The demo has a ledger of its own. What is used by a conversation in the background is recorded there, and read here. */
function ledgerBeside({ options, now, onProblem }: ConversationParts, folder: string): Ledger {
  if (options.demo) return openDemoLedger(folder, now)
  const ledger = openLedger({ stateFolder: statePath(), projectFolder: folder, now: Date.now, onProblem })
  return { ...ledger, add: () => undefined }
}

/** Loaded when the user asks for symbols. */
async function symbolsOf(folder: string, { remote, env }: Host): Promise<SymbolList> {
  const { listSymbols } = await import('../../../src/platform/symbols/list-symbols.ts')
  return listSymbols({ folder, ...machineFiles(remote), env: remote ? null : env })
}

function storedIn(journals: OpenJournals | undefined): string | null {
  const current = journals?.sessions.current()
  return current?.isStored() ? current.id : null
}

/** Milliseconds after a turn before hooks are notified that the agent is idle. */
const IDLE = 60_000

type UiHooksParts = {
  options: Pick<UiOptions, 'settings' | 'watchdog'>
  remote: Remote | null
  /** Whether another process holds the conversation. */
  isInBackground: boolean
  store: AppStore
  backend: Backend
  startSide: StartSide | undefined
  folder: string
  session: () => string | null
  onMessage: (text: string) => void
}

type UiHooks = { hooks: ConversationHooks; backend: Backend; startSide: StartSide | undefined }

/** If another process holds the conversation, its hooks see the agent, and those of this one only see the prompts. */
function hookConversation(parts: UiHooksParts): UiHooks {
  const { options, remote, isInBackground, store, backend, startSide, folder, session, onMessage } = parts
  const { settings, watchdog } = options
  const run = startHooks({
    backend,
    settings,
    folder,
    remote,
    watch: watchdog.watch,
    facts: () => ({ session_id: session(), permission_mode: store.get().chat.permissionMode }),
    onMessage,
    onAsked: events => store.dispatch({ type: 'hooks_asked', events }),
    afterIdle(notify) {
      const timer = setTimeout(notify, IDLE)
      timer.unref()
      return () => clearTimeout(timer)
    },
  })
  const { hooks, prompts, doubtOf } = run
  if (isInBackground) return { hooks: { hooks, prompts: { ...prompts, begin() {} }, doubtOf }, backend, startSide }
  const hookedSide: StartSide = async () => {
    const made = await startSide?.()
    if (!made?.ok) return made ?? { ok: false, message: 'there is no second agent' }
    const { backend: side } = hookedAgent({
      backend: made.value.backend,
      hooks,
      now: dayClock.now,
      isSideQuestion: true,
    })
    return { ok: true, value: { ...made.value, backend: side } }
  }
  return { hooks: { hooks, prompts, doubtOf }, backend: run.backend, startSide: startSide && hookedSide }
}
