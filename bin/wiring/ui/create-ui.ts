/** The program of the UI with its first conversation, and what all conversations share: pages, themes, keys, journals. */
import { availableParallelism } from 'node:os'
import { resolve } from 'node:path'
import process from 'node:process'
import { createAlternateScreen, type AlternateScreen } from '../../../components/pages/alternate-screen.ts'
import { createPages } from '../../../components/pages/pages.ts'
import { createSpokenPages } from '../../../components/pages/spoken.ts'
import type { ControllerOptions } from '../../../src/app/controller-options.ts'
import { dayClock } from '../../../src/platform/ages.ts'
import { Program } from '../../../src/program/conversations.ts'
import type { Keymap } from '../../../src/state/keymap.ts'
import { dayCostOf } from '../day-cost.ts'
import { statePath } from '../../../src/storage/log.ts'
import { openJournals, type OpenJournals } from '../start/journals.ts'
import { createConversationMaker } from './another-conversation.ts'
import { createLazyBackground } from './background.ts'
import { createDemoPast } from './demo-past.ts'
import { prepareEnding } from './ending.ts'
import { openFinderOnce } from './finder-once.ts'
import { createHosts } from './host.ts'
import { createRemoteMachines } from '../start/remote-machines.ts'
import { openLocalServerOnce } from './local-server.ts'
import { makeConversation, type ConversationParts } from './make-conversation.ts'
import type { UiOptions } from './options.ts'
import { createProblems, type Problems } from './problems.ts'
import { notifyOf } from './terminal/terminal-status.ts'

export type Ui = {
  options: UiOptions
  /** Absolute. */
  folder: string
  program: Program
  alternateScreen: AlternateScreen
  /** Undefined if nothing is saved. */
  journals: OpenJournals | undefined
  problems: Problems
}

/** The first conversation is made, and not started. */
export function createUi(options: UiOptions, keymap: Keymap): Ui {
  const { home, log, settings, remote, replay, secrets, permissions, attached } = options
  const folder = resolve(options.folder)
  const { env } = process
  const now = replay?.now ?? dayClock.now
  const { store, terminal, display, handoff } = options.frame
  const first = store.shown()
  const problems = createProblems()
  const { promise: allGone, resolve: onLeave } = Promise.withResolvers<number>()
  const program = new Program({
    store,
    settings,
    make: start => another.make(start),
    attach: id => another.attach(id),
    makeMoved: (start, made) => another.makeMoved(start, made),
    canStart: agent => another.canStart(agent),
    // Conversations can continue in the background on this machine only.
    background: replay || process.platform === 'win32' ? null : createLazyBackground(home, options.argv),
    now,
    onIdle: dayClock.follow,
    isLent: handoff.isLent,
    processors: availableParallelism(),
    onNews: notifyOf({ settings, terminal, env }),
    onLeave,
  })
  // Replays are not saved, and the demo keeps its sessions only until it ends.
  const isSaved = !options.demo && !replay && !attached
  const onProblem = problems.report
  const journals = isSaved
    ? openJournals({ stateFolder: statePath(), projectFolder: folder, secrets, onProblem })
    : undefined
  const machines = createRemoteMachines({
    connect: async (...words) => (await import('../start/remote.ts')).openRemote(...words),
    onLeft: words => program.conversations.say('warn', words),
  })
  const end = prepareEnding({
    conversations: () => program.all(),
    closeMachines: machines.close,
    log,
    terminal,
    display,
    stderr: process.stderr,
  })
  void allGone.then(code => end(options.frame.signalCode() ?? code))

  const { alternateScreen, ...made } = createShared(options, keymap)
  const say = (words: string): void => program.conversations.say('info', words)
  // A replay has no conversation to show, and there are no private sockets on Windows.
  const isServed = !replay && process.platform !== 'win32'
  const shared = {
    ...made.shared,
    ...(isServed && {
      openBoard: async () => {
        const { openBoard } = await import('../board/open-board.ts')
        const looksAt = options.demo ? 'demo' : 'all'
        const own = await program.published()
        return openBoard({ hosts: settings.values().boardHosts, own, looksAt }).board
      },
    }),
    ...(isServed && { openLocalServer: openLocalServerOnce({ newSecret: () => program.serving.newSecret(), say }) }),
  }
  // A replay runs nothing.
  const hostOf =
    replay && !options.page ? undefined : createHosts({ options, store, terminal, handoff, stdout: process.stdout })
  const openSessionFinder = isSaved ? openFinderOnce(statePath()) : undefined
  // After the ending, which closes the sessions: the last listener of the exit removes them.
  const demoPast = options.demo && !attached ? createDemoPast({ folder, now, onProblem }) : undefined
  // The demo costs nothing, and a replay sends nothing.
  const dayCost = options.demo || replay ? undefined : dayCostOf(settings)
  const kept = { journals, openSessionFinder, demoPast, dayCost }
  const parts = { options, program, terminal, display, shared, hostOf, machines, ...kept, now, onProblem }
  const another = createConversationMaker(parts)
  const mode = attached?.mode ?? undefined
  const background = attached && { backgroundId: attached.id }
  if (remote) machines.hold(remote)
  program.add(makeConversation(parts, { ...options, store: first, folder, permissions, mode, ...background }))
  return { options, folder, program, alternateScreen, journals, problems }
}

/** What all conversations have in common on the screen. */
function createShared(
  { look, settings, frame }: UiOptions,
  keymap: Keymap,
): { alternateScreen: AlternateScreen; shared: ConversationParts['shared'] } {
  const { store, terminal, display, mounted } = frame
  const { output } = terminal
  const { theme } = look
  const alternateScreen = createAlternateScreen({
    store,
    terminal,
    readsMouse: () => settings.values().mouse,
    onClosed: display.backFromAlternate,
    clock: () => performance.now(),
  })
  const pages = mounted
    ? createPages({ store, screen: alternateScreen, size: output, theme, keymap })
    : createSpokenPages({ theme, columns: () => output.columns })
  const useTheme: ControllerOptions['useTheme'] = name => {
    const reply = look.use(name)
    if (reply.ok) display.setTheme(theme())
    if (reply.ok) display.redraw()
    return reply
  }
  return { alternateScreen, shared: { pages, useTheme, keymap } }
}
