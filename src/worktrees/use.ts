/** Claims mark a worktree as used by a conversation, across processes. */
import { rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { makeFolder } from '../platform/folders.ts'
import { ownName } from '../platform/owner.ts'
import { isOpen } from '../storage/sessions/claim.ts'
import type { Worktree } from './record.ts'

type UsedPlace = Pick<Worktree, 'folder'>

const claimsOf = ({ folder }: UsedPlace): string => join(dirname(folder), 'in-use')

/** Returns a function that ends the use; several conversations may use one. Never throws, even without a claim. */
export function useWorktree(worktree: UsedPlace): () => void {
  const claim = join(claimsOf(worktree), `${basename(worktree.folder)}.${ownName()}`)
  try {
    makeFolder(claimsOf(worktree))
    writeFileSync(claim, '', { mode: 0o600, flag: 'wx' })
  } catch {
    // The disk is full, or the folder is not ours: the list then does not show it as used.
  }
  return () => rmSync(claim, { force: true })
}

/** Whether a running program uses it. */
export function isUsed(worktree: UsedPlace, now: number): boolean {
  return isOpen(claimsOf(worktree), basename(worktree.folder), () => now, now)
}
