/** The blocks of a turn: what it began with, its parts, its subagents, and its end. */
import type { Part } from '../../conversation/part.ts'
import type { AgentTask, Turn } from '../../conversation/state.ts'
import type { TimeZone } from '../../export/fact-words.ts'
import { partMarkup, planMarkup, problemMarkup, turnBeginning, turnEnd } from '../../export/fragments.ts'
import { markup } from '../../export/markup.ts'
import { partOf, turnOf } from '../../export/transcript.ts'
import { ShownBlock, Groups, type Edit } from './block.ts'
import { callMarkup, type NestedCall } from './call.ts'
import { chunksOf, GrowingChunks, type Chunk } from './chunks.ts'
import { Nesting } from './nesting.ts'
import { taskMarkup } from './task.ts'

/** Characters of an unfinished thought that are shown: its end. */
const MOST_THOUGHT = 2000

export class TurnBlocks {
  readonly #id: string
  readonly #zone: TimeZone
  #turn: Turn | null = null
  #tasks: readonly AgentTask[] = []
  /** What it began with, and then a group for each part: an empty one for what is withdrawn or inside of another. */
  readonly #parts = new Groups()
  /** A group for each subagent, and one for the end. */
  readonly #rest = new Groups()
  readonly #texts = new Map<number, { growing: GrowingChunks; blocks: ReadonlyMap<Chunk, ShownBlock> }>()
  #nesting = new Nesting()

  constructor(id: string, zone: TimeZone) {
    this.#id = id
    this.#zone = zone
  }

  get total(): number {
    return this.#parts.total + this.#rest.total
  }

  at(index: number): ShownBlock | undefined {
    return index < this.#parts.total ? this.#parts.at(index) : this.#rest.at(index - this.#parts.total)
  }

  /** False for a turn that these blocks cannot become: another one. */
  isOf(turn: Turn): boolean {
    const before = this.#turn
    return (
      before?.startedAt === turn.startedAt && before.prompt === turn.prompt && before.parts.length <= turn.parts.length
    )
  }

  /** What changed, each edit after those before it. */
  advance(turn: Turn, tasks: readonly AgentTask[]): Edit[] {
    const edits: (Edit | null)[] = []
    if (this.#turn === null) edits.push(this.#parts.set(0, [this.#beginning(turn)]))
    if (this.#turn?.parts !== turn.parts) edits.push(...this.#advanceParts(turn))
    const from = this.#parts.total
    for (const edit of this.#advanceRest(turn, tasks)) edits.push(edit && { ...edit, at: edit.at + from })
    this.#turn = turn
    this.#tasks = tasks
    return edits.filter(edit => edit !== null)
  }

  #beginning(turn: Turn): ShownBlock {
    const facts = turnOf(turn, [])
    return new ShownBlock(`${this.#id}.p`, cuts => turnBeginning(facts, this.#zone, cuts.drawing))
  }

  #advanceParts(turn: Turn): (Edit | null)[] {
    const known = this.#parts.length - 1
    const differing = [...turn.parts.differences(this.#turn?.parts ?? null)]
    const moved = this.#nesting.follow(turn.parts, this.#turn?.parts ?? null, differing)
    const changed = new Set([...differing, ...moved].map(place => this.#nesting.outermost(place)))
    const edits = [...changed]
      .filter(place => place < known)
      .toSorted((one, other) => one - other)
      .map(place => this.#setPart(turn, place))
    for (let place = known; place < turn.parts.length; place += 1) edits.push(this.#setPart(turn, place))
    return edits
  }

  #setPart(turn: Turn, place: number): Edit | null {
    return this.#parts.set(place + 1, this.#blocksOf(turn, place))
  }

  #blocksOf(turn: Turn, place: number): readonly ShownBlock[] {
    const part = turn.parts.get(place)
    if (!part || part.withdrawn || this.#nesting.isInside(place)) return []
    const id = `${this.#id}.${place}`
    if (part.kind === 'text') return this.#textBlocks(id, place, part)
    if (part.kind === 'tool') {
      const calls = (): readonly NestedCall[] => this.#callsIn(turn, place)
      return [new ShownBlock(id, cuts => callMarkup({ call: part, calls }, cuts))]
    }
    const [shown] = partOf(
      part.kind === 'thought' && part.endedAt === null ? { ...part, text: endOf(part.text) } : part,
    )
    return shown ? [new ShownBlock(id, cuts => partMarkup(shown, new Map(), cuts.drawing))] : []
  }

  #callsIn(turn: Turn, place: number): NestedCall[] {
    return this.#nesting.inside(place).flatMap(each => {
      const call = turn.parts.get(each)
      return call?.kind === 'tool' ? [{ call, calls: () => this.#callsIn(turn, each) }] : []
    })
  }

  #textBlocks(id: string, place: number, part: Extract<Part, { kind: 'text' }>): readonly ShownBlock[] {
    const before = this.#texts.get(place)
    if (!before && part.final) {
      return chunksOf(part.text).map((chunk, at) => new ShownBlock(at === 0 ? id : `${id}.${at}`, chunk))
    }
    const known = before ?? { growing: new GrowingChunks(), blocks: new Map<Chunk, ShownBlock>() }
    const blocks = new Map(
      known.growing
        .of(part)
        .map((chunk, at) => [chunk, known.blocks.get(chunk) ?? new ShownBlock(at === 0 ? id : `${id}.${at}`, chunk)]),
    )
    if (part.final) this.#texts.delete(place)
    else this.#texts.set(place, { ...known, blocks })
    return [...blocks.values()]
  }

  #advanceRest(turn: Turn, tasks: readonly AgentTask[]): (Edit | null)[] {
    const edits = tasks.map((task, at) =>
      task === this.#tasks[at]
        ? null
        : this.#rest.set(at, [new ShownBlock(`${this.#id}.t${at}`, cuts => taskMarkup(task, cuts))]),
    )
    const end =
      turn === this.#turn && tasks.length === this.#tasks.length ? null : this.#rest.set(tasks.length, this.#end(turn))
    return [...edits, end, this.#rest.cut(tasks.length + 1)]
  }

  #end(turn: Turn): ShownBlock[] {
    const facts = turnOf(turn, [])
    const block = new ShownBlock(`${this.#id}.z`, () => {
      const end = turn.outcome === null ? markup`` : markup`${problemMarkup(facts)}${turnEnd(facts)}`
      return markup`${planMarkup(facts)}${end}`
    })
    return block.drawn().html === '' ? [] : [block]
  }
}

function endOf(text: string): string {
  if (text.length <= MOST_THOUGHT) return text
  const end = text.slice(-MOST_THOUGHT)
  return end.slice(end.indexOf('\n') + 1)
}
