/**
 * Builds the parts that carry out actions: the only callers of the agent, and the only place with effects. They report
 * to the reducer. Each part gets only finished parts, and subscribes to later ones.
 */
import type { Notice } from '../conversation/part.ts'
import type { SlashCommand } from '../state/slash.ts'
import { isBusy, type Welcome } from '../state/state.ts'
import { createSessionChanges } from './changes/session-changes.ts'
import { createProjectTrust } from './commands/project-trust.ts'
import { createSettingsCommand } from './commands/settings.ts'
import { createAttaching } from './composer/attaching.ts'
import { createComposing } from './composer/composing.ts'
import { createSelectionCopy } from './composer/copy-selection.ts'
import { createVimEditing } from './composer/vim-editing.ts'
import { createImageReading } from './composer/image-reading.ts'
import { createChoicePrompt } from './context/choice-prompt.ts'
import { createClipboard } from './context/clipboard.ts'
import { loadColours } from './context/colours.ts'
import { createContext, type ContextOptions } from './context/context.ts'
import { createLeaving } from './context/leaving.ts'
import { createEventBatcher } from './events/batcher.ts'
import { createFold } from '../conversation/fold.ts'
import { silenceAt } from '../conversation/queries/silence.ts'
import { createClock } from './events/clock.ts'
import { createActionDispatcher } from './input/dispatch-action.ts'
import { createInputRouter, type InputRouter } from './input/input-router.ts'
import { createKeyDebug } from './input/key-debug.ts'
import { createStopping } from './input/stopping.ts'
import { createPermissions, type Permissions, type PermissionOptions } from './permissions/permissions.ts'
import type { After } from './permissions/panel.ts'
import { createAgentOptions } from './pickers/options.ts'
import { createConversationList } from './pickers/conversations.ts'
import { createLists } from './pickers/lists.ts'
import { createSessionList } from './pickers/sessions.ts'
import type { MakePages } from './pages/pages.ts'
import { createSideQuestions } from './side/side-questions.ts'
import { createMentions } from './permissions/mentions.ts'
import { createJudge } from './permissions/judge.ts'
import { createStart, type StartConversation } from './start.ts'
import { slashRows } from './slash-rows.ts'
import { createBranching } from './turns/branching.ts'
import { createFileRewind } from './turns/file-rewind.ts'
import { Turns } from './turns/turns.ts'
import { createResuming } from './turns/resuming.ts'
import { createSending } from './turns/sending.ts'
import { createShellCommand } from './turns/shell-command.ts'
import { followWorktree } from './worktrees/turn-notice.ts'

export type Controller = InputRouter & {
  start: StartConversation
  /** Shows the first screen, until something is said. */
  welcome: (welcome: Welcome) => void
  /** Prints a notice of zotui in the conversation. */
  announce: (level: Notice['level'], text: string, hint?: string) => void
  commands: () => readonly SlashCommand[]
  /** Closes the agent in good order and exits. */
  leave: () => Promise<void>
  /** Kills the agent and its processes, and exits at once. */
  quit: () => Promise<void>
  /** Stops the open turn. */
  stop: () => void
  /** Sends the next queued entry if it waits for a turn. */
  goOn: () => void
  /** Ends the agent of an idle conversation to save memory. */
  rest: () => void
  /** Starts the agent again, with its own session or a digest. */
  wake: () => void
  /** Delivers the waiting events, because the conversation is shown now. */
  catchUp: () => void
  /** Answers a waiting call, once; false if it does not wait, or came only a moment ago. */
  answerCall: Permissions['answerCall']
}

export type ControllerOptions = ContextOptions & {
  redraw: () => void
  pages: MakePages
  /** Prints an unchanged text into the scrollback. */
  print?: (text: string) => void
  /** Null if nothing runs, as in a replay: then no call is asked about. */
  permissions: PermissionOptions | null
  /** The timer of questions, which take keys only after a pause. */
  after?: After
  /** The rows of a question's content, and how many of them are visible. */
  questionRoom?: () => { rows: number; visible: number }
  /** True if the characters that Option types on a Mac are read as Alt with a letter. */
  readsMacOption?: () => boolean
  /** True if the screen shows this conversation. */
  isShown?: () => boolean
  /** Called once, when the agent is gone and the program may end. */
  onLeave: (exitCode: number) => void
}

