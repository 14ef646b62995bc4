/**
 * The folder of all that the tests of a run leave. It is in memory where the system has such a folder: a disk takes longer for each new
 * file while thousands have just been removed. It goes at the end.
 */
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

const IN_MEMORY = '/dev/shm'
/** Bytes: containers often have 64 MB there. */
const ENOUGH = 4 * 1024 ** 3

export function setup(): () => void {
  const folder = inMemory() ?? mkdtempSync(join(tmpdir(), 'zotui-'))
  process.env['TMPDIR'] = folder
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 })
}

/** Null if there is no such folder, or if it is small, or runs no programs. */
function inMemory(): string | null {
  let folder: string | null = null
  try {
    const { bavail, bsize } = statfsSync(IN_MEMORY)
    if (bavail * bsize < ENOUGH) return null
    folder = mkdtempSync(join(IN_MEMORY, 'zotui-'))
    const program = join(folder, 'program')
    writeFileSync(program, '#!/bin/sh\n')
    chmodSync(program, 0o755)
    execFileSync(program)
    rmSync(program)
    return folder
  } catch {
    if (folder !== null) rmSync(folder, { recursive: true, force: true })
    return null
  }
}
