/** Connects the parts of the UI. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { setImmediate } from 'node:timers/promises'
import { mountForScreenReader } from '../components/screen/screen-reader.ts'
import { createAlternateScreen } from '../components/pages/alternate-screen.ts'
import { allBindings } from '../components/pages/keymap.ts'
import { createPages, loadPages } from '../components/pages/pages.ts'
import { createSpokenPages } from '../components/pages/spoken.ts'
import { loadVim } from '../src/app/composer/vim-machine.ts'
import type { ControllerOptions } from '../src/app/controller-options.ts'
import { loadKeymap } from '../src/app/input/keys-file.ts'
import { loadCommonLanguages } from '../src/markdown/code/languages.ts'
import { dayClock } from '../src/platform/ages.ts'
import { readPicture } from '../src/platform/images/read-image.ts'
import { removeUnfinished } from '../src/platform/remove-unfinished.ts'
import { Program } from '../src/program/conversations.ts'
import { createScreen } from '../components/screen/screen.ts'
import { statePath } from '../src/storage/log.ts'
import { pictureProtocol } from '../src/terminal/capabilities.ts'
import { drawnKinds } from '../src/terminal/pictures.ts'
import { openJournals } from './wiring/start/journals.ts'
import { agentAnswered, inputHandled } from './boot/load-in-steps.ts'
import { createConversationMaker } from './wiring/ui/another-conversation.ts'
import { createLazyBackground } from './wiring/ui/background.ts'
import { prepareEnding } from './wiring/ui/ending.ts'
import { folderFlags, greetingOf } from './wiring/ui/greeting.ts'
import { createHosts } from './wiring/ui/host.ts'
import { makeConversation } from './wiring/ui/make-conversation.ts'
import { startCustomStatus } from './wiring/ui/custom-status.ts'
import type { UiOptions } from './wiring/ui/options.ts'
import { createProblems } from './wiring/ui/problems.ts'
import { createReplayInput } from './wiring/ui/terminal/replay-input.ts'
import { followState, notifyOf } from './wiring/ui/terminal/terminal-status.ts'
import { followCaret } from './wiring/ui/terminal/caret-shape.ts'
import { noticeUpdates } from './wiring/ui/update-notice.ts'

/** Starts the UI behind its first frame. Resolves when all is loaded; the process ends when the user exits. */
export async function openUi(options: UiOptions): Promise<void> {
  const { backend, home, log, look, settings, remote, replay, secrets, permissions } = options
  const folder = resolve(options.folder)
  const { env } = process
  const now = replay?.now ?? dayClock.now
  const [{ keymap, warnings }] = await Promise.all([
    loadKeymap(allBindings),
    settings.values().editor === 'vim' ? loadVim() : null,
  ])
  const { store, terminal, display, handoff, screen, mounted } = options.frame
  const { input, output } = terminal
  const first = store.shown()
  const problems = createProblems()
  const { promise: left, resolve: onLeave } = Promise.withResolvers<number>()
  const program = new Program({
    store,
    settings,
    make: start => another.make(start),
    attach: id => another.attach(id),
    makeMoved: (start, parts) => another.makeMoved(start, parts),
    // Conversations can continue in the background on this machine only.
    background: replay || remote || process.platform === 'win32' ? null : createLazyBackground(home, options.argv),
    now,
    onIdle: dayClock.follow,
    processors: availableParallelism(),
    onNews: notifyOf({ settings, terminal, env }),
    onLeave,
  })
  const { attached } = options
  // Demo sessions and replays are not saved.
  const isSaved = !options.demo && !replay && !attached
  const places = { stateFolder: statePath(), projectFolder: folder, secrets, onProblem: problems.report }
  const journals = isSaved ? openJournals(places) : undefined
  const flags = remote ? () => remote.flags : folderFlags
  const end = prepareEnding({
    conversations: () => program.all(),
    flags,
    log,
    terminal,
    display,
    stderr: process.stderr,
  })

  const alternateScreen = createAlternateScreen({
    store,
    terminal,
    readsMouse: () => settings.values().mouse,
    onLeft: display.backFromAlternate,
    clock: () => performance.now(),
  })
  const { redraw } = display
  const { theme } = look
  const pages = mounted
    ? createPages({ store, screen: alternateScreen, size: output, theme, keymap })
    : createSpokenPages({ theme, columns: () => output.columns })
  const useTheme: ControllerOptions['useTheme'] = name => {
    const reply = look.use(name)
    if (reply.ok) display.setTheme(theme())
    if (reply.ok) redraw()
    return reply
  }
  const parts = {
    options,
    program,
    terminal,
    display,
    shared: { pages, useTheme, keymap },
    // A replay runs nothing.
    hostOf: replay ? undefined : createHosts({ options, store, terminal, handoff, stdout: process.stdout }),
    journals,
    now,
    onProblem: problems.report,
  }
  const another = createConversationMaker(parts)
  const mode = attached?.mode ?? undefined
  program.add(
    makeConversation(parts, {
      ...options,
      store: first,
      folder,
      permissions,
      mode,
      ...(attached && { backgroundId: attached.id }),
    }),
  )
  const { controller } = program.shown()
  const { leave, quit } = program.conversations
  const commands = () => program.shown().controller.commands()
  const protocol = pictureProtocol(env)
  screen.handOver(createScreen(look.theme(), commands, look.isDecided, protocol ? drawnKinds[protocol] : []))
  options.frame.endWith({ leave, quit })
  void left.then(code => end(options.frame.signalCode() ?? code))

  const announce = (words: string): void => program.shown().controller.addProgramNotice('info', words)
  noticeUpdates({ store, settings, statePath: statePath(), version: options.version, env, folder, addNotice: announce })
  followCaret(store, terminal, env)
  followState({ store, settings, terminal, env, folder })
  // A replay runs nothing, and a screen reader has no status line.
  if (!replay && mounted) process.once('exit', startCustomStatus(options, program))
  const replayInput =
    replay && createReplayInput(replay, { store, keyboard: program.keyboard, leave, followClock: controller.catchUp })
  const keyboard = replayInput?.keyboard ?? program.keyboard
  const images = protocol && { protocol, read: readPicture }
  display.onMouse(alternateScreen.mouse)
  if (!mounted)
    display.attach({
      screen,
      mounted: mountForScreenReader({ store, keyboard, commands, screen, input, output, theme }),
    })
  settings.subscribe((current, before) => {
    const isSame = (['color', 'ascii', 'reducedMotion'] as const).every(name => current[name] === before[name])
    if (isSame) return
    look.restyle(current)
    output.isPlain = !theme().markdown.unicode
    screen.setTheme(theme())
    redraw()
  })
  const warn = (words: string): void => program.shown().controller.addProgramNotice('warn', words)
  options.recording?.onBroken(warn)
  const firstMode = backend.abilities.has('setPermissionMode') && permissions ? permissions.start.mode : 'allow'
  const answered = mounted && !replay && agentAnswered(backend)
  controller.start(options.prompt, options.session, () => {
    const { lines, welcome } = greetingOf(options, firstMode, journals?.sessions)
    for (const line of lines) announce(line)
    if (welcome) controller.welcome(welcome)
    for (const { text } of [...options.warnings, ...look.warnings, ...warnings, ...(permissions?.notices ?? [])])
      warn(text)
    problems.follow(warn)
  })
  replayInput?.begin()
  // The last draft has been restored by now.
  mounted?.connect({ keyboard, alternateScreen, loadPages, images })
  removeUnfinished(statePath(), Date.now())
  void journals?.sessions.expire(settings.values().retentionDays)
  // Loading the components would slow down an agent that starts. Until then the rows are drawn without them.
  await answered
  await inputHandled()
  await mounted?.loadComponents()
  // Nothing waits for the colours of code: a block that begins before they are loaded stays plain.
  await loadCommonLanguages(setImmediate)
}
