/** Calls that a tool made, and those that they made, as a tree: each below the one that made it. */
import type { ToolCall } from '../conversation/state.ts'
import { isOpen } from '../conversation/turn.ts'

export type Branch = {
  tool: ToolCall
  /** 1 for a call of the root. */
  depth: number
  /** The one that it stands below; null for a call of the root. */
  above: Branch | null
}

/** The calls in the order of the tree; those of one parent in the order in which they began. */
export function treeOf(root: ToolCall, calls: readonly ToolCall[]): Branch[] {
  const children = new Map<string, ToolCall[]>()
  const ids = new Set([root.id, ...calls.map(call => call.id)])
  for (const call of calls) {
    const parent = nearest(call.id, ids) ?? root.id
    const siblings = children.get(parent)
    if (siblings) siblings.push(call)
    else children.set(parent, [call])
  }
  const below = (id: string, above: Branch | null): Branch[] =>
    (children.get(id) ?? []).map(tool => ({ tool, depth: (above?.depth ?? 0) + 1, above })).toReversed()
  const branches: Branch[] = []
  // What is still to be gone down into, the next one last: a tree can be deeper than a stack of calls.
  const left = below(root.id, null)
  for (let branch = left.pop(); branch; branch = left.pop()) {
    branches.push(branch)
    for (const each of below(branch.tool.id, branch)) left.push(each)
  }
  return branches
}

/** The closest ancestor that is known: `a/1` of `a/1/2`, else `a`. */
function nearest(id: string, ids: ReadonlySet<string>): string | null {
  for (let slash = id.lastIndexOf('/'); slash > 0; slash = id.lastIndexOf('/', slash - 1)) {
    const ancestor = id.slice(0, slash)
    if (ids.has(ancestor)) return ancestor
  }
  return null
}

/**
 * The branches that fit, in their order, and how many do not. What runs and what went wrong stays longest, then what came
 * last; a call stays no longer than those that it stands below.
 */
export function boundTree(branches: readonly Branch[], most: number): { shown: Branch[]; hidden: number } {
  if (branches.length <= most) return { shown: [...branches], hidden: 0 }
  const kept = new Set<Branch>()
  // One row says how many are missing.
  const room = Math.max(0, most - 1)
  for (const branch of byWeight(branches, each => each.tool)) {
    if (kept.size >= room) break
    keep(branch, kept, room)
  }
  return { shown: branches.filter(branch => kept.has(branch)), hidden: branches.length - kept.size }
}

/** So many calls at most, in their order: those that would stay longest. */
export function mostTelling(calls: readonly ToolCall[], most: number): readonly ToolCall[] {
  if (calls.length <= most) return calls
  const kept = new Set<ToolCall>()
  for (const call of byWeight(calls, each => each)) {
    if (kept.size >= most) break
    kept.add(call)
  }
  return calls.filter(call => kept.has(call))
}

/** What runs first, then what went wrong, and of each the last first. */
function* byWeight<Item>(items: readonly Item[], callOf: (item: Item) => ToolCall): Generator<Item> {
  for (const weight of [2, 1, 0])
    for (const item of items.toReversed()) if (weightOf(callOf(item)) === weight) yield item
}

function weightOf({ state }: ToolCall): number {
  return isOpen(state) ? 2 : state === 'ok' ? 0 : 1
}

/** Keeps a branch with all that it stands below, where there is room for them. */
function keep(branch: Branch, kept: Set<Branch>, room: number): void {
  const needed: Branch[] = []
  for (let each: Branch | null = branch; each && !kept.has(each); each = each.above) {
    needed.push(each)
    if (kept.size + needed.length > room) return
  }
  for (const each of needed) kept.add(each)
}
