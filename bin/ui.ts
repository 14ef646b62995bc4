/** Connects the parts of the UI, and handles every way out. */
import { resolve } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { mount, mountForScreenReader, type Mounted } from '../components/mount.tsx'
import { createDiffScreen } from '../components/screens/diff-screen.ts'
import { createHelpScreen } from '../components/screens/help-screen.ts'
import { createAlternateScreen } from '../components/screens/alternate-screen.ts'
import { createViewerScreen } from '../components/screens/viewer-screen.ts'
import type { Backend } from '../src/agent/backend.ts'
import { createController, type SessionRequest } from '../src/app/controller.ts'
import { loadKeymap } from '../src/app/input/keys-file.ts'
import { reduceApp } from '../src/state/reduce.ts'
import { initialState } from '../src/state/state.ts'
import type { ToolCall } from '../src/conversation/state.ts'
import type { ToolLimit } from '../src/state/tool-limit.ts'
import { createStore } from '../src/state/store.ts'
import { readCall } from '../src/app/context/full-transcript.ts'
import type { SettingsStore } from '../src/config/settings.ts'
import { reportText } from '../src/doctor/finding.ts'
import { PROSE_INDENT } from '../src/transcript/entries.ts'
import type { Remark } from '../src/platform/errors.ts'
import { createFinder } from '../src/platform/files/finder.ts'
import { readPicture } from '../src/platform/images/read.ts'
import type { Log } from '../src/storage/log.ts'
import { statePath } from '../src/storage/log.ts'
import { loadCommonLanguages } from '../src/markdown/languages.ts'
import { folderLabel, gitBranch, isFirstStart, projectFolder } from '../src/platform/project.ts'
import { customCommands, userCommandsFolder } from '../src/config/prompts/custom-commands.ts'
import { answersQueries, pictureProtocol } from '../src/terminal/capabilities.ts'
import { drawnKinds } from '../src/terminal/pictures.ts'
import { CONTROLS } from '../src/agents/replay/controls.ts'
import { setWaiting } from '../src/terminal/terminal-writer.ts'
import { openTerminal } from '../src/terminal/terminal.ts'
import { tellDrawn } from './standard-streams.ts'
import { literal, sanitizeExact, type SafeText } from '../src/text/sanitize.ts'
import type { Watchdog } from '../src/platform/watchdog.ts'
import type { CurrentSession, Sessions } from '../src/storage/sessions/sessions.ts'
import { createReadable } from '../src/viewer/readable.ts'
import { composerWidth } from '../src/rows/composer.ts'
import { createScreen } from '../src/rows/screen.ts'
import { examine } from './wiring/examine.ts'
import { exit } from './wiring/exit.ts'
import { followState } from './wiring/terminal-status.ts'
import { closeJournals, openJournals } from './wiring/journals.ts'
import { copyThroughTerminal } from './wiring/copying.ts'
import { createScreenLoan } from './wiring/guest.ts'
import { createTerminalHandoff, handleStops } from './wiring/terminal-handoff.ts'
import type { ChosenTheme } from './wiring/theme.ts'
import { keepNewSpaceSmall } from './wiring/memory.ts'
import type { RecordingFile } from './wiring/recording.ts'
import { withReplayKeys, type UiReplay } from './wiring/replay-keys.ts'
import { noticeUpdates } from './wiring/update-notice.ts'
import { handleSignals } from './wiring/signals.ts'

export type UiOptions = {
  backend: Backend
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
}

