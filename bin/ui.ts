/** Connects the parts of the UI. */
import { resolve } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { mountForScreenReader } from '../components/screen-reader.ts'
import { createAlternateScreen } from '../components/screens/alternate-screen.ts'
import { createDiffScreen } from '../components/screens/diff-screen.ts'
import { createHelpScreen } from '../components/screens/help-screen.ts'
import { createViewerScreen } from '../components/screens/viewer-screen.ts'
import type { Backend } from '../src/agent/backend.ts'
import { readCall } from '../src/app/context/full-transcript.ts'
import { createCheckpoints } from '../src/checkpoints/checkpoints.ts'
import type { Agents, StartSide } from '../src/app/context/agents.ts'
import { createController, type ControllerOptions, type SessionRequest } from '../src/app/controller.ts'
import { loadKeymap } from '../src/app/input/keys-file.ts'
import { customCommands, userCommandsFolder } from '../src/config/prompts/custom-commands.ts'
import type { SettingsStore } from '../src/config/settings.ts'
import type { ToolCall } from '../src/conversation/state.ts'
import { loadCommonLanguages } from '../src/markdown/code/languages.ts'
import type { Remark } from '../src/platform/errors.ts'
import { createFinder } from '../src/platform/files/finder.ts'
import { readPicture } from '../src/platform/images/read-image.ts'
import { folderLabel, projectFolder } from '../src/platform/project.ts'
import type { Watchdog } from '../src/platform/watchdog.ts'
import { composerWidth } from '../src/rows/composer.ts'
import { questionRoom } from '../src/rows/live-zone.ts'
import type { ToolLimit } from '../src/state/state.ts'
import { statePath, type Log } from '../src/storage/log.ts'
import { pictureProtocol } from '../src/terminal/capabilities.ts'
import { createReadable } from '../src/viewer/readable.ts'
import type { FirstFrame } from './first-frame.ts'
import type { RecordingFile } from './wiring/recording.ts'
import { openJournals } from './wiring/start/journals.ts'
import { permissionOptions } from './wiring/start/permissions.ts'
import type { ChosenTheme } from './wiring/start/theme.ts'
import { prepareEnding } from './wiring/ui/ending.ts'
import { greetings } from './wiring/ui/greeting.ts'
import { createHost } from './wiring/ui/host.ts'
import { keepNewSpaceSmall } from './wiring/ui/new-space.ts'
import { createProblems } from './wiring/ui/problems.ts'
import { withReplayKeys, type UiReplay } from './wiring/ui/replay-keys.ts'
import { followState } from './wiring/ui/terminal-status.ts'
import { noticeUpdates } from './wiring/ui/update-notice.ts'

export type UiOptions = {
  backend: Backend
  /** Undefined if the agent cannot be changed. */
  agents: Agents | undefined
  /** Absent where there is no second agent to be asked. */
  startSide?: StartSide
  demo: boolean
  /** The recording to replay; null for a real conversation. */
  replay: UiReplay | null
  /** The file that records the wire; null without --record. */
  recording: RecordingFile | null
  /** The first message, such as why this is the demo. */
  notice: string | null
  /** Why the agent lacks tools; null if it has all of them. */
  toolLimit: ToolLimit | null
  folder: string
  home: string
  prompt: string | null
  /** The session to resume; null for a new one. */
  session: SessionRequest | null
  look: ChosenTheme
  settings: SettingsStore
  /** Warnings about the settings, one line each. */
  warnings: readonly Remark[]
  /** Values to mask on the screen and on disk. */
  secrets: readonly string[]
  version: string
  log: Log
  watchdog: Watchdog
  /** The first frame, which is on the terminal. */
  frame: FirstFrame
}

