/** The folder of one guard: zot's description of the extension, and the socket. */
import { lstatSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import process from 'node:process'
import { readableNamesIn } from '../../../platform/folders.ts'
import { keepsFolders } from '../../../platform/keeps-folders.ts'

export type GuardPlaces = {
  /** The absolute path of the guard's script. */
  script: string
  /** The absolute path of the Node that runs it. */
  node: string
  /** The candidates for the folder, in order: the first that is writable and short enough is used. */
  parents: readonly string[]
}

export type GuardFolder = {
  path: string
  /** The name of the socket; on Windows that of a named pipe, which is not a file. */
  socket: string
  /** Removes it. Never throws. */
  remove: () => void
}

const NAME = 'zotui-guard'
/** A socket's path may have 108 bytes on Linux and 104 on macOS, with a NUL at the end. */
const LONGEST_SOCKET = 100
const OF_PROCESS = /^zotui-guard-(?<pid>\d+)-\w+$/u

/** Makes the folder with access for this user only. @throws if no candidate works. */
export function makeGuardFolder({ script, node, parents }: GuardPlaces): GuardFolder {
  const path = makeFolderIn(parents)
  const socket = process.platform === 'win32' ? `\\\\.\\pipe\\${basename(path)}` : join(path, 'socket')
  // The environment is no place for it: every command of the agent inherits that.
  const extension = { name: NAME, version: '1', exec: node, args: [script, socket] }
  writeFileSync(join(path, 'extension.json'), JSON.stringify(extension), { mode: 0o600 })
  return {
    path,
    socket,
    remove() {
      try {
        rmSync(path, { recursive: true, force: true })
      } catch {
        // The next start removes the folder.
      }
    },
  }
}

function makeFolderIn(parents: readonly string[]): string {
  let problem: unknown = new Error(`no folder with a path short enough for a socket: ${parents.join(', ')}`)
  for (const parent of parents) {
    const prefix = join(parent, `${NAME}-${process.pid}-`)
    if (Buffer.byteLength(`${prefix}XXXXXX/socket`) > LONGEST_SOCKET) continue
    try {
      // The description in the folder says which program zot starts.
      if (!keepsFolders(parent)) throw new Error(`another user could replace a folder in ${parent}`)
      // With mode 0700.
      return mkdtempSync(prefix)
    } catch (error) {
      problem = error
    }
  }
  throw problem
}

/** Removes the folders of killed programs. Never fails. */
export async function removeStaleFolders(parents: readonly string[]): Promise<void> {
  const uid = process.getuid?.()
  for (const parent of new Set(parents)) {
    const stale = readableNamesIn(parent).filter(name => {
      const pid = OF_PROCESS.exec(name)?.groups?.['pid']
      return pid !== undefined && !isAlive(Number(pid)) && isOwnFolder(join(parent, name), uid)
    })
    await Promise.all(stale.map(name => rm(join(parent, name), { recursive: true, force: true }).catch(() => {})))
  }
}

function isOwnFolder(path: string, uid: number | undefined): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false })
  return stats?.isDirectory() === true && (uid === undefined || stats.uid === uid)
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // EPERM means that the process exists and belongs to another user.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
