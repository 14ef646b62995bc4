/**
 * Builds the parts that carry out actions: the only callers of the agent, and the only place with effects. They report what
 * happened to the reducer. Each part gets only parts that are there already; what must be known of later parts is subscribed to.
 */
import type { Notice } from '../conversation/state.ts'
import type { SessionScope } from '../conversation/queries/session-summary.ts'
import type { DiffScreen } from '../state/screens/diff-screen.ts'
import type { HelpScreen } from '../state/screens/help-screen.ts'
import type { SlashCommand } from '../state/slash.ts'
import { promptEntry } from '../state/queue-entry.ts'
import { isBusy } from '../state/state.ts'
import type { Viewer, ReadableConversation } from '../state/screens/viewer-screen.ts'
import { printHelp, turnCommands } from './commands/commands.ts'
import { conversationCommands } from './commands/conversations.ts'
import { copyAnswer } from './commands/copy.ts'
import { createHooksCommand } from './commands/hooks.ts'
import { exitCommand } from './commands/exit.ts'
import { exportConversation } from './commands/export.ts'
import { openMemory } from './commands/memory.ts'
import { createProjectTrust } from './commands/project-trust.ts'
import { switchRaw } from './commands/raw.ts'
import { createSettingsCommand } from './commands/settings.ts'
import { createSkills } from './commands/skills.ts'
import { switchThoughts } from './commands/thoughts.ts'
import { createAttaching } from './composer/attaching.ts'
import { createComposing } from './composer/composing.ts'
import { createSelectionCopy } from './composer/copy-selection.ts'
import { openEditor } from './composer/draft-editor.ts'
import { createVimEditing } from './composer/vim-editing.ts'
import { createImageReading } from './composer/image-reading.ts'
import { createChoicePrompt } from './context/choice-prompt.ts'
import { createClipboard } from './context/clipboard.ts'
import { loadColours } from './context/colours.ts'
import { createContext, type AppContext, type ContextOptions } from './context/context.ts'
import { createLeaving } from './context/leaving.ts'
import { createEventBatcher } from './events/batcher.ts'
import { createFold } from '../conversation/fold.ts'
import { silenceAt } from '../conversation/queries/silence.ts'
import { createClock } from './events/clock.ts'
import { createActionDispatcher } from './input/dispatch-action.ts'
import { createInputRouter, type InputRouter } from './input/input-router.ts'
import { createKeyDebug } from './input/key-debug.ts'
import { createStopping } from './input/stopping.ts'
import { machineFiles } from './mentions/machine-files.ts'
import { createMentionReader, noMentions, type MentionReader } from './mentions/mention-reader.ts'
import { createMentionPermit } from './permissions/mention-permit.ts'
import { createPermissions, type Permissions, type PermissionOptions } from './permissions/permissions.ts'
import type { After } from './permissions/panel.ts'
import { createPermissionCommands } from './permissions/commands.ts'
import { createAgentOptions } from './pickers/options.ts'
import { createConversationList } from './pickers/conversations.ts'
import { createLists } from './pickers/lists.ts'
import { createSessionList } from './pickers/sessions.ts'
import { createChangesBrowser } from './screens/changes-browser.ts'
import { createDiffCommand } from './screens/diff-command.ts'
import { createHelping } from './screens/help.ts'
import { createTranscriptBrowser } from './screens/transcript-browser.ts'
import { createViewerCommands } from './screens/viewer.ts'
import { createSideQuestions } from './side/side-questions.ts'
import { createJudge } from './permissions/judge.ts'
import { createBranching } from './turns/branching.ts'
import { createFileRewind } from './turns/file-rewind.ts'
import { createTurns } from './turns/turns.ts'
import { createResuming } from './turns/resuming.ts'
import { createSending } from './turns/sending.ts'
import { createInstallOffer, type OfferInstall } from './turns/agent/install-offer.ts'
import { createShellCommand } from './turns/shell-command.ts'
import { followWorktree } from './worktrees/turn-notice.ts'
import { createWorktreeCommand } from './worktrees/worktree-command.ts'
import { createWorktreeList } from './worktrees/worktree-list.ts'

export type Controller = InputRouter & {
  /**
   * Starts the agent, and sends `prompt` as soon as it is ready. `session` resumes an earlier session or lists them. `greet`
   * is called when its announcements will stay on the screen.
   */
  start: (prompt: string | null, session?: SessionRequest | null, greet?: () => void) => void
  offerInstall: OfferInstall
  /** Prints a notice of zotui in the conversation. */
  announce: (level: Notice['level'], text: string, hint?: string) => void
  commands: () => readonly SlashCommand[]
  /** Closes the agent in good order and exits. */
  leave: () => Promise<void>
  /** Kills the agent and its processes, and exits at once. */
  quit: () => Promise<void>
  /** Stops the open turn. */
  stop: () => void
  /** Sends what waits in line. */
  goOn: () => void
  /** Ends the agent of an idle conversation to save memory. */
  rest: () => void
  /** Starts the agent again, which then knows what its own session or a digest tells. */
  wake: () => void
  /** Takes in what waits to be folded: the conversation is looked at now. */
  catchUp: () => void
  /** Answers a call that waits, once; false if it does not wait, or came a moment ago. */
  answerCall: Permissions['answerCall']
}

