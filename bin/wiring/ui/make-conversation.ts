/** Makes a conversation of the UI: with its own state, journals, permissions and agent, on the terminal of all. */
import { resolve } from 'node:path'
import process from 'node:process'
import { createCheckpoints } from '../../../src/checkpoints/checkpoints.ts'
import type { PermissionMode } from '../../../src/agent/permission.ts'
import { createController, type ControllerOptions } from '../../../src/app/controller.ts'
import type { PermissionOptions } from '../../../src/app/permissions/permissions.ts'
import { customCommands, userCommandsFolder } from '../../../src/config/prompts/custom-commands.ts'
import type { Conversation } from '../../../src/program/conversation.ts'
import type { Program } from '../../../src/program/conversations.ts'
import { createFinder } from '../../../src/platform/files/finder.ts'
import { listRemote } from '../../../src/platform/remote/list-files.ts'
import { folderLabel, projectFolder } from '../../../src/platform/project.ts'
import { composerWidth } from '../../../src/rows/composer.ts'
import { questionRoom } from '../../../src/rows/live-zone.ts'
import type { AppState } from '../../../src/state/state.ts'
import type { Store } from '../../../src/state/store.ts'
import { statePath } from '../../../src/storage/log.ts'
import type { Terminal } from '../../../src/terminal/terminal.ts'
import type { OpenedAgent, UiOptions } from '../../ui.ts'
import { closeJournals, openJournals, type OpenJournals } from '../start/journals.ts'
import type { Display } from './display.ts'
import type { Host } from '../../../src/app/context/host.ts'

/** The common parts of all conversations of a UI. */
export type ConversationParts = {
  options: UiOptions
  program: Program
  terminal: Terminal
  display: Display
  /** The screens and keys. */
  shared: Partial<ControllerOptions>
  /** The user's machine, with another folder for the user's commands. Undefined in a replay, which runs nothing. */
  hostOf: ((folder: string) => Host) | undefined
  /** Undefined if nothing is saved. */
  journals: OpenJournals | undefined
  now: () => number
  onProblem: (words: string) => void
}

export type ConversationStart = OpenedAgent & {
  store: Store<AppState>
  /** Absolute. */
  folder: string
  permissions: PermissionOptions | null
  /** The mode to begin with; that of `permissions` if it is undefined. */
  mode?: PermissionMode | undefined
}

/** The first conversation has the journals of `parts`; each other one has its own drafts and session. */
export function makeConversation(parts: ConversationParts, start: ConversationStart): Conversation {
  const { options, program, terminal, display, now, onProblem } = parts
  const { home, settings, remote, replay, secrets, look } = options
  const { store, backend, agents, startSide, folder, permissions, mode } = start
  const { output } = terminal
  const { env, platform } = process
  const theme = look.theme()
  const isFirst = program.all().length === 0
  const places = { stateFolder: statePath(), projectFolder: folder, secrets, onProblem }
  const journals = isFirst || !parts.journals ? parts.journals : openJournals(places, parts.journals)
  const host = parts.hostOf?.(folder)
  const controller = createController({
    store,
    ...parts.shared,
    print: display.print,
    redraw: display.redraw,
    backend,
    ...(agents && { agents }),
    ...(startSide && { startSide }),
    ...(options.openAgent && { conversations: program.conversations }),
    now,
    composerWidth: () => composerWidth(output.columns),
    settings,
    readsMacOption: () => platform === 'darwin' && !terminal.hasKittyKeys(),
    ...(host && { host }),
    ...(journals && { journals, ...journals }),
    // Files of another machine are not kept.
    ...(journals &&
      !remote && {
        checkpoints: createCheckpoints({ folder, stateFolder: statePath(), home, env, now: Date.now }),
      }),
    showsUnicode: theme.markdown.unicode,
    secrets,
    ...(permissions && { permissions: mode ? { ...permissions, start: { ...permissions.start, mode } } : permissions }),
    questionRoom: () => questionRoom(store.get(), { theme: look.theme(), columns: output.columns, rows: output.rows }),
    openFinder: wanted =>
      createFinder({
        ...wanted,
        folder,
        now: () => performance.now(),
        ...(remote && { lister: listRemote(remote.machine, remote.survey.folder) }),
      }),
    // A replay takes no input.
    commandSources: replay ? [] : [projectCommands(folder, home)],
    onLeave: code => program.left(store, code),
  })
  return {
    store,
    controller,
    folder,
    sessions: journals?.sessions ?? null,
    kill: async () => backend.leave?.() ?? backend.kill(),
    flush() {
      journals?.drafts.flushSync()
      journals?.sessions.flush()
    },
    close: () => (journals ? closeJournals(journals) : undefined),
  }
}

function projectCommands(folder: string, home: string) {
  return customCommands(
    () => projectFolder(resolve(folder)),
    userCommandsFolder(),
    path => folderLabel(path, home),
  )
}
