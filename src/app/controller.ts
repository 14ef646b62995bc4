/**
 * What is wished for is done here and in the parts that this file puts together: the only callers of the agent, and the
 * only place with effects. What happened goes to the reducer.
 */
import { normalisePaste } from '../composer/paste.ts'
import type { EditCommand } from '../composer/editor.ts'
import type { Notice } from '../chat/state.ts'
import type { SessionScope } from '../session/places.ts'
import { macOptionKey } from '../keys/mac-option.ts'
import { createAsking } from './asking.ts'
import { createAttaching } from './attaching.ts'
import { createClipping } from './clipping.ts'
import { createBranching } from './branching.ts'
import { loadColours } from './colours.ts'
import { createComposing } from './composing.ts'
import { createContext, type ContextOptions } from './context.ts'
import { createConversation } from './conversation.ts'
import { editDraft } from './draft-editor.ts'
import { exportConversation } from './exporting.ts'
import { createFrames } from './frames.ts'
import { createKeyHearer, type Action } from './keymap.ts'
import { createKeyWatch } from './key-watch.ts'
import { createLists } from './lists.ts'
import { contextOf } from './popup.ts'
import { createPreferences } from './preferences.ts'
import { createResuming } from './resuming.ts'
import { createSending } from './sending.ts'
import { createSessionList } from './session-list.ts'
import { createShellLine } from './shell-line.ts'
import type { SlashCommand } from './slash.ts'
import { isBusy, type Detail } from './state.ts'
import { createStopping } from './stopping.ts'
import { keyLabel } from './texts.ts'

const DETAILS: Record<Detail, string> = { names: 'names only', short: 'in short', full: 'in full' }

/** How often elapsed times and the spinner move while the agent works. */
const TICK = 120

export type Controller = {
  /** Starts the agent, and sends `prompt` as soon as it is ready, with a session of before if one is wished for. */
  start: (prompt: string | null, session?: SessionWish | null) => void
  /** Says something in the conversation that does not come from the agent. */
  remark: (level: Notice['level'], text: string, hint?: string) => void
  press: (key: string) => void
  /** What the terminal sent, right before it comes here as a key, text or a paste. */
  sent: (raw: string) => void
  /** Text that was typed; never holds control characters. */
  type: (text: string) => void
  paste: (text: string) => void
  commands: () => readonly SlashCommand[]
  /** Ends the agent in good order and leaves. */
  leave: () => Promise<void>
  /** Ends the agent and what it runs without asking, and leaves at once. */
  quit: () => Promise<void>
}

/** To go on with a session, or to choose one of those that suit a text. */
export type SessionWish = { wish: 'resume'; id: string } | { wish: 'choose'; filter: string; scope: SessionScope }

export type ControllerOptions = ContextOptions & {
  redraw: () => void
  /** Whether Option with a letter comes as what it types on a Mac: then it is the key that was meant. */
  readsMacOption?: () => boolean
  /** Called once, when the agent is gone and the program may end. */
  onLeave: (exitCode: number) => void
}

