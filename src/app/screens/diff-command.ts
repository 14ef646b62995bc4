/** `/diff`: the changes of this session, in a full-screen view. */
import { shownPrompt } from '../../conversation/queries/shown-prompt.ts'
import { existsSync } from 'node:fs'
import type { AgentEvent } from '../../agent/event.ts'
import type { FileChange, FileDiff } from '../../tools/diff/change.ts'
import type { CollectedChanges } from '../../changes/collect.ts'
import { showFile } from '../../platform/shell/show-file.ts'
import { createChangeSource } from './change-source.ts'
import { changesSince, nothing } from './checkpoint-changes.ts'
import { patchText } from '../../tools/diff/change-text.ts'
import type { ChoicePrompt } from '../context/choice-prompt.ts'
import type { Clipboard } from '../context/clipboard.ts'
import { loadColoursOf } from '../context/colours.ts'
import { createCommandChanges } from './command-changes.ts'
import type { AppContext } from '../context/context.ts'
import { openInEditor } from '../context/open-in-editor.ts'
import type { ChangesBrowser } from './changes-browser.ts'
import {
  chosenChange,
  shownChange,
  type Changes,
  type DiffAction,
  type DiffScreen,
  type DiffWork,
} from '../../state/screens/diff-screen.ts'

export type DiffCommand = {
  /** Called when a session begins. */
  begin: () => void
  /** Called with each event, before anything else handles it. */
  hear: (event: AgentEvent) => void
  /** Shows the changes of the session; with an argument, those since a prompt that it asks for. */
  open: (argument?: string) => void
  /** Shows changes from another source. */
  show: (from: () => Promise<CollectedChanges>) => void
  /** Does nothing if it is closed. */
  close: () => void
  perform: (how: DiffAction['how']) => void
  stop: () => void
}

export type DiffCommandParts = {
  context: AppContext
  choicePrompt: ChoicePrompt
  clipboard: Clipboard
  /** Null for people who use a screen reader. */
  screen: DiffScreen | null
  /** Prints the changes. */
  readOut: ChangesBrowser
}

/** The events after which files may have changed. */
const MAY_CHANGE: ReadonlySet<AgentEvent['type']> = new Set(['tool_finished', 'turn_ended', 'agent_ended'])
/** Milliseconds to wait for more changes before they are collected. */
const GATHER = 300

