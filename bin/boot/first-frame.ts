/**
 * Takes the terminal and draws the first frame, before the agent and the rest of the UI are loaded. Meanwhile typed text
 * is shown, other keys stay in the terminal's input, and a signal waits until the program can end normally.
 */
import process from 'node:process'
import { mount, type MountedProgram } from '../../components/screen/mount.ts'
import type { SettingsStore } from '../../src/config/settings.ts'
import { folderLabel, gitBranch } from '../../src/platform/project.ts'
import type { Watchdog } from '../../src/platform/watchdog.ts'
import { createFirstScreen, type FirstScreen } from '../../components/screen/first-screen.ts'
import { initialState, type ToolLimit } from '../../src/state/state.ts'
import { firstVim } from '../../src/state/composer/vim-view.ts'
import { createShownStore, createAppStore, type ShownStore, type ConversationStore } from '../../src/state/app-store.ts'
import { answersQueries } from '../../src/terminal/capabilities.ts'
import { openTerminal, type Terminal } from '../../src/terminal/terminal.ts'
import type { Remote } from '../wiring/start/remote.ts'
import type { ChosenTheme } from '../wiring/start/theme.ts'
import { createDisplay, type Display } from '../wiring/ui/display.ts'
import { handleSignals } from '../wiring/ui/terminal/signals.ts'
import { createTerminalHandoff, type TerminalHandoff } from '../wiring/ui/terminal/terminal-handoff.ts'

export type FirstFrameOptions = {
  version: string
  folder: string
  /** Where the agent runs, or ran, if it is not the folder here: on another machine, or in a session that is replayed. */
  remote: (Pick<Remote, 'label'> & { survey: Pick<Remote['survey'], 'folder' | 'branch'> }) | null
  home: string
  demo: boolean
  /** Why the agent lacks tools; null if it has all of them. */
  toolLimit: ToolLimit | null
  isReplay: boolean
  /** True if a page is shown from the start, in place of the conversation. */
  isPage?: boolean
  now: () => number
  look: ChosenTheme
  settings: SettingsStore
  watchdog: Watchdog
}

/** Ends the program: normally, or at once. */
type ProgramEnd = { leave: () => Promise<void>; quit: () => Promise<void> }

export type FirstFrame = {
  /** The state of the conversation that is shown. */
  store: ShownStore
  terminal: Terminal
  display: Display
  handoff: TerminalHandoff
  /** Becomes the full screen when that is loaded. */
  screen: FirstScreen
  /** Null for a screen reader: its first frame is empty. */
  mounted: MountedProgram | null
  /** Sets how a signal or the loss of the terminal ends the program. */
  endWith: (end: ProgramEnd) => void
  /** The exit code of the signal that ends the program; null if there was none. */
  signalCode: () => number | null
}

export function drawFirstFrame(options: FirstFrameOptions): FirstFrame {
  const { look, settings, watchdog, now } = options
  const { env } = process
  const isSpoken = settings.values().screenReader
  const store = createShownStore(openStore(options))
  const display = createDisplay()
  const screen = createFirstScreen(look.theme())
  const terminal = openTerminal(process.stdin, process.stdout, {
    asksBackground: look.asksBackground,
    isSpoken,
    env,
    onModes: giveBack => (giveBack === null ? watchdog.returned() : watchdog.taken(giveBack)),
    onMouse: display.mouse,
    onBackground: color => {
      if (!look.learn(color)) return
      screen.setTheme(look.theme())
      store.dispatch({ type: 'ticked', now: now() })
    },
  })
  process.on('exit', () => terminal.restore())
  const { input, output } = terminal
  output.isPlain = !look.theme().markdown.unicode
  const handoff = createTerminalHandoff(terminal, display)
  const { promise: end, resolve: endWith } = Promise.withResolvers<ProgramEnd>()
  const leave = async (): Promise<void> => (await end).leave()
  const signalCode = handleSignals({ isLent: handoff.isLent, leave, quit: async () => (await end).quit() })
  input.onEnd = () => void leave()
  if (options.isPage) terminal.enterAlternate(settings.values().mouse)
  const marksPrompts = (): boolean => settings.values().promptMarks && answersQueries(env)
  const mounted = isSpoken ? null : mount({ store, screen, input, output, marksPrompts })
  if (mounted) display.attach({ screen, mounted })
  return { store, terminal, display, handoff, screen, mounted, endWith, signalCode }
}

function openStore({
  version,
  folder,
  remote,
  home,
  demo,
  toolLimit,
  isReplay,
  look,
  settings,
  now,
}: FirstFrameOptions): ConversationStore {
  const place = remote
    ? { folder: remote.label, place: remote.survey.folder, home, branch: remote.survey.branch }
    : { folder: folderLabel(folder, home), place: folder, home, branch: gitBranch(folder) }
  const startup = { version, ...place, demo, toolLimit, isReplay }
  const { detail, editor, thinking, statusFacts, sandbox, statusLine } = settings.values()
  const state = initialState(startup, now(), { used: look.used, offered: look.offered }, detail)
  // The row of the user's status line is reserved from the start, so that nothing moves when its text arrives.
  const customStatus = statusLine === null || isReplay ? null : { text: '', problem: null }
  const vim = firstVim(editor === 'vim' && !isReplay)
  return createAppStore({ ...state, thoughts: thinking === 'full', statusFacts, sandbox, customStatus, vim })
}