export function createController(options: ControllerOptions): Controller {
  const { redraw, isShown = () => true } = options
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
  const changes = host ? createSessionChanges(context, host) : null
  if (changes) leaving.subscribe(changes.stop)
  const followChanges = changes?.follow ?? (() => () => undefined)
  const pages = options.pages({ context, choicePrompt, clipboard, followChanges, redraw, print })
  leaving.subscribe(pages.close)
  const show = (title: string, text: string): void => pages.open('help', { kind: 'text', title, text })
  const attaching = createAttaching({ context, composing, images, mentions, isShown, show })
  const selectionCopy = createSelectionCopy(context, composing, clipboard)

  // Turns and sessions.
  const turns = new Turns({ context, batcher, shell, choicePrompt, composing, mentions })
  // A prompt on its way goes back into the queue, which is kept.
  leaving.subscribe(() => turns.machine.send({ type: 'left' }))
  const sending = createSending(context, turns, composing, shell)
  const files = createFileRewind(context, choicePrompt, redraw)
  const branching = createBranching({
    context,
    choicePrompt,
    life: turns.life,
    machine: turns.machine,
    composing,
    files,
  })
  const resuming = createResuming(context, turns)
  const sessionList = createSessionList(context, choicePrompt, resuming)
  const conversationList = createConversationList(context, choicePrompt)

  // Permissions.
  const room = options.questionRoom ?? (() => ({ rows: 0, visible: 1 }))
  const { after, permissions: permissionOptions, startSide } = options
  const agentOptions = createAgentOptions({ ...context, flush: batcher.flush }, choicePrompt)
  const ownModes = agentOptions.nextMode
  const asking = { context, batcher, choicePrompt, turns, options: permissionOptions, after, room, ownModes }
  const permissions = createPermissions(asking)

  const readJudge = permissionOptions && createJudge(() => 'read', permissionOptions.place, permissionOptions.store)
  const { secrets = [] } = options
  const side =
    startSide && readJudge
      ? createSideQuestions({ context, batcher, shell, turns, judge: readJudge, startSide, secrets, permissions })
      : undefined
  if (side) leaving.subscribe(side.close)

  // Commands.
  const projectTrust = createProjectTrust(context, choicePrompt)
  const settingsCommand = createSettingsCommand(context, choicePrompt, projectTrust)
  const vim = createVimEditing({
    context,
    composing,
    clipboard,
    browse: sending.browse,
    setSetting: settingsCommand.open,
  })
  const keyDebug = createKeyDebug(context)
  turns.runner.define(
    slashRows({
      context,
      pages,
      turns,
      choicePrompt,
      composing,
      attaching,
      clipboard,
      side,
      branching,
      settingsCommand,
      vim,
      keyDebug,
      agentOptions,
      sessionList,
      conversationList,
      changes,
      permissions,
      leave,
      leaveThis: own.leave,
      redraw,
    }),
  )

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
    pages,
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
    pages,
    vim,
    perform,
    readsMacOption,
  }
  const inputRouter = createInputRouter(parts)

  followWorktree(context, batcher)
  if (changes) backend.subscribe(changes.hear)
  backend.subscribe(batcher.push)
  backend.holder?.onRetold(events => {
    batcher.flush()
    const fold = createFold()
    fold.add(events)
    dispatch({ type: 'conversation_retold', chat: fold.chat() })
    permissions.retold()
  })
  return {
    start: createStart({
      context,
      turns,
      permissions,
      sessionList,
      images,
      resuming,
      changes,
      projectTrust,
    }),
    announce: aside,
    welcome: welcome => context.dispatch({ type: 'welcomed', welcome }),
    ...inputRouter,
    commands,
    leave: own.leave,
    quit: own.quit,
    stop: () => void (state().chat.open && turns.machine.stop()),
    goOn: () => turns.queue.goOn(),
    rest: () => void turns.life.rest(),
    wake: () => turns.begin(null),
    catchUp() {
      batcher.flush()
      clock.follow()
    },
    answerCall: permissions.answerCall,
  }
}
