/** Connects the parts of the UI. */
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { allBindings } from '../components/pages/keymap.ts'
import { loadPages } from '../components/pages/pages.ts'
import { mountForScreenReader } from '../components/screen/screen-reader.ts'
import { createScreen } from '../components/screen/screen.ts'
import { loadVim } from '../src/app/composer/vim-machine.ts'
import type { InputRouter } from '../src/app/input/input-router.ts'
import { loadKeymap } from '../src/app/input/keys-file.ts'
import { loadCommonLanguages } from '../src/markdown/code/languages.ts'
import { messageOf, type UserNotice } from '../src/platform/errors.ts'
import { readPicture } from '../src/platform/images/read-image.ts'
import { removeUnfinished } from '../src/platform/remove-unfinished.ts'
import { statePath } from '../src/storage/log.ts'
import { pictureProtocol } from '../src/terminal/capabilities.ts'
import { drawnKinds } from '../src/terminal/pictures.ts'
import { agentAnswered, inputHandled } from './boot/load-in-steps.ts'
import { createUi, type Ui } from './wiring/ui/create-ui.ts'
import { startCustomStatus } from './wiring/ui/custom-status.ts'
import { greetingOf } from './wiring/ui/greeting.ts'
import type { UiOptions } from './wiring/ui/options.ts'
import { followCaret } from './wiring/ui/terminal/caret-shape.ts'
import { createReplayInput, type ReplayInput } from './wiring/ui/terminal/replay-input.ts'
import { followState } from './wiring/ui/terminal/terminal-status.ts'
import { noticeUpdates } from './wiring/ui/update-notice.ts'

/** Starts the UI behind its first frame. Resolves when all is loaded; the process ends when the user exits. */
export async function openUi(options: UiOptions): Promise<void> {
  const { backend, settings, replay } = options
  const { mounted } = options.frame
  const [{ keymap, warnings }] = await Promise.all([
    loadKeymap(allBindings),
    settings.values().editor === 'vim' ? loadVim() : null,
  ])
  const ui = createUi(options, keymap)
  const protocol = pictureProtocol(process.env)
  showProgram(ui, protocol ? drawnKinds[protocol] : [])
  const replayInput = createInput(ui)
  const keyboard = replayInput?.keyboard ?? ui.program.keyboard
  const { alternateScreen } = ui
  options.frame.display.onMouse(alternateScreen.mouse)
  if (!mounted) showSpoken(ui, keyboard)
  followSettings(options)
  const answered = mounted && (options.pageFilled ?? (!replay && agentAnswered(backend)))
  startConversation(ui, warnings)
  replayInput?.begin()
  // The last draft has been restored by now.
  mounted?.connect({ keyboard, alternateScreen, loadPages, images: protocol && { protocol, read: readPicture } })
  removeUnfinished(statePath(), Date.now())
  void ui.journals?.sessions.expire(settings.values().retentionDays)
  // Loading the components would slow down an agent that starts, or the first rows of a page. Until then rows are drawn without them.
  await answered
  await inputHandled()
  await mounted?.loadComponents()
  if (!replay && process.platform !== 'win32') await publish(ui)
  // Nothing waits for the colours of code: a block that begins before they are loaded stays plain.
  await loadCommonLanguages(setImmediate)
}

/** Draws the shown conversation, and follows it with all that shows its state outside of the screen. */
function showProgram(ui: Ui, pictures: readonly string[]): void {
  const { options, program, folder } = ui
  const { look, settings, replay, version } = options
  const { store, terminal, screen, mounted } = options.frame
  const { env } = process
  const { leave, quit } = program.conversations
  screen.handOver(createScreen(look.theme(), () => commandsOf(ui), look.isDecided, pictures))
  options.frame.endWith({ leave, quit })
  noticeUpdates({ store, settings, statePath: statePath(), version, env, folder, addNotice: noticeIn(ui, 'info') })
  followCaret(store, terminal, env)
  followState({ store, settings, terminal, env, folder })
  // A replay runs nothing, and a screen reader has no status line.
  if (!replay && mounted) process.once('exit', startCustomStatus(options, program))
}

/** The UI does not need it: what is missing is in the log. */
async function publish({ options, program, folder }: Ui): Promise<void> {
  const { backend, log } = options
  const failed = (error: unknown): void => log.write(`The conversations are not shown to servers: ${messageOf(error)}`)
  try {
    const { publishConversations, removeLeftRecords } = await import('./wiring/ui/publish.ts')
    publishConversations({ program, folder, agent: backend.name, failed })
    await removeLeftRecords()
  } catch (error) {
    failed(error)
  }
}

/** The keys of a replay; null if all keys go to the conversation. */
function createInput({ options, program }: Ui): ReplayInput | null {
  const { replay, frame, page } = options
  if (!replay || page) return null
  const { leave } = program.conversations
  const followClock = program.shown().controller.catchUp
  return createReplayInput(replay, { store: frame.store, keyboard: program.keyboard, leave, followClock })
}

function showSpoken(ui: Ui, keyboard: InputRouter): void {
  const { store, terminal, display, screen } = ui.options.frame
  const { input, output } = terminal
  const { theme } = ui.options.look
  const commands = () => commandsOf(ui)
  display.attach({
    screen,
    mounted: mountForScreenReader({ store, keyboard, commands, screen, input, output, theme }),
  })
}

/** Draws anew when a setting of the look has changed. */
function followSettings({ settings, look, frame }: UiOptions): void {
  const { terminal, screen, display } = frame
  settings.subscribe((current, before) => {
    const isSame = (['color', 'ascii', 'reducedMotion'] as const).every(name => current[name] === before[name])
    if (isSame) return
    look.restyle(current)
    terminal.output.isPlain = !look.theme().markdown.unicode
    screen.setTheme(look.theme())
    display.redraw()
  })
}

/** Starts the first conversation. Its notices and warnings come when the screen keeps them. */
function startConversation(ui: Ui, ofKeys: readonly UserNotice[]): void {
  const { options, program, journals, problems } = ui
  const { backend, look, permissions } = options
  const { controller } = program.shown()
  if (options.page) return options.page(controller.openPage, () => void program.conversations.leave())
  const warn = noticeIn(ui, 'warn')
  const inform = noticeIn(ui, 'info')
  options.recording?.onBroken(warn)
  const own = backend.abilities.has('setPermissionMode') && permissions ? permissions.start.mode : 'allow'
  const mode = options.attached?.mode ?? own
  controller.start(options.prompt, options.session, () => {
    const { lines, welcome } = greetingOf(options, mode, journals?.sessions)
    for (const line of lines) inform(line)
    if (welcome) controller.welcome(welcome)
    for (const { text } of [...options.warnings, ...look.warnings, ...ofKeys, ...(permissions?.notices ?? [])])
      warn(text)
    problems.follow(warn)
  })
}

const commandsOf = ({ program }: Ui) => program.shown().controller.commands()

const noticeIn =
  ({ program }: Ui, level: 'info' | 'warn') =>
  (words: string): void =>
    program.shown().controller.addProgramNotice(level, words)