export function createController(options: ControllerOptions): Controller {
  const context = createContext(options)
  const { backend, now, commands, state, dispatch, hint } = context
  const frames = createFrames(events => {
    for (const event of events) loadColours(event)
    context.tell(events, now())
    tick()
    conversation.told(events)
    if (events.some(event => event.type === 'abort_overdue')) void stopping.sayIfAlive()
  })
  const shell = createShellLine(context, (event, atOnce) => {
    frames.push(event)
    if (atOnce) frames.flush()
  })
  const asking = createAsking(context)
  const conversation = createConversation({
    context,
    frames,
    shell,
    asking,
    own: {
      exit: () => void leave(),
      editor: openEditor,
      paste: () => attaching.pasteClipboard(),
      settings: argument => preferences.open(argument),
      fork: argument => branching.fork(argument),
      rewind: argument => branching.rewind(argument),
      resume: argument => sessionList.open(argument),
      rename: argument => sessionList.renameCurrent(argument),
      watchKeys: () => watch.start(),
      export: argument => void exportConversation(context, argument),
    },
    writeDraft,
  })
  const branching = createBranching({ context, asking, restart: conversation.restart, writeDraft })
  const keys = createKeyHearer(context.keymap)
  const watch = createKeyWatch(context)
  const composing = createComposing(context)
  const attaching = createAttaching(context, composing)
  const clipping = createClipping(context, composing)
  const sending = createSending(context, conversation, composing, shell)
  const stopping = createStopping({
    context,
    conversation,
    sending,
    shell,
    leave: () => void leave(),
    rewind: () => branching.rewind(''),
  })
  const resuming = createResuming(context, { memoryLine: conversation.memoryLine, flush: frames.flush })
  const sessionList = createSessionList(context, asking, resuming)
  const preferences = createPreferences(context, asking)
  const lists = createLists({ context, conversation, composing, attaching, asking, sessions: sessionList })
  let ticking: NodeJS.Timeout | undefined
  let pressed = ''
  let leaving: Promise<void> | null = null
  backend.subscribe(frames.push)

  return {
    start,
    remark: context.remark,
    press,
    sent: watch.sent,
    type,
    paste,
    commands: () => commands,
    leave,
    quit,
  }

  function start(prompt: string | null, session: SessionWish | null = null): void {
    if (session?.wish === 'resume') resuming.begin(session.id)
    if (session?.wish === 'choose') sessionList.open(session.filter, session.scope)
    const restored = context.keep.restore()
    if (restored !== null) context.remark('info', restored)
    attaching.restore(context.keep.images())
    if (prompt !== null) context.keep.remember(prompt)
    conversation.begin(prompt)
    preferences.askForTrust()
  }

  function press(key: string): void {
    if (watch.press(key)) return
    // What a second press would do is meant for the same key.
    if (state().armed !== null && key !== pressed) dispatch({ type: 'hinted', hint: null })
    pressed = key
    const action = keys.hear(key, contextOf(state(), commands))
    if (action === 'waits') return hint(`${keyLabel(key)}, and then?`)
    // On the way out there is nothing left to wish for but haste.
    if (state().leaving && action?.do !== 'emergency') return
    if (action) perform(action)
    else if (state().hint !== null) dispatch({ type: 'hinted', hint: null })
  }

  function type(text: string): void {
    const meant = options.readsMacOption?.() ? macOptionKey(text) : null
    if (watch.type(meant)) return
    // A key that the person has given nothing to do is the character.
    if (meant !== null && context.keymap.actionFor(meant, contextOf(state(), commands))) return press(meant)
    keys.forget()
    yieldPicker()
    if (text === '?' && state().editor.text === '' && !state().picker) conversation.help()
    else editWith({ kind: 'insert', text })
  }

  /** A question that nobody asked for does not take the keys of whoever types on. */
  function yieldPicker(): void {
    const { picker } = state()
    if (picker?.kind === 'choice' && picker.yields) lists.closePicker()
  }

  function paste(text: string): void {
    if (watch.paste(text)) return
    yieldPicker()
    if (state().picker) editWith({ kind: 'paste', text: normalisePaste(text) })
    else attaching.paste(text)
  }

  function perform(action: Action): void {
    switch (action.do) {
      case 'edit':
        return editWith(action.command)
      case 'submit':
        return attaching.after(() => sending.submit())
      case 'paste':
        return attaching.pasteClipboard()
      case 'copy':
      case 'cut':
        return clipping[action.do]()
      case 'queue_or_complete':
        if (composing.openChip()) return
        return isBusy(state()) ? sending.submit() : undefined
      case 'stop':
        return stopping.stop()
      case 'interrupt':
        return stopping.interrupt()
      case 'exit_or_delete':
        return stopping.exitOrDelete()
      case 'emergency':
        return void quit()
      case 'next_detail':
        return nextDetail()
      case 'redraw':
        return options.redraw()
      case 'up':
      case 'down':
        return sending.browse(action.do)
      case 'next_reasoning':
        return conversation.nextReasoning()
      case 'pick_model':
        return conversation.command('model')
      case 'compact':
        return conversation.command('compact')
      case 'queued_before':
        return conversation.queue.editNext('before')
      case 'queued_behind':
        return conversation.queue.editNext('behind')
      case 'send_now':
        return sending.sendNow()
      case 'stash':
        return composing.stash()
      case 'search_history':
        return lists.searchHistory()
      case 'edit_outside':
        return void editDraft(context)
      case 'stop_program':
        return context.desk?.stopProgram ? void context.desk.stopProgram() : undefined
      case 'popup_up':
        return lists.movePopup(-1)
      case 'popup_down':
        return lists.movePopup(1)
      case 'popup_take':
        lists.takePopup()
        return
      case 'popup_run':
        return lists.takePopup()?.sends === false ? undefined : sending.submit()
      case 'popup_close':
        return lists.closePopup()
      case 'picker_up':
        return lists.movePicker(-1)
      case 'picker_down':
        return lists.movePicker(1)
      case 'picker_take':
        return lists.takePicked()
      case 'picker_close':
        return lists.closePicker()
      case 'picker_widen':
        return lists.widenSearch()
      case 'picker_rename':
        return lists.renamePicked()
      case 'picker_remove':
        return lists.removePicked()
      case 'picker_erase':
        return lists.eraseFilter()
    }
  }

  function writeDraft(text: string): void {
    editWith({ kind: 'setText', text })
  }

  /** `/editor`: the composer has been emptied for it. */
  function openEditor(text: string): void {
    if (text !== '') editWith({ kind: 'setText', text })
    void editDraft(context)
  }

  function editWith(command: EditCommand): void {
    const { picker } = state()
    const text = command.kind === 'insert' || command.kind === 'paste' ? command.text : ''
    if (picker) lists.filterPicker(picker.filter + text)
    else composing.edit(command)
  }

  function nextDetail(): void {
    const levels = ['names', 'short', 'full'] as const
    const detail = levels[(levels.indexOf(state().detail) + 1) % levels.length] ?? 'short'
    dispatch({ type: 'detail_chosen', detail })
    hint(`Tool calls from now on: ${DETAILS[detail]}.`)
  }

  async function quit(): Promise<void> {
    context.keep.flush()
    dispatch({ type: 'left', leaving: 'gone' })
    await backend.kill()
    options.onLeave(1)
  }

  function leave(): Promise<void> {
    leaving ??= (async () => {
      context.stop()
      context.keep.flush()
      dispatch({ type: 'left', leaving: 'ending' })
      await Promise.all([backend.close(), shell.close()])
      frames.flush()
      context.endTelling()
      dispatch({ type: 'left', leaving: 'gone' })
      clearInterval(ticking)
      options.onLeave(0)
    })()
    return leaving
  }

  /** What the agent tells moves the time as well: then no frame is drawn for the time alone. */
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
