/**
 * What is wished for is done here: the only caller of the agent, and the only place with effects. What happened goes to
 * the reducer.
 */
import type { Backend, Prompt } from '../agent/backend.ts'
import { atFirstLine, atLastLine, createEditor, edit, type EditCommand } from '../composer/editor.ts'
import { addEntry, newer, older } from '../composer/history.ts'
import type { Notice } from '../chat/state.ts'
import { createFrames } from './frames.ts'
import { helpText, usageText } from './texts.ts'
import { actionFor, type Action } from './keymap.ts'
import { acceptRow, contextOf, popupRows, pickerRows } from './overlay.ts'
import { offeredCommands, parseSlash, type CommandName, type SlashCommand } from './slash.ts'
import { isBusy, reduceApp, type AppEvent, type AppState } from './state.ts'
import type { Store } from './store.ts'

/** How long a first press stays armed. */
const ARMED = 2000
/** How often elapsed times and the spinner move while the agent works. */
const TICK = 120

export type Controller = {
  /** Starts the agent, and sends `prompt` as soon as it is ready. */
  start(prompt: string | null): void
  /** Says something in the conversation that does not come from the agent. */
  remark(level: Notice['level'], text: string, hint?: string): void
  press(key: string): void
  /** Text that was typed; never holds control characters. */
  type(text: string): void
  paste(text: string): void
  commands(): readonly SlashCommand[]
  /** Ends the agent in good order and leaves. */
  leave(): Promise<void>
}

export type ControllerOptions = {
  store: Store<AppState>
  backend: Backend
  now: () => number
  /** The columns that the composer wraps at. */
  composerWidth: () => number
  redraw: () => void
  /** Called once, when the agent is gone and the program may end. */
  onLeave: (exitCode: number) => void
}

