/** Calls that a tool made, and those that they made, as a tree: each below the one that made it. */
import type { ToolCall } from '../chat/state.ts'
import { isOpen } from '../chat/turn.ts'

export type Branch = {
  tool: ToolCall
  /** 1 for a call of the root. */
  depth: number
}

/** The calls in the order of the tree; those of one parent in the order in which they began. */
export function treeOf(root: ToolCall, calls: readonly ToolCall[]): Branch[] {
  const children = new Map<string, ToolCall[]>()
  const ids = new Set([root.id, ...calls.map(call => call.id)])
  for (const call of calls) {
    const parent = nearest(call.id, ids) ?? root.id
    children.set(parent, [...(children.get(parent) ?? []), call])
  }
  const branches: Branch[] = []
  const walk = (id: string, depth: number): void => {
    for (const tool of children.get(id) ?? []) {
      branches.push({ tool, depth })
      walk(tool.id, depth + 1)
    }
  }
  walk(root.id, 1)
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
  const kept = new Set<number>()
  // One row says how many are missing.
  const room = Math.max(0, most - 1)
  const byWeight = [...branches.keys()].toSorted((a, b) => weight(branches[b]) - weight(branches[a]) || b - a)
  for (const index of byWeight) {
    const needed = [index, ...ancestors(branches, index)].filter(each => !kept.has(each))
    if (kept.size + needed.length <= room) for (const each of needed) kept.add(each)
  }
  return { shown: branches.filter((_, index) => kept.has(index)), hidden: branches.length - kept.size }
}

function weight(branch: Branch | undefined): number {
  if (!branch) return 0
  return isOpen(branch.tool.state) ? 2 : branch.tool.state === 'ok' ? 0 : 1
}

function ancestors(branches: readonly Branch[], index: number): number[] {
  const found: number[] = []
  let depth = branches[index]?.depth ?? 1
  for (let at = index - 1; at >= 0 && depth > 1; at -= 1) {
    const branch = branches[at]
    if (!branch || branch.depth >= depth) continue
    found.push(at)
    depth = branch.depth
  }
  return found
}
