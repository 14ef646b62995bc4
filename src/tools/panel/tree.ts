/** Nested calls as a tree: each below the call that made it. */
import type { ToolCall } from '../../conversation/part.ts'
import { isOpen } from '../../conversation/calls/tool-calls.ts'

export type Branch = {
  tool: ToolCall
  /** 1 for a call of the root. */
  depth: number
  /** Its parent; null for a call of the root. */
  above: Branch | null
}

/** The `calls`, all or some of `all`, in tree order; siblings in the order they began. */
export function treeOf(root: ToolCall, calls: readonly ToolCall[], all = calls): Branch[] {
  const parents = new Map(all.map(call => [call.id, call.parent]))
  const children = new Map<string, ToolCall[]>()
  const ids = new Set([root.id, ...calls.map(call => call.id)])
  for (const call of calls) {
    const parent = nearest(call, ids, parents) ?? root.id
    const siblings = children.get(parent)
    if (siblings) siblings.push(call)
    else children.set(parent, [call])
  }
  const below = (id: string, above: Branch | null): Branch[] =>
    (children.get(id) ?? []).map(tool => ({ tool, depth: (above?.depth ?? 0) + 1, above })).toReversed()
  const branches: Branch[] = []
  // The branches to descend into, the next one last. There is no recursion: a tree can be deeper than the stack.
  const left = below(root.id, null)
  for (let branch = left.pop(); branch; branch = left.pop()) {
    branches.push(branch)
    for (const each of below(branch.tool.id, branch)) left.push(each)
  }
  return branches
}

/** The closest ancestor that is shown. */
function nearest(call: ToolCall, ids: ReadonlySet<string>, parents: ReadonlyMap<string, string | null>): string | null {
  const passed = new Set<string>()
  for (let above = call.parent; above !== null && !passed.has(above); above = parents.get(above) ?? null) {
    if (ids.has(above)) return above
    passed.add(above)
  }
  return null
}

/**
 * The branches that fit, in their order, and the number of the others. Running and failed calls stay longest, then the
 * newest ones; a call is never shown without its ancestors.
 */
export function boundTree(branches: readonly Branch[], most: number): { shown: Branch[]; hidden: number } {
  if (branches.length <= most) return { shown: [...branches], hidden: 0 }
  const kept = new Set<Branch>()
  // One row gives the number of hidden calls.
  const room = Math.max(0, most - 1)
  for (const branch of byWeight(branches, each => each.tool)) {
    if (kept.size >= room) break
    keep(branch, kept, room)
  }
  return { shown: branches.filter(branch => kept.has(branch)), hidden: branches.length - kept.size }
}

/** The `most` most important calls, in their order. */
export function mostImportant(calls: readonly ToolCall[], most: number): readonly ToolCall[] {
  if (calls.length <= most) return calls
  const kept = new Set<ToolCall>()
  for (const call of byWeight(calls, each => each)) {
    if (kept.size >= most) break
    kept.add(call)
  }
  return calls.filter(call => kept.has(call))
}

/** Running calls first, then failed ones, then others; the newest of each first. */
function* byWeight<Item>(items: readonly Item[], callOf: (item: Item) => ToolCall): Generator<Item> {
  for (const weight of [2, 1, 0])
    for (const item of items.toReversed()) if (weightOf(callOf(item)) === weight) yield item
}

function weightOf({ state }: ToolCall): number {
  return isOpen(state) ? 2 : state === 'ok' ? 0 : 1
}

/** Keeps a branch with its ancestors, if there is room for all. */
function keep(branch: Branch, kept: Set<Branch>, room: number): void {
  const needed: Branch[] = []
  for (let each: Branch | null = branch; each && !kept.has(each); each = each.above) {
    needed.push(each)
    if (kept.size + needed.length > room) return
  }
  for (const each of needed) kept.add(each)
}