/** Runs the UI behind its first frame until the user exits, and ends the process. */
export async function openUi(options: UiOptions): Promise<void> {
  const { backend, folder, home, log, look, settings, replay, secrets } = options
  const { env, platform } = process
  const now = replay?.pace.now ?? Date.now
  const [{ keymap, warnings }, permissions] = await Promise.all([
    loadKeymap(),
    replay ? null : permissionOptions({ settings, folder, home, demo: options.demo }),
  ])
  const { store, terminal, display, handoff, screen, mounted } = options.frame
  const { input, output } = terminal
  const problems = createProblems()
  // Demo sessions and replays are not saved.
  const isSaved = !options.demo && !replay
  const places = { stateFolder: statePath(), projectFolder: folder, secrets, onProblem: problems.report }
  const journals = isSaved ? openJournals(places) : undefined
  const end = prepareEnding({ backend, log, terminal, display, journals, folder, stderr: process.stderr })

  const second = createAlternateScreen({
    store,
    terminal,
    hearsMouse: () => settings.values().mouse,
    onLeft: display.backFromAlternate,
    clock: () => performance.now(),
  })
  const { print, redraw } = display
  const { theme } = look
  const recall = (tool: ToolCall) => readCall(journals?.sessions ?? null, tool)
  const viewer = { store, screen: second, size: output, theme, keymap, print, readCall: recall }
  // A screen reader reads the conversation as lists, without the alternate screen.
  const screens: Partial<ControllerOptions> = !mounted
    ? { read: () => createReadable({ state: store.get(), theme: theme(), columns: output.columns, readCall: recall }) }
    : {
        viewer: createViewerScreen(viewer),
        diffScreen: createDiffScreen({ store, screen: second, size: output, theme, keymap }),
        helpScreen: createHelpScreen({ screen: second, theme }),
      }
  const { promise: left, resolve: onLeave } = Promise.withResolvers<number>()
  const controller = createController({
    store,
    ...screens,
    print,
    backend,
    ...(options.agents && { agents: options.agents }),
    ...(options.startSide && { startSide: options.startSide }),
    now,
    composerWidth: () => composerWidth(output.columns),
    redraw,
    useTheme(name) {
      const reply = look.use(name)
      if (reply.ok) display.setTheme(theme())
      if (reply.ok) redraw()
      return reply
    },
    settings,
    keymap,
    readsMacOption: () => platform === 'darwin' && !terminal.hasKittyKeys(),
    // A replay runs nothing.
    ...(!replay && { host: createHost({ options, store, terminal, handoff, stdout: process.stdout }) }),
    ...(journals && { journals, ...journals }),
    ...(isSaved && { checkpoints: createCheckpoints({ folder, stateFolder: statePath(), home, env, now: Date.now }) }),
    showsUnicode: theme().markdown.unicode,
    secrets,
    ...(permissions && { permissions }),
    questionRoom: () => questionRoom(store.get(), { theme: theme(), columns: output.columns, rows: output.rows }),
    openFinder: wanted => createFinder({ ...wanted, folder: resolve(folder), now: () => performance.now() }),
    // A replay takes no input.
    commandSources: replay ? [] : [projectCommands(folder, home)],
    onLeave,
  })
  const { leave, quit, commands, announce } = controller
  options.frame.endWith({ leave, quit })
  void left.then(code => end(options.frame.signalCode() ?? code))

  const tell = (words: string): void => announce('info', words)
  noticeUpdates({ store, settings, statePath: statePath(), version: options.version, env, tell })
  followState({ store, settings, terminal, env, folder })
  options.frame.offer(commands)
  const shown = replay ? withReplayKeys(controller, replay, store) : controller
  const protocol = pictureProtocol(env)
  const images = protocol && { protocol, read: readPicture }
  display.onMouse(second.mouse)
  if (mounted) mounted.connect({ keyboard: shown, second, images })
  else
    display.attach({
      screen,
      mounted: mountForScreenReader({ store, controller: shown, screen, input, output, theme }),
    })
  settings.subscribe((current, before) => {
    const isSame = (['color', 'ascii', 'reducedMotion'] as const).every(name => current[name] === before[name])
    if (isSame) return
    look.restyle(current)
    output.isPlain = !theme().markdown.unicode
    screen.wear(theme())
    redraw()
  })
  const warn = (words: string): void => announce('warn', words)
  options.recording?.onBroken(warn)
  controller.start(options.prompt, options.session, () => {
    const mode = backend.setPermissionMode && permissions ? permissions.start.mode : 'allow'
    for (const line of greetings(options, mode, journals?.sessions)) tell(line)
    for (const { text } of [...options.warnings, ...look.warnings, ...warnings, ...(permissions?.remarks ?? [])])
      warn(text)
    problems.follow(warn)
  })
  void journals?.sessions.expire(settings.values().retentionDays)
  // The keys that have come go first.
  await setImmediate()
  await mounted?.loadComponents()
  // Nothing waits for the colours of code: a block that begins before they are loaded stays plain.
  await loadCommonLanguages(setImmediate)
  keepNewSpaceSmall()
}

function projectCommands(folder: string, home: string) {
  return customCommands(
    () => projectFolder(folder),
    userCommandsFolder(),
    path => folderLabel(path, home),
  )
}
