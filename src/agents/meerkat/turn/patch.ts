/** Patches as the model writes them for `apply_patch`. Pure. */
import type { CallDiff } from '../../../agent/turn-events.ts'

const FILE = /^\*\*\* (Add|Update|Delete) File: (.+)$/

/** The changes of a patch, file by file: the lines before and after, as far as the patch shows them. */
export function diffsOfPatch(patch: string): CallDiff[] {
  const diffs: CallDiff[] = []
  let file: { path: string; isNew: boolean; before: string[]; after: string[] } | null = null
  const close = (): void => {
    if (!file) return
    const { path, isNew, before, after } = file
    diffs.push({ path, before: isNew ? null : joined(before), after: joined(after) })
  }
  for (const line of patch.split('\n')) {
    const [, verb, path] = FILE.exec(line) ?? []
    if (verb !== undefined && path !== undefined) {
      close()
      file = { path, isNew: verb === 'Add', before: [], after: [] }
    } else if (!file || line.startsWith('*** ')) continue
    else if (line.startsWith('+')) file.after.push(line.slice(1))
    else if (line.startsWith('-')) file.before.push(line.slice(1))
    else if (line.startsWith(' ')) {
      file.before.push(line.slice(1))
      file.after.push(line.slice(1))
    }
  }
  close()
  return diffs
}

function joined(lines: readonly string[]): string {
  return lines.map(line => `${line}\n`).join('')
}
