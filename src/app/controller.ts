/**
 * Builds the parts that carry out actions: the only callers of the agent, and the only place with effects. They report what
 * happened to the reducer.
 */
import type { Notice } from '../conversation/state.ts'
import { createChoicePrompt } from './context/choice-prompt.ts'
import { createAttaching } from './composer/attaching.ts'
import { createClipboard } from './context/clipboard.ts'
import { createSelectionCopy } from './composer/copy-selection.ts'
import { createBranching } from './turns/branching.ts'
import { createDiffCommand } from './screens/diff-command.ts'
import { loadColours } from './context/colours.ts'
import { createComposing } from './composer/composing.ts'
import { copyAnswer } from './commands/copy.ts'
import { createContext, type ContextOptions } from './context/context.ts'
import { createCommands, type OwnCommands } from './commands/commands.ts'
import { createTurns } from './turns/conversation.ts'
import type { DiffScreen } from '../state/screens/diff-screen.ts'
import { editDraft } from './composer/draft-editor.ts'
import { exportConversation } from './commands/export.ts'
import { createEventBatcher } from './events/batcher.ts'
import { createInputRouter, type InputRouter } from './input/input-router.ts'
import type { HelpScreen } from '../state/screens/help-screen.ts'
import { createHelping } from './screens/help.ts'
import { createKeyDebug } from './input/key-debug.ts'
import { createLists } from './pickers/lists.ts'
import { createActionDispatcher } from './input/dispatch-action.ts'
import { createSettingsCommand } from './commands/settings.ts'
import { createTranscriptBrowser } from './screens/transcript-browser.ts'
import { createChangesBrowser } from './screens/changes-browser.ts'
import { switchRaw } from './commands/raw.ts'
import { createResuming } from './turns/resuming.ts'
import { createSending } from './turns/sending.ts'
import { createSessionList } from './pickers/sessions.ts'
import { createShellCommand } from './turns/shell-command.ts'
import { createSkills } from './commands/skills.ts'
import type { SlashCommand } from '../state/slash.ts'
import { isBusy } from '../state/state.ts'
import { createStopping } from './input/stopping.ts'
import { createProjectTrust } from './commands/project-trust.ts'
import { createViewerCommands } from './screens/viewer.ts'
import type { Viewer, Readable } from '../state/screens/viewer-screen.ts'
import type { SessionScope } from '../conversation/session-summary.ts'

/** How often elapsed times and the spinner move while the agent works. */
const TICK = 120
/** How long a killed agent may take to be gone, in milliseconds: one that hangs in the system cannot end. */
const KILL_WAIT = 1000

export type Controller = InputRouter & {
  /**
   * Starts the agent, and sends `prompt` as soon as it is ready. `session` resumes an earlier session or lists them. `greet`
   * is called when its announcements will stay on the screen.
   */
  start: (prompt: string | null, session?: SessionRequest | null, greet?: () => void) => void
  /** Prints a notice of zotui in the conversation. */
  announce: (level: Notice['level'], text: string, hint?: string) => void
  commands: () => readonly SlashCommand[]
  /** Closes the agent in good order and exits. */
  leave: () => Promise<void>
  /** Kills the agent and its processes, and exits at once. */
  quit: () => Promise<void>
}

/** Resume a session, or choose one of those that match a text. */
export type SessionRequest = { wish: 'resume'; id: string } | { wish: 'choose'; filter: string; scope: SessionScope }

export type ControllerOptions = ContextOptions & {
  redraw: () => void
  /** Omitted if there is no viewer. */
  viewer?: Viewer
  /** Reads the conversation for people who use a screen reader, who have no viewer. */
  read?: () => Readable
  /** Without it, the keys are printed in the conversation. */
  helpScreen?: HelpScreen
  /** Without it, changes are printed in the conversation. */
  diffScreen?: DiffScreen
  /** Prints a text into the scrollback as it is. */
  print?: (text: string) => void
  /** Whether the characters that Option types on a Mac are read as Alt with a letter. */
  readsMacOption?: () => boolean
  /** Called once, when the agent is gone and the program may end. */
  onLeave: (exitCode: number) => void
}

