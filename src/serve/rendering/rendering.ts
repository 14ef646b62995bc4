/** A conversation as blocks of HTML, made by the functions of an exported page, and what of them changes with it. */
import { isOutdated } from '../../conversation/walk.ts'
import type { AgentTask, ChatState, Entry } from '../../conversation/state.ts'
import type { TimeZone } from '../../export/fact-words.ts'
import { entryMarkup, partMarkup } from '../../export/fragments.ts'
import { joined } from '../../export/markup.ts'
import { entryOf, partOf } from '../../export/transcript.ts'
import { ShownBlock, editOf, type Edit } from './block.ts'
import { liveOutput } from './call.ts'
import { TurnBlocks } from './turn-blocks.ts'

/** The blocks of an entry. */
type EntryView = { id: string; entry: Entry; isOutdated: boolean; tasks: readonly AgentTask[]; blocks: EntryBlocks }
type EntryBlocks = TurnBlocks | { total: number; at: (index: number) => ShownBlock | undefined }

const noTasks: readonly AgentTask[] = []

/** Follows one conversation: `advance` takes its successive states. The same state has the same blocks, whatever came before. */
export class Rendering {
  readonly #zone: TimeZone
  #chat: ChatState | null = null
  #views: EntryView[] = []
  /** The index of the first block of each view. */
  #starts: number[] = []
  /** The command of the user that runs. */
  #shell: ShownBlock | null = null
  /** The number of blocks. */
  #total = 0

  constructor(zone?: TimeZone) {
    this.#zone = zone
  }

  get total(): number {
    return this.#total
  }

  at(index: number): ShownBlock | undefined {
    if (index === this.#total - 1 && this.#shell) return this.#shell
    let [from, to] = [0, this.#views.length]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if ((this.#starts[middle + 1] ?? this.#total) <= index) from = middle + 1
      else to = middle
    }
    return this.#views[from]?.blocks.at(index - (this.#starts[from] ?? 0))
  }

  /** What changed, each edit after those before it. */
  advance(chat: ChatState): Edit[] {
    if (chat === this.#chat) return []
    const edits: Edit[] = []
    const all = chat.open === null ? chat.entries : [...chat.entries, chat.open]
    const tasks = this.#tasksOf(chat, all)
    const ids = idsOf(all)
    let start = 0
    this.#starts = []
    for (const [at, entry] of all.entries()) {
      this.#starts.push(start)
      const facts = {
        id: ids(),
        entry,
        isOutdated: isOutdated(entry, all[at + 1] ?? null),
        tasks: tasks.get(entry) ?? noTasks,
      }
      for (const edit of this.#set(at, facts)) edits.push({ ...edit, at: edit.at + start })
      start += this.#views[at]?.blocks.total ?? 0
    }
    for (const { blocks } of this.#views.splice(all.length)) {
      if (blocks.total > 0) edits.push({ at: start, removed: blocks.total, added: 0 })
    }
    const shell = shellBlock(chat)
    const edit = editOf(start, this.#shell ? [this.#shell] : [], shell ? [shell] : [])
    if (edit) edits.push(edit)
    this.#shell = shell
    this.#total = start + (shell ? 1 : 0)
    this.#chat = chat
    return edits
  }

  #set(at: number, facts: Omit<EntryView, 'blocks'>): Edit[] {
    const { entry, tasks } = facts
    const before = this.#views[at]
    if (before?.entry === entry && before.isOutdated === facts.isOutdated && isAlike(before.tasks, tasks)) return []
    if (
      before?.blocks instanceof TurnBlocks &&
      entry.kind === 'turn' &&
      before.id === facts.id &&
      before.blocks.isOf(entry)
    ) {
      this.#views[at] = { ...facts, blocks: before.blocks }
      return before.blocks.advance(entry, tasks)
    }
    const blocks = this.#blocksOf(facts)
    this.#views[at] = { ...facts, blocks }
    const edit = editOf(0, blocksIn(before?.blocks), blocksIn(blocks))
    return edit ? [edit] : []
  }

  #blocksOf({ id, entry, tasks, isOutdated: isOver }: Omit<EntryView, 'blocks'>): EntryBlocks {
    if (entry.kind === 'turn') {
      const blocks = new TurnBlocks(id, this.#zone)
      blocks.advance(entry, tasks)
      return blocks
    }
    const shown = isOver ? [] : entryOf(entry)
    if (shown.length === 0) return { total: 0, at: () => undefined }
    const block = new ShownBlock(id, cuts => joined(shown.map(each => entryMarkup(each, this.#zone, cuts.drawing))))
    return { total: 1, at: () => block }
  }

  /** The subagents of each turn: those that began in it, or after it and before the next. */
  #tasksOf({ tasks }: ChatState, all: readonly Entry[]): ReadonlyMap<Entry, readonly AgentTask[]> {
    const found = new Map<Entry, AgentTask[]>()
    for (const task of tasks) {
      if (!task.chat || (task.chat.entries.length === 0 && !task.chat.open)) continue
      const since = task.startedAt ?? Infinity
      const turn = all.findLast(entry => entry.kind === 'turn' && entry.startedAt <= since)
      if (turn) found.set(turn, [...(found.get(turn) ?? []), task])
    }
    return found
  }
}

function blocksIn(blocks: EntryBlocks | undefined): ShownBlock[] {
  return Array.from({ length: blocks?.total ?? 0 }, (_, at) => blocks?.at(at)).filter(block => block !== undefined)
}

/** The ids of the entries in their order. What comes while the conversation is compacted comes before that. */
function idsOf(all: readonly Entry[]): () => string {
  let [next, compactions, others] = [0, 0, 0]
  return () => {
    const entry = all[next++]
    return entry?.kind === 'compaction' ? `c${compactions++}` : `e${others++}`
  }
}

function isAlike(one: readonly AgentTask[], other: readonly AgentTask[]): boolean {
  return one === other || (one.length === other.length && one.every((task, at) => task === other[at]))
}

function shellBlock({ shell }: ChatState): ShownBlock | null {
  const [shown] = shell ? partOf(shell) : []
  if (!shell || shown?.kind !== 'shell') return null
  return new ShownBlock('shell', cuts =>
    partMarkup({ ...shown, output: liveOutput(shell.tool) }, new Map(), cuts.drawing),
  )
}
