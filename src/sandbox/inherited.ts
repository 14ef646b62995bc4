/**
 * File descriptors that zotui was started with (`zotui 20<folder`), and that its programs would get. A folder among them leads out of every box.
 * Node marks those that it opens itself.
 */
import { readableNamesIn } from '../platform/folders.ts'
import { readTextSync } from '../platform/regular-file.ts'

/** O_CLOEXEC: the system closes it in other programs. */
const CLOSES = 0o2000000

let known: readonly number[] | undefined

/** Those from 3 on, looked up once: later ones are all Node's. */
export function inheritedDescriptors(): readonly number[] {
  known ??= readableNamesIn('/proc/self/fdinfo')
    .map(Number)
    .filter(number => number > 2 && !closes(number))
  return known
}

function closes(number: number): boolean {
  try {
    const [, flags = '0'] = /^flags:\s*([0-7]+)$/m.exec(readTextSync(`/proc/self/fdinfo/${number}`)) ?? []
    return (Number.parseInt(flags, 8) & CLOSES) !== 0
  } catch {
    // It was the one that listed the others, and is gone.
    return true
  }
}