/** Runs the UI until the user exits, and ends the process. */
export async function openUi(options: UiOptions): Promise<void> {
  const { backend, folder, log, look, settings, replay, watchdog } = options
  const now = replay?.pace.now ?? Date.now
  const { keymap, warnings } = await loadKeymap()
  const isSpoken = settings.values().screenReader
  const terminal = openTerminal(process.stdin, process.stdout, {
    asksBackground: look.asksBackground,
    isSpoken,
    env: process.env,
    onModes: giveBack => (giveBack === null ? watchdog.given() : watchdog.taken(giveBack)),
    onMouse: event => second.mouse(event),
    onBackground: color => {
      if (!look.learn(color)) return
      screen.wear(look.theme())
      store.set(reduceApp(store.get(), { type: 'ticked', now: now() }))
    },
  })
  const { input, output } = terminal
  output.isPlain = !look.theme().markdown.unicode
  const startup = {
    version: options.version,
    folder: folderLabel(folder, options.home),
    home: options.home,
    branch: gitBranch(folder),
    demo: options.demo,
    toolLimit: options.toolLimit,
    isReplay: replay !== null,
  }
  const store = createStore(
    initialState(startup, now(), { used: look.used, offered: look.offered }, settings.values().detail),
  )
  let mounted: Mounted | null = null
  const lending = createTerminalHandoff(terminal, () => mounted)
  const problems: string[] = []
  let tellProblem = (words: string): void => void problems.push(words)
  // Demo sessions and replays are not saved.
  const journals =
    options.demo || replay
      ? undefined
      : openJournals({
          stateFolder: statePath(),
          projectFolder: folder,
          secrets: options.secrets,
          onProblem: words => tellProblem(words),
        })

  const second = createAlternateScreen({
    store,
    terminal,
    hearsMouse: () => settings.values().mouse,
    onLeft: () => mounted?.backFromAlternate(),
    clock: () => performance.now(),
  })
  const print = (text: string): void => {
    screen.print(text)
    mounted?.show()
  }
  const recall = (tool: ToolCall) => readCall(journals?.sessions ?? null, tool)
  const viewer = createViewerScreen({
    store,
    screen: second,
    size: output,
    theme: look.theme,
    keymap,
    print,
    readCall: recall,
  })
  const controller = createController({
    store,
    // A screen reader reads the conversation as lists, without the alternate screen.
    ...(isSpoken && {
      read: () =>
        createReadable({ state: store.get(), theme: look.theme(), columns: output.columns, readCall: recall }),
    }),
    ...(!isSpoken && {
      viewer,
      diffScreen: createDiffScreen({ store, screen: second, size: output, theme: look.theme, keymap }),
      helpScreen: createHelpScreen({ screen: second, theme: look.theme }),
    }),
    print,
    backend,
    now,
    composerWidth: () => composerWidth(output.columns),
    redraw: () => mounted?.redraw(),
    useTheme(name) {
      const reply = look.use(name)
      if (reply.ok) screen.wear(look.theme())
      if (reply.ok) mounted?.redraw()
      return reply
    },
    settings,
    keymap,
    readsMacOption: () => process.platform === 'darwin' && !terminal.hasKittyKeys(),
    // A replay runs nothing.
    ...(!replay && {
      host: {
        folder,
        home: options.home,
        env: process.env,
        platform: process.platform,
        guard: watchdog.guard,
        lendTerminal: lending.lend,
        lendScreen: createScreenLoan(lending, watchdog, process.stdout),
        async examine() {
          const remarks = [...options.warnings, ...look.warnings]
          return reportText(
            await examine({ settings, remarks, theme: store.get().themes.used, terminal }),
            output.columns - PROSE_INDENT,
            isSpoken,
          )
        },
        copyThroughTerminal: text => copyThroughTerminal(text, process.env, output),
        stopProgram: process.platform === 'win32' ? null : handleStops(lending),
      },
    }),
    ...(journals && {
      journals,
      sessions: journals.sessions,
      ledger: journals.ledger,
      recentModels: journals.recentModels,
    }),
    showsUnicode: look.theme().markdown.unicode,
    secrets: options.secrets,
    openFinder: wanted => createFinder({ ...wanted, folder: resolve(folder), now: () => performance.now() }),
    // A replay takes no input.
    commandSources: replay
      ? []
      : [
          customCommands(
            () => projectFolder(folder),
            userCommandsFolder(),
            path => folderLabel(path, options.home),
          ),
        ],
    onLeave: code => void end(signalCode() ?? code),
  })
  const protocol = pictureProtocol(process.env)
  const kinds = protocol ? drawnKinds[protocol] : []
  const screen = createScreen(look.theme(), controller.commands, look.isDecided, kinds)

  async function end(code: number): Promise<void> {
    await mounted?.unmount()
    terminal.restore(journals ? resumeHint(journals.sessions.current(), folder) : literal``)
    await exit(code)
  }

  let hasCrashed = false

  /** Handles a bug: restores the terminal first, and ends the agent. Reports only the first bug. */
  function crash(error: unknown): void {
    if (hasCrashed) return
    hasCrashed = true
    const path = sanitizeExact(log.path)
    const words = literal`zotui: zotui crashed because of a bug.\n  Please report it with ${path}\n`
    const isSeen = process.stderr.isTTY
    terminal.restore(isSeen ? words : literal``)
    if (!isSeen) tellDrawn(words)
    journals?.drafts.flushSync()
    journals?.sessions.flush()
    log.write(error instanceof Error ? (error.stack ?? error.message) : String(error))
    void killed(backend)
  }

  // A terminal that has gone away sends a hangup, which ends the program.
  process.stderr.on('error', () => undefined)
  // From here on a bug restores the terminal before its report.
  process.removeAllListeners('uncaughtException')
  process.on('uncaughtException', crash)
  process.on('unhandledRejection', crash)
  process.on('exit', () => {
    terminal.restore()
    // Ink shows the cursor once more, on standard error. That write must not block on a terminal that does not read.
    setWaiting(process.stderr, false)
    if (journals) closeJournals(journals)
  })
  const signalCode = handleSignals({ isLent: lending.isLent, leave: controller.leave, quit: controller.quit })
  input.onEnd = () => void controller.leave()

  noticeUpdates({
    store,
    settings,
    statePath: statePath(),
    version: options.version,
    env: process.env,
    tell: words => controller.announce('info', words),
  })
  followState({ store, settings, terminal, env: process.env, folder })
  const images = protocol && { protocol, read: readPicture }
  const marksPrompts = (): boolean => settings.values().promptMarks && answersQueries(process.env)
  const shown = replay ? withReplayKeys(controller, replay, store) : controller
  const parts = { store, controller: shown, screen, input, output }
  mounted = isSpoken
    ? mountForScreenReader({ ...parts, theme: look.theme })
    : mount({ ...parts, images, marksPrompts, second })
  settings.subscribe((now, before) => {
    const isSame = (['color', 'ascii', 'reducedMotion'] as const).every(name => now[name] === before[name])
    if (isSame) return
    look.restyle(now)
    output.isPlain = !look.theme().markdown.unicode
    screen.wear(look.theme())
    mounted?.redraw()
  })
  options.recording?.onBroken(words => controller.announce('warn', words))
  controller.start(options.prompt, options.session, () => {
    const cutOff = options.session === null ? cutOffWords(journals?.sessions) : null
    for (const line of [...greetings(options), cutOff ?? []].flat()) controller.announce('info', line)
    for (const { text } of [...options.warnings, ...look.warnings, ...warnings]) controller.announce('warn', text)
    tellProblem = words => controller.announce('warn', words)
    for (const words of problems) tellProblem(words)
  })
  void journals?.sessions.expire(settings.values().retentionDays)
  // Nothing waits for the colours of code: a block that begins before they are loaded stays plain.
  await loadCommonLanguages(setImmediate)
  keepNewSpaceSmall()
}