export function createController(options: ControllerOptions): Controller {
  const { store, backend, now } = options
  const commands = offeredCommands(backend)
  const dispatch = (event: AppEvent): void => store.set(reduceApp(store.get(), event))
  const remark = (level: Notice['level'], text: string, hint?: string): void =>
    dispatch({ type: 'remarked', level, text, hint, at: now() })
  let ticking: NodeJS.Timeout | null = null
  let disarming: NodeJS.Timeout | null = null
  let leaving: Promise<void> | null = null

  const frames = createFrames(events => {
    let state = reduceApp(store.get(), { type: 'ticked', now: now() })
    for (const event of events) state = reduceApp(state, { type: 'agent_told', event })
    store.set(state)
    tick()
  })
  backend.subscribe(event => frames.push(event))

  return {
    start(prompt) {
      if (prompt !== null) dispatch({ type: 'queued', text: prompt })
      void opened(backend.open())
    },
    remark,
    press,
    type: text => editWith({ kind: 'insert', text }),
    paste: text => editWith({ kind: 'paste', text }),
    commands: () => commands,
    leave,
  }

  function press(key: string): void {
    const state = store.get()
    const action = actionFor(key, contextOf(state, commands))
    if (action) perform(action)
    else if (state.hint !== null) dispatch({ type: 'hinted', hint: null })
  }

  function perform(action: Action): void {
    const state = store.get()
    switch (action.do) {
      case 'edit':
        return editWith(action.command)
      case 'submit':
        return submit()
      case 'queue_or_complete':
        return isBusy(state) && state.editor.text.trim() !== '' ? submit() : undefined
      case 'stop':
        return stop()
      case 'interrupt':
        return interrupt()
      case 'exit_or_delete':
        return exitOrDelete()
      case 'emergency':
        return emergency()
      case 'redraw':
        return options.redraw()
      case 'up':
      case 'down':
        return moveOrBrowse(action.do)
      case 'next_reasoning':
        return nextReasoning()
      case 'pick_model':
        return runOrQueue('model')
      case 'compact':
        return runOrQueue('compact')
      case 'edit_previous_queued':
      case 'edit_next_queued':
        return takeQueuedBack()
      case 'popup_up':
        return movePopup(-1)
      case 'popup_down':
        return movePopup(1)
      case 'popup_take':
        takePopup()
        return
      case 'popup_run':
        return runPopup()
      case 'popup_close':
        return dispatch({ type: 'popup_closed', text: state.editor.text })
      case 'picker_up':
        return movePicker(-1)
      case 'picker_down':
        return movePicker(1)
      case 'picker_take':
        return takePicked()
      case 'picker_close':
        return dispatch({ type: 'picker_changed', picker: null })
      case 'picker_erase':
        return filterPicker(state.picker?.filter.slice(0, -1) ?? '')
    }
  }

  // The composer.

  function editWith(command: EditCommand): void {
    const state = store.get()
    if (state.picker) {
      if (command.kind === 'insert' || command.kind === 'paste') filterPicker(state.picker.filter + command.text)
      return
    }
    dispatch({ type: 'edited', editor: edit(state.editor, command, options.composerWidth()) })
  }

  function moveOrBrowse(direction: 'up' | 'down'): void {
    const { editor, history, queue } = store.get()
    const width = options.composerWidth()
    if (direction === 'up' && editor.text === '' && queue.entries.length > 0) return takeQueuedBack()
    const atEdge = direction === 'up' ? atFirstLine(editor, width) : atLastLine(editor, width)
    if (!atEdge) return editWith({ kind: 'move', to: direction })
    const moved = direction === 'up' ? older(history, editor.text) : newer(history, editor.text)
    if (!moved) return
    const recalled = edit(editor, { kind: 'setText', text: moved.text }, width)
    dispatch({ type: 'history_moved', editor: recalled, history: moved.history })
  }

  /** Empties the composer into the history, so that nothing typed is lost. */
  function putAway(): void {
    const { editor, history } = store.get()
    dispatch({ type: 'prompt_taken', history: addEntry(history, editor.text) })
  }

  function submit(): void {
    const state = store.get()
    const text = state.editor.text
    if (text.endsWith('\\') && state.editor.caret === text.length) {
      editWith({ kind: 'deleteLeft' })
      return editWith({ kind: 'newline' })
    }
    if (text.trim() === '') {
      if (!isBusy(state) && state.queue.held) release()
      return
    }
    const slash = parseSlash(text.trim(), commands)
    if (slash?.kind === 'unknown') {
      const nearest = slash.nearest ? `Did you mean ${slash.nearest}?` : '/help lists them.'
      return dispatch({
        type: 'hinted',
        hint: `There is no command ${slash.word}. ${nearest} A space before it sends it as text.`,
      })
    }
    if (slash) {
      putAway()
      return runOrQueue(slash.command.name, slash.argument)
    }
    if (state.chat.agent.phase === 'ended' || state.chat.agent.phase === 'closed') {
      return dispatch({
        type: 'hinted',
        hint: 'The agent is not running: /restart starts it again. Your text stays here.',
      })
    }
    putAway()
    if (isBusy(state)) dispatch({ type: 'queued', text })
    else send(text)
  }

  // The conversation.

  function send(text: string): void {
    const prompt: Prompt = { text, images: [] }
    void ended(backend.prompt(prompt))
  }

  /** What follows an operation: the next in the queue, unless something went wrong. */
  async function ended(operation: Promise<void>): Promise<void> {
    await operation
    frames.flush()
    const { chat, queue } = store.get()
    if (queue.entries.length === 0) return
    const last = chat.entries.findLast(entry => entry.kind !== 'notice' && entry.kind !== 'cleared')
    const good = (last?.kind === 'turn' || last?.kind === 'compaction') && last.outcome === 'done'
    if (good && !queue.held) next()
    else hold()
  }

  async function opened(opening: Promise<void>): Promise<void> {
    await opening
    frames.flush()
    const { chat, queue } = store.get()
    if (chat.agent.phase === 'ready' && !queue.held) next()
    else hold()
  }

  function hold(): void {
    const { queue } = store.get()
    if (queue.entries.length > 0) dispatch({ type: 'queue_changed', queue: { ...queue, held: true } })
  }

  function release(): void {
    const { queue } = store.get()
    dispatch({ type: 'queue_changed', queue: { ...queue, held: false } })
    next()
  }

  function next(): void {
    const { queue } = store.get()
    const [first, ...rest] = queue.entries
    if (first === undefined || leaving) return
    dispatch({ type: 'queue_changed', queue: { entries: rest, held: rest.length > 0 && queue.held } })
    const slash = parseSlash(first.trim(), commands)
    if (slash?.kind !== 'command') return send(first)
    void run(slash.command.name, slash.argument).then(() => {
      if (!isBusy(store.get()) && !store.get().queue.held) next()
    })
  }

  /** Takes the newest queued message back into the composer; a draft there goes to its place. */
  function takeQueuedBack(): void {
    const { queue, editor } = store.get()
    const newest = queue.entries.at(-1)
    if (newest === undefined) return
    const entries = queue.entries.slice(0, -1)
    const kept = editor.text.trim() === '' ? entries : [editor.text, ...entries]
    dispatch({ type: 'queue_changed', queue: { entries: kept, held: queue.held && kept.length > 0 } })
    dispatch({ type: 'edited', editor: edit(editor, { kind: 'setText', text: newest }, options.composerWidth()) })
  }

  // Slash commands.

  function runOrQueue(name: CommandName, argument = ''): void {
    const command = commands.find(each => each.name === name)
    if (!command) return dispatch({ type: 'hinted', hint: `This agent cannot do /${name}.` })
    if (!command.needsIdle || !isBusy(store.get())) return void run(name, argument)
    dispatch({ type: 'queued', text: argument === '' ? `/${name}` : `/${name} ${argument}` })
  }

  async function run(name: CommandName, argument: string): Promise<void> {
    switch (name) {
      case 'help':
        return remark('info', helpText(commands))
      case 'usage':
        return remark('info', usageText(store.get().chat))
      case 'exit':
        return leave()
      case 'clear':
        return told(await backend.clear?.())
      case 'compact':
        return backend.compact && ended(backend.compact())
      case 'model':
        return argument === '' ? pickModel() : told(await backend.setModel?.(argument))
      case 'reasoning':
        return setReasoning(argument)
      case 'retry':
        return retry()
      case 'restart':
        return restart()
    }
  }

  function told(reply: { ok: true } | { ok: false; message: string } | undefined): void {
    frames.flush()
    if (reply && !reply.ok) remark('error', reply.message)
  }

  async function pickModel(): Promise<void> {
    if (!backend.listModels) return
    dispatch({ type: 'picker_opened' })
    const reply = await backend.listModels()
    const { picker } = store.get()
    if (reply.ok) {
      if (picker) dispatch({ type: 'picker_changed', picker: { ...picker, models: reply.value } })
      return
    }
    dispatch({ type: 'picker_changed', picker: null })
    remark('error', `The agent did not list its models: ${reply.message}`)
  }

  async function setReasoning(argument: string): Promise<void> {
    const { reasoningLevels, reasoning } = store.get().chat.agent
    if (reasoningLevels.length === 0 || !backend.setReasoning) {
      return remark('warn', 'This model or this version of the agent has no reasoning level to set.')
    }
    if (argument === '') {
      const levels = ['off', ...reasoningLevels].join(', ')
      return remark(
        'info',
        `Reasoning is ${reasoning || 'off'}. /reasoning with one of ${levels} sets it, Shift+Tab steps through them.`,
      )
    }
    told(await backend.setReasoning(argument === 'off' ? '' : argument))
  }

  function nextReasoning(): void {
    const state = store.get()
    const { reasoning, reasoningLevels } = state.chat.agent
    if (reasoningLevels.length === 0) {
      return dispatch({
        type: 'hinted',
        hint: 'This model or this version of the agent has no reasoning level to set.',
      })
    }
    const levels = ['', ...reasoningLevels]
    const level = levels[(levels.indexOf(reasoning ?? '') + 1) % levels.length] ?? ''
    runOrQueue('reasoning', level === '' ? 'off' : level)
  }

  function retry(): void {
    const last = store.get().chat.entries.findLast(entry => entry.kind === 'turn')
    if (last?.kind !== 'turn') return remark('info', 'There is no prompt to send again yet.')
    if (store.get().chat.agent.phase !== 'ready')
      return remark('warn', 'The agent is not running.', '/restart starts it again.')
    send(last.prompt)
  }

  async function restart(): Promise<void> {
    hold()
    await backend.close()
    frames.flush()
    await opened(backend.open())
  }

  async function killAndRestart(): Promise<void> {
    hold()
    await backend.kill()
    frames.flush()
    await opened(backend.open())
  }

  // Stopping and leaving.

  function stop(): void {
    const { chat, editor, armed } = store.get()
    if (chat.open) return chat.open.aborting ? undefined : backend.abort()
    if (editor.text === '') return hint('Nothing is running. ? shows all keys.', null)
    if (armed === 'clear_draft') return putAway()
    hint('Esc again clears the draft; Up brings it back.', 'clear_draft')
  }

  function interrupt(): void {
    const { chat, editor, armed } = store.get()
    if (chat.open) {
      if (chat.open.abortOverdue) return void killAndRestart()
      return chat.open.aborting ? undefined : backend.abort()
    }
    if (editor.text !== '') return putAway()
    if (armed === 'exit') return void leave()
    hint('Ctrl+C again to exit.', 'exit')
  }

  function exitOrDelete(): void {
    const { chat, editor, armed } = store.get()
    if (editor.text !== '') return editWith({ kind: 'deleteRight' })
    if (!chat.open || armed === 'exit') return void leave()
    hint('The agent is working: Ctrl+D again stops it and exits.', 'exit')
  }

  function hint(text: string, armed: AppState['armed']): void {
    dispatch({ type: 'hinted', hint: text, armed })
    if (disarming) clearTimeout(disarming)
    if (armed) disarming = setTimeout(() => dispatch({ type: 'hinted', hint: null }), ARMED)
  }

  function emergency(): void {
    void backend.kill().then(() => options.onLeave(1))
  }

  function leave(): Promise<void> {
    leaving ??= (async () => {
      if (disarming) clearTimeout(disarming)
      dispatch({ type: 'left' })
      await backend.close()
      frames.flush()
      if (ticking) clearInterval(ticking)
      options.onLeave(0)
    })()
    return leaving
  }

  // Popup and picker.

  function movePopup(by: number): void {
    const state = store.get()
    const count = popupRows(state, commands).length
    if (count > 0) dispatch({ type: 'popup_moved', selected: (state.popup.selected + by + count) % count })
  }

  function takePopup(): boolean {
    const state = store.get()
    const row = popupRows(state, commands)[state.popup.selected]
    if (!row) return false
    dispatch({ type: 'edited', editor: acceptRow(state.editor, row, options.composerWidth()) })
    return true
  }

  /** Enter on a command that needs nothing more runs it; one with an argument is completed first. */
  function runPopup(): void {
    const state = store.get()
    const row = popupRows(state, commands)[state.popup.selected]
    if (row) takePopup()
    if (!row?.incomplete) submit()
  }

  function movePicker(by: number): void {
    const { picker } = store.get()
    if (!picker) return
    const count = pickerRows(picker).length
    if (count > 0)
      dispatch({ type: 'picker_changed', picker: { ...picker, selected: (picker.selected + by + count) % count } })
  }

  function filterPicker(filter: string): void {
    const { picker } = store.get()
    if (picker) dispatch({ type: 'picker_changed', picker: { ...picker, filter, selected: 0 } })
  }

  function takePicked(): void {
    const { picker, chat } = store.get()
    const row = picker ? pickerRows(picker)[picker.selected] : undefined
    if (!row) return
    dispatch({ type: 'picker_changed', picker: null })
    if (row.model.id !== chat.agent.model) runOrQueue('model', row.model.id)
  }

  /** Moves elapsed times while something is going on, and nothing at all when idle. */
  function tick(): void {
    const busy = isBusy(store.get())
    if (busy && !ticking) ticking = setInterval(() => dispatch({ type: 'ticked', now: now() }), TICK)
    if (!busy && ticking) {
      clearInterval(ticking)
      ticking = null
    }
  }
}