/** Resume a session, or choose one of those that match a text. */
export type SessionRequest = { wish: 'resume'; id: string } | { wish: 'choose'; filter: string; scope: SessionScope }

export type ControllerOptions = ContextOptions & {
  redraw: () => void
  /** Omitted if there is no viewer. */
  viewer?: Viewer
  /** Reads the conversation for people who use a screen reader, who have no viewer. */
  read?: () => ReadableConversation
  /** Without it, the keys are printed in the conversation. */
  helpScreen?: HelpScreen
  /** Without it, changes are printed in the conversation. */
  diffScreen?: DiffScreen
  /** Prints a text into the scrollback as it is. */
  print?: (text: string) => void
  /** Without them nothing is asked: the agent runs what it likes. */
  permissions?: PermissionOptions
  /** The clock of questions, which take keys only after a while without any. */
  after?: After
  /** The rows of a question's content, and how many of them are visible. */
  questionRoom?: () => { rows: number; visible: number }
  /** Whether the characters that Option types on a Mac are read as Alt with a letter. */
  readsMacOption?: () => boolean
  /** Whether the user looks at this conversation, and not at another one. */
  isShown?: () => boolean
  /** Called once, when the agent is gone and the program may end. */
  onLeave: (exitCode: number) => void
}

export function createController(options: ControllerOptions): Controller {
  const { viewer, read, diffScreen = null, helpScreen, redraw, isShown = () => true } = options
  const context = createContext(options)
  const { backend, now, commands, state, dispatch, aside, host, settings } = context
  const { print = (text: string) => aside('info', text), readsMacOption = () => false } = options

  // The current activity.
  const batcher = createEventBatcher(events => {
    for (const event of events) loadColours(event)
    context.tell(events, now())
  }, isShown)
  const clock = createClock({
    now,
    shown: () => state().now,
    isMoving: () => isShown() && (isBusy(state()) || state().chat.shell !== null) && !settings.values().reducedMotion,
    changesAt: () => silenceAt(state().chat, state().heardAt, now()),
    onTick: () => dispatch({ type: 'ticked', now: now() }),
  })
  batcher.subscribe(clock.follow)
  const own = createLeaving(context, batcher.flush, code => {
    clock.stop()
    options.onLeave(code)
  })
  // An exit leaves all conversations.
  const { leave, quit } = context.conversations ?? own
  const leaving = { ...own, leave, quit }
  const shell = createShellCommand(context, batcher)
  leaving.subscribe(shell.close)
  leaving.subscribe(() => context.hooks?.hooks.close())

  // The composer.
  const choicePrompt = createChoicePrompt(context)
  const clipboard = createClipboard(host)
  const images = createImageReading(context)
  const composing = createComposing(context, images)
  const mentions = createMentions(context, options.permissions)
  const attaching = createAttaching({ context, composing, images, mentions })
  const selectionCopy = createSelectionCopy(context, composing, clipboard)

  // Turns and sessions.
  const turns = createTurns({ context, batcher, shell, choicePrompt, composing, mentions })
  const sending = createSending(context, turns, composing, shell)
  const files = createFileRewind(context, choicePrompt)
  const branching = createBranching({ context, choicePrompt, starting: turns.starting, composing, files })
  const resuming = createResuming(context, turns)
  const sessionList = createSessionList(context, choicePrompt, resuming)
  const conversationList = createConversationList(context, choicePrompt)

  // Permissions.
  const room = options.questionRoom ?? (() => ({ rows: 0, visible: 1 }))
  const { after, permissions: permissionOptions } = options
  const agentOptions = createAgentOptions(context, choicePrompt)
  const ownModes = agentOptions.nextMode
  const asking = { context, batcher, choicePrompt, turns, options: permissionOptions, after, room, ownModes }
  const permissions = createPermissions(asking)
  const permissionCommands = createPermissionCommands({ context, choicePrompt, permissions, turns })

  const startSide = options.startSide
  const side =
    startSide &&
    permissionOptions &&
    createSideQuestions({
      context,
      batcher,
      shell,
      turns,
      judge: createJudge(() => 'read', permissionOptions.place, permissionOptions.store),
      startSide,
      secrets: options.secrets ?? [],
      permissions,
    })
  if (side) leaving.subscribe(side.close)

  // Screens.
  const viewing = viewer && createViewerCommands(context, viewer, clipboard)
  const readAloud = read && createTranscriptBrowser({ context, choicePrompt, clipboard, print, read })
  const helping = createHelping(context, helpScreen)
  const readOut = createChangesBrowser(context, choicePrompt, print)
  const diffCommand = createDiffCommand({ context, choicePrompt, clipboard, screen: diffScreen, readOut })
  for (const screen of [viewing, helping, diffCommand]) if (screen) leaving.subscribe(screen.close)
  if (diffCommand) leaving.subscribe(diffCommand.stop)

  // Commands.
  const projectTrust = createProjectTrust(context, choicePrompt)
  const settingsCommand = createSettingsCommand(context, choicePrompt, projectTrust)
  const skills = createSkills(context, choicePrompt, composing)
  const vim = createVimEditing({
    context,
    composing,
    clipboard,
    browse: sending.browse,
    setSetting: settingsCommand.open,
  })
  const keyDebug = createKeyDebug(context)
  const sayToAgent = (prompt: string): void => turns.queue.say(promptEntry(prompt))
  turns.table.define({
    ...turnCommands({ context, turns, choicePrompt }),
    help: argument => (argument === 'debug' ? keyDebug.start() : printHelp(context)),
    btw: argument => side?.ask(argument),
    exit: exitCommand(context, choicePrompt, () => void leaving.leave()),
    editor: text => void openEditor(context, composing, text),
    paste: attaching.pasteClipboard,
    settings: settingsCommand.open,
    vim: vim.toggle,
    hooks: createHooksCommand(context),
    skills: argument => void skills.open(argument),
    memory: () => void openMemory(context, choicePrompt),
    fork: branching.fork,
    rewind: branching.rewind,
    mode: agentOptions.mode,
    options: agentOptions.open,
    resume: argument => sessionList.open(argument),
    rename: sessionList.renameCurrent,
    export: argument => exportConversation(context, argument),
    raw: argument => switchRaw(context, redraw, argument),
    thoughts: argument => switchThoughts(context, redraw, argument),
    copy: argument => void copyAnswer(context, clipboard, argument),
    diff: argument => diffCommand?.open(argument),
    worktree: createWorktreeCommand({ context, choicePrompt, diffCommand, say: sayToAgent, leave: own.leave }),
    worktrees: createWorktreeList(context, choicePrompt),
    ...permissionCommands,
    ...conversationCommands(context, conversationList, permissions.ready),
  })

  // Input.
  const stopping = createStopping({ context, turns, sending, shell, batcher, leaving, branching, resuming, side })
  const lists = createLists({
    context,
    turns,
    composing,
    attaching,
    choicePrompt,
    sessions: sessionList,
    conversations: conversationList,
  })
  const perform = createActionDispatcher({
    context,
    turns,
    composing,
    attaching,
    images,
    selectionCopy,
    sending,
    stopping,
    lists,
    viewing,
    readAloud,
    diffCommand,
    helping,
    redraw,
    leaving,
    permissions,
  })
  const parts = {
    context,
    panel: permissions.panel,
    keyDebug,
    composing,
    attaching,
    lists,
    viewing,
    vim,
    perform,
    helping,
    readsMacOption,
  }
  const inputRouter = createInputRouter(parts)

  followWorktree(context, batcher)
  if (diffCommand) backend.subscribe(diffCommand.hear)
  backend.subscribe(batcher.push)
  backend.holder?.onRetold(events => {
    batcher.flush()
    const fold = createFold()
    fold.add(events)
    dispatch({ type: 'conversation_retold', chat: fold.chat() })
    permissions.retold()
  })
  return {
    start,
    announce: aside,
    offerInstall: createInstallOffer(context, composing, choicePrompt),
    ...inputRouter,
    commands,
    leave: own.leave,
    quit: own.quit,
    stop: () => (state().chat.open ? turns.abort() : undefined),
    goOn: turns.queue.goOn,
    rest: () => void turns.life.rest(),
    wake: () => turns.starting.begin(null),
    catchUp() {
      batcher.flush()
      clock.follow()
    },
    answerCall: permissions.answerCall,
  }

  function start(prompt: string | null, session: SessionRequest | null = null, greet = (): void => {}): void {
    if (!permissions.modes.isChosen()) turns.life.holdUntil(permissions.modes.chosen)
    // A resumed session replaces everything on the screen.
    if (session?.wish !== 'resume') greet()
    if (session?.wish === 'choose') sessionList.open(session.filter, session.scope)
    const restored = context.drafts.restore()
    images.restore(context.drafts.images())
    void context.promptCommands.read()
    if (prompt !== null) context.drafts.remember(prompt)
    const begin = (): void => {
      if (state().leaving) return
      if (session?.wish === 'resume') greet()
      if (restored !== null) aside('info', restored)
      context.hooks?.prompts.begin(session?.wish === 'resume' ? 'resume' : 'startup')
      turns.starting.begin(prompt)
      diffCommand?.begin()
      turns.files.begin()
      projectTrust.sayLeftOut()
    }
    // Nothing is sent before the user has said what may run.
    const beginWithMode = (): void => {
      const ready = permissions.ready()
      if (permissions.modes.isChosen()) begin()
      else void turns.alone(ready).then(begin)
    }
    if (session?.wish === 'resume') void resuming.begin(session.id).then(beginWithMode)
    else beginWithMode()
  }
}

/** Nothing is read where nobody says what may be. */
function createMentions({ host, state, settings }: AppContext, options: PermissionOptions | undefined): MentionReader {
  if (!host || !options) return noMentions
  const permit = createMentionPermit(options, () => state().chat.permissionMode ?? 'ask')
  return createMentionReader({ ...machineFiles(host.elsewhere), permit, limits: settings.values })
}