/** The last line, which says how to resume the session; empty if the session was not saved. */
function resumeHint({ id, isStored }: Pick<CurrentSession, 'id' | 'isStored'>, folder: string): SafeText {
  if (!isStored()) return literal``
  const where = folder === process.cwd() ? '' : `--cwd '${folder.replaceAll("'", String.raw`'\''`)}' `
  return sanitizeExact(`Resume this session with: zotui ${where}--resume ${id}\n`)
}

/** The message about a session that ended with a kill; null if there is none. */
function cutOffWords(sessions: Pick<Sessions, 'cutOff' | 'newest'> | undefined): string | null {
  const id = sessions?.cutOff() ?? null
  if (id === null) return null
  const flag = id === sessions?.newest() ? '--continue' : `--resume ${id}`
  return `zotui was killed in this folder. To resume the session, use \`zotui ${flag}\` or /resume.`
}

/** Kills the agent, then exits with code 1. */
async function killed(backend: Backend): Promise<void> {
  await backend.kill()
  await exit(1)
}

function greetings({ notice, demo, replay, folder, settings }: UiOptions): string[] {
  const lines = notice === null ? [] : [notice]
  if (demo) lines.push('This is a scripted demo. Type tour, or help for more.')
  if (replay) lines.push(CONTROLS)
  if (!demo && !replay && isFirstStart(folder, statePath())) {
    lines.push(
      settings.values().readOnly
        ? 'zot can only read here: it has no tools that change files or run commands.'
        : 'zot edits files and runs commands here without asking. `zotui --read-only` allows only reading.',
    )
  }
  return lines
}