export function createController(options: ControllerOptions): Controller {
  const context = createContext(options)
  const { backend, now, commands, state, dispatch } = context
  const batcher = createEventBatcher(events => {
    for (const event of events) loadColours(event)
    context.tell(events, now())
    tick()
    conversation.told(events)
    if (events.some(event => event.type === 'abort_overdue')) void stopping.sayIfAlive()
  })
  const shell = createShellCommand(context, (event, atOnce) => {
    batcher.push(event)
    if (atOnce) batcher.flush()
  })
  const choicePrompt = createChoicePrompt(context)
  const clipboard = createClipboard(context.host)
  const own: OwnCommands = {
    exit: () => void leave(),
    editor: openEditor,
    paste: () => attaching.pasteClipboard(),
    settings: argument => settingsCommand.open(argument),
    skills: argument => void skills.open(argument),
    fork: argument => branching.fork(argument),
    rewind: argument => branching.rewind(argument),
    resume: argument => sessionList.open(argument),
    rename: argument => sessionList.renameCurrent(argument),
    watchKeys: () => keyDebug.start(),
    export: argument => exportConversation(context, argument),
    raw: argument => switchRaw(context, options.redraw, argument),
    copy: argument => void copyAnswer(context, clipboard, argument),
    diff: () => diffCommand?.open(),
  }
  const conversation = createTurns({
    context,
    batcher,
    shell,
    choicePrompt,
    createCommands: work => createCommands({ context, work, choicePrompt, own }),
    writeDraft,
  })
  const branching = createBranching({ context, choicePrompt, restart: conversation.restart, writeDraft })
  const keyDebug = createKeyDebug(context)
  const composing = createComposing(context, images => attaching.restore(images))
  const attaching = createAttaching(context, composing)
  const selectionCopy = createSelectionCopy(context, composing, clipboard)
  const viewing = options.viewer && createViewerCommands(context, options.viewer, clipboard)
  const print = options.print ?? ((text: string) => context.announce('info', text))
  const diffCommand = createDiffCommand({
    context,
    clipboard,
    screen: options.diffScreen ?? null,
    readOut: createChangesBrowser(context, choicePrompt, print),
  })
  const readAloud =
    options.read && createTranscriptBrowser({ context, choicePrompt, clipboard, print, read: options.read })
  const helping = createHelping(context, options.helpScreen, conversation.help)
  const sending = createSending(context, conversation, composing, shell)
  const stopping = createStopping({
    context,
    conversation,
    sending,
    shell,
    leave: () => void leave(),
    quit: () => void quit(),
    rewind: () => branching.rewind(''),
    stopReading: () => resuming.stop(),
  })
  const resuming = createResuming(context, {
    memoryLine: conversation.memoryLine,
    forget: conversation.forget,
    drain: conversation.queue.drain,
  })
  const sessionList = createSessionList(context, choicePrompt, resuming)
  const projectTrust = createProjectTrust(context, choicePrompt)
  const skills = createSkills(context, choicePrompt, writeDraft)
  const settingsCommand = createSettingsCommand(context, choicePrompt, projectTrust)
  const lists = createLists({ context, conversation, composing, attaching, choicePrompt, sessions: sessionList })
  const perform = createActionDispatcher({
    context,
    conversation,
    composing,
    attaching,
    selectionCopy,
    sending,
    stopping,
    lists,
    viewing,
    readAloud,
    diffCommand,
    helping,
    redraw: options.redraw,
    quit: () => void quit(),
  })
  const inputRouter = createInputRouter({
    context,
    keyDebug,
    composing,
    attaching,
    lists,
    viewing,
    perform,
    help: helping.open,
    readsMacOption: options.readsMacOption ?? (() => false),
  })
  let ticking: NodeJS.Timeout | undefined
  let leaving: Promise<void> | null = null
  if (diffCommand) backend.subscribe(diffCommand.hear)
  backend.subscribe(batcher.push)

  return {
    start,
    announce: context.announce,
    ...inputRouter,
    commands,
    leave,
    quit,
  }

  function start(prompt: string | null, session: SessionRequest | null = null, greet = (): void => {}): void {
    // A resumed session replaces everything on the screen.
    if (session?.wish !== 'resume') greet()
    if (session?.wish === 'choose') sessionList.open(session.filter, session.scope)
    const restored = context.drafts.restore()
    attaching.restore(context.drafts.images())
    void context.promptCommands.read()
    if (prompt !== null) context.drafts.remember(prompt)
    const begin = (): void => {
      if (state().leaving) return
      if (session?.wish === 'resume') greet()
      if (restored !== null) context.announce('info', restored)
      conversation.begin(prompt)
      diffCommand?.begin()
      projectTrust.sayLeftOut()
    }
    if (session?.wish === 'resume') void resuming.begin(session.id).then(begin)
    else begin()
  }

  function writeDraft(text: string): void {
    composing.edit({ kind: 'setText', text })
  }

  /** `/editor`: running a command has cleared the composer. */
  function openEditor(text: string): void {
    if (text !== '') composing.edit({ kind: 'setText', text })
    void editDraft(context)
  }

  async function quit(): Promise<void> {
    leaveScreens()
    context.drafts.flush()
    dispatch({ type: 'left', leaving: 'gone' })
    await Promise.race([backend.kill(), new Promise(resolve => setTimeout(resolve, KILL_WAIT))])
    options.onLeave(1)
  }

  function leave(): Promise<void> {
    leaving ??= (async () => {
      leaveScreens()
      context.stop()
      context.drafts.flush()
      dispatch({ type: 'left', leaving: 'ending' })
      await Promise.all([backend.close(), shell.close()])
      batcher.flush()
      context.endTelling()
      dispatch({ type: 'left', leaving: 'gone' })
      clearInterval(ticking)
      options.onLeave(0)
    })()
    return leaving
  }

  /** Returns to the shell's screen and stops looking for changes. */
  function leaveScreens(): void {
    viewing?.close()
    helping.close()
    diffCommand?.close()
    diffCommand?.stop()
  }

  /** Events of the agent move the clock as well: then no frame is drawn for the time alone. */
  function passTime(): void {
    if (now() - state().now >= TICK / 2) dispatch({ type: 'ticked', now: now() })
  }

  /** Moves elapsed times while something is going on, and nothing at all when idle. */
  function tick(): void {
    const busy = isBusy(state()) || state().chat.shell !== null
    if (busy && !context.settings.values().reducedMotion) ticking ??= setInterval(passTime, TICK)
    else {
      clearInterval(ticking)
      ticking = undefined
    }
  }
}