export function createDiffCommand({
  context,
  choicePrompt,
  clipboard,
  screen,
  readOut,
}: DiffCommandParts): DiffCommand | null {
  const { state, dispatch, hint, host } = context
  if (!host) return null
  const source = createChangeSource(context, host)
  const byCommands = createCommandChanges(context, host.folder, source)
  let found: CollectedChanges | null = null
  /** The source of the view: the changes of the session, or those since a checkpoint. */
  let collect = source.collect
  let asked = 0
  let gathering: NodeJS.Timeout | undefined
  const works: Record<DiffWork, () => void> = {
    edit: () => void editPlace(),
    copy: () => void copy(),
    reload: () => void reload(),
  }
  return {
    begin: source.begin,
    hear(event) {
      source.hear(event)
      byCommands.hear(event)
      if (state().viewing !== 'changes' || !MAY_CHANGE.has(event.type)) return
      gathering ??= setTimeout(() => void reload(), GATHER)
    },
    open: (argument = '') => (argument === '' ? show(source.collect) : askSince(argument)),
    show,
    close,
    perform,
    stop() {
      clearTimeout(gathering)
      byCommands.stop()
      source.stop()
    },
  }

  /** Asks for the prompt to compare with. The argument narrows the list; a leading `since` does not count. */
  function askSince(argument: string): void {
    const { checkpoints } = context
    const { entries, open } = state().chat
    const turns = [...entries, ...(open ? [open] : [])].flatMap(entry => (entry.kind === 'turn' ? [entry] : []))
    const answers = turns.toReversed().flatMap(turn => {
      const { checkpoint } = turn
      if (checkpoint === null || !checkpoints) return []
      const run = (): void => show(() => changesSince(checkpoints, checkpoint))
      return [{ label: shownPrompt(turn).trim(), detail: '', run }]
    })
    if (answers.length === 0) return hint('This session has no checkpoints yet.')
    choicePrompt.ask({ title: 'changes since', answers, filter: argument.replace(/^since\s*/, '') })
  }

  function show(from: () => Promise<CollectedChanges>): void {
    if (state().viewing || state().leaving) return
    collect = from
    if (!screen) return void readOut({ collect, edit: (change, line) => void edit(change, line) })
    dispatch({ type: 'changes_found', changes: { list: nothing, isAsking: true, diffs: new Map() } })
    dispatch({ type: 'viewer_opened', viewing: 'changes' })
    screen.open()
    void reload()
  }

  function close(): void {
    if (state().viewing !== 'changes') return
    // A closed view needs no answers from git.
    clearTimeout(gathering)
    gathering = undefined
    dispatch({ type: 'viewer_opened', viewing: null })
    dispatch({ type: 'changes_found', changes: null })
    found = null
    screen?.close()
  }

  function perform(how: DiffAction['how']): void {
    if (state().hint !== null) dispatch({ type: 'hinted', hint: null })
    if (isWork(how)) return works[how]()
    if (how === 'leave' && state().diff.help === null && !shownChange(state())) return close()
    screen?.perform(how)
    void readShown()
  }

  function isWork(how: string): how is DiffWork {
    return Object.hasOwn(works, how)
  }

  /** Shows the changes known from calls at once, and those from git later. Of two reloads the later one counts. */
  async function reload(): Promise<void> {
    clearTimeout(gathering)
    gathering = undefined
    const number = (asked += 1)
    const isFirst = found === null || state().changes?.list === nothing
    const isSession = collect === source.collect
    if (isFirst && isSession) await take(number, await source.fromCalls(), true)
    else change({ isAsking: true })
    await take(number, await collect(), false)
  }

  async function take(number: number, collected: CollectedChanges, isAsking: boolean): Promise<void> {
    if (number !== asked || !state().changes) return
    found = collected
    const { file } = state().diff
    // The shown lines stay until they have been read again.
    const before = file === null ? undefined : state().changes?.diffs.get(file)
    change({ list: collected.list, isAsking, diffs: new Map(file !== null && before ? [[file, before]] : []) })
    const shown = shownChange(state())
    if (shown) await read(shown)
  }

  function change(part: Partial<Changes>): void {
    const { changes } = state()
    if (changes) dispatch({ type: 'changes_found', changes: { ...changes, ...part } })
  }

  async function readShown(): Promise<void> {
    const shown = shownChange(state())
    if (shown && state().changes?.diffs.has(shown.file) !== true) await read(shown)
  }

  async function read(shown: FileChange): Promise<void> {
    const from = found
    const [diff] = await Promise.all([from?.diffOf(shown), loadColoursOf(shown.path)])
    if (!diff || from !== found) return
    change({ diffs: new Map(state().changes?.diffs).set(shown.file, redacted(diff)) })
  }

  function redacted({ hunks, notes }: FileDiff): FileDiff {
    const lines = hunks.map(hunk => ({
      ...hunk,
      lines: hunk.lines.map(line => ({ ...line, text: context.redact(line.text) })),
    }))
    return { hunks: lines, notes }
  }

  async function copy(): Promise<void> {
    const chosen = chosenChange(state())
    if (!chosen) return hint('There is nothing to copy here.')
    const diff = state().changes?.diffs.get(chosen.file) ?? (await found?.diffOf(chosen))
    if (diff) hint(await clipboard.copy(patchText(chosen, redacted(diff)), `the diff of ${chosen.path}`))
  }

  async function editPlace(): Promise<void> {
    const chosen = chosenChange(state())
    if (!chosen) return hint('There is no file to open here.')
    await edit(chosen, screen?.line() ?? null)
    void reload()
  }

  async function edit({ file, path }: FileChange, line: number | null): Promise<void> {
    if (host?.elsewhere) return hint(`Files on ${host.elsewhere.name} cannot be opened from here.`)
    if (!existsSync(file)) return hint(`${path} no longer exists.`)
    await openInEditor(context, place => showFile(file, line, place))
  }
}
