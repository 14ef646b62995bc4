/** The scanner's open containers, the outermost first, and at most one open block inside them. */
import type { Align, CodePlace, Container, Leaf } from '../block.ts'
import type { CodeState } from '../code/code.ts'
import type { HtmlEnd } from './html.ts'
import { type Fence, indentOf, isBlank, type Marker, taskOf } from './line.ts'

export type OpenContainer = { readonly id: number } & ({ kind: 'quote' } | OpenItem)

type OpenItem = {
  kind: 'item'
  type: string
  ordinal: number | null
  task: boolean | null
  offset: number
  /** Whether none of it was emitted yet, so that its mark is still to come. */
  unseen: boolean
  /** Whether it began with an empty line and has no text so far. */
  empty: boolean
}

/** The block that the next line may continue. Code and HTML emit each line at once, so they hold none. */
export type OpenLeaf =
  /** `size` in characters; `begun` once its beginning was emitted. */
  | { kind: 'paragraph'; lines: string[]; size: number; begun: boolean }
  | { kind: 'table'; rows: string[]; aligns: readonly Align[] }
  | ({ kind: 'fence'; fence: Fence } & OpenCode)
  /** The code block of a review's findings: shown as a list when it is complete. `size` in characters. */
  | { kind: 'findings'; fence: Fence; parts: CodePart[]; size: number }
  | ({ kind: 'indented'; blanks: BlankLine[] } & OpenCode)
  | { kind: 'html'; end: HtmlEnd; begun: boolean }

/** A blank line that is code if more code follows it. */
type BlankLine = { readonly text: string; readonly place: CodePlace }

/** A line of code that is held back, or a part of an overlong one; `joins` if it goes on with the part before it. */
export type CodePart = BlankLine & { readonly joins: boolean }

/** `begun` once a line was emitted: the next one follows without a gap. */
export type OpenCode = { readonly language: string; state: CodeState; begun: boolean }

/** The item that a mark opens, after `before` at the same depth, and the text after the mark. */
export function itemOf(marker: Marker, before: OpenContainer | undefined): { item: OpenItem; rest: string } {
  const { type, offset } = marker
  const sibling = before?.kind === 'item' && before.type === type ? before.ordinal : null
  const ordinal = sibling === null ? marker.ordinal : sibling + 1
  const task = taskOf(marker.rest)
  const item = { type, ordinal, offset, task: task?.done ?? null, unseen: true, empty: isBlank(marker.rest) }
  return { item: { kind: 'item', ...item }, rest: task?.rest ?? marker.rest }
}

/** The line inside the item; null if it does not belong to it. */
export function inItem(item: OpenItem, line: string): string | null {
  if (isBlank(line)) return item.empty ? null : ''
  return indentOf(line) >= item.offset ? line.slice(item.offset) : null
}

/** Whether a list may begin right below the text of a paragraph: `2026. was` at a line's beginning is no list. */
export function mayInterrupt(marker: Marker): boolean {
  return !isBlank(marker.rest) && (marker.ordinal === null || marker.ordinal === 1)
}

/** The form of an open container for the blocks that are finished now. */
export function containerOf(open: OpenContainer): Container {
  if (open.kind === 'quote') return { kind: 'quote' }
  const { ordinal, task, type, unseen } = open
  return { kind: 'item', ordinal, delimiter: type === ')' ? ')' : '.', task, opens: unseen }
}

/** An independent copy with at most the last `lines` lines. */
export function copyOf(leaf: OpenLeaf | null, lines: number): OpenLeaf | null {
  if (leaf?.kind === 'paragraph') return { ...leaf, lines: leaf.lines.slice(-lines) }
  if (leaf?.kind === 'table') return { ...leaf, rows: [...leaf.rows.slice(0, 1), ...leaf.rows.slice(1).slice(-lines)] }
  if (leaf?.kind === 'indented') return { ...leaf, blanks: [...leaf.blanks] }
  if (leaf?.kind === 'findings') return { ...leaf, parts: [...leaf.parts] }
  return leaf === null ? null : { ...leaf }
}

/**
 * Whether two blocks need a blank line between them although the text has none. Inside containers the text decides,
 * except for figures.
 */
export function needsAir(last: Leaf['kind'], lastDepth: number, kind: Leaf['kind'], depth: number): boolean {
  if (isFigure(last) || isFigure(kind)) return true
  return depth === 0 && (lastDepth > 0 || kind === 'heading')
}

function isFigure(kind: Leaf['kind']): boolean {
  return kind === 'code' || kind === 'table'
}
