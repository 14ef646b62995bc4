/** The files of the machine that the agent works on: this one, or another. All paths are absolute. */
import { realpathSync } from 'node:fs'
import { lstat, readlink, stat } from 'node:fs/promises'
import { isMissing } from './errors.ts'
import { exchangeContent, type ContentExchange, type ExchangedContent } from './exchange-content.ts'
import { openWithoutLinks } from './held-folder.ts'
import { readRegularFile, readRegularFileStart, type FileRead } from './regular-file.ts'
import { replaceContent } from './replace-content.ts'

export const fileKinds = ['file', 'folder', 'other'] as const

export type FileFacts = {
  kind: (typeof fileKinds)[number]
  /** In bytes. */
  size: number
  /** Changes when the file is written. */
  mark: string
}

type ReadsFiles = {
  /** The bytes of a regular file of at most `limit` bytes. Never throws. */
  readFile: (path: string, limit: number) => Promise<FileRead>
  /** The first `most` bytes of a regular file of any size. Never throws. */
  readStart: (path: string, most: number) => Promise<FileRead>
}

export type ProjectFiles = ReadsFiles & {
  /** The target of a link; null for anything else, and for what does not exist. @throws what the system throws. */
  linkTarget: (path: string) => Promise<string | null>
  /** The path without links. @throws for what does not exist. */
  realPath: (path: string) => Promise<string>
  /** Follows links; null for what does not exist. @throws what the system throws. */
  stats: (path: string) => Promise<FileFacts | null>
  /** Reads paths without links: one that was put there meanwhile is not followed, as far as the machine can tell. */
  resolved: ReadsFiles
  /** Writes a file in one step, with its missing folders. The path has no links. @throws what the system throws. */
  replaceFile: (path: string, bytes: Uint8Array) => Promise<void>
  /**
   * Changes, makes or removes a file in one step, only if it is as expected; a link never is. The path has no links.
   *
   * @throws what the system throws.
   */
  exchangeFile: (path: string, exchange: ContentExchange) => Promise<ExchangedContent>
}

/** The files of this machine. */
export const here: ProjectFiles = {
  async linkTarget(path) {
    try {
      return (await lstat(path)).isSymbolicLink() ? await readlink(path) : null
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  },
  /** Not in a thread: the judge looks at the same names in the same way, and a model waits. */
  realPath: async path => realpathSync.native(path),
  async stats(path) {
    try {
      const stats = await stat(path, { bigint: true })
      const kind = stats.isDirectory() ? 'folder' : stats.isFile() ? 'file' : 'other'
      return { kind, size: Number(stats.size), mark: [stats.size, stats.mtimeNs, stats.ino].join(' ') }
    } catch (error) {
      if (isMissing(error)) return null
      throw error
    }
  },
  readFile: (path, limit) => readRegularFile(path, limit),
  readStart: (path, most) => readRegularFileStart(path, most),
  resolved: {
    readFile: (path, limit) => readRegularFile(path, limit, openWithoutLinks),
    readStart: (path, most) => readRegularFileStart(path, most, openWithoutLinks),
  },
  replaceFile: (path, bytes) => replaceContent(path, bytes),
  exchangeFile: exchangeContent,
}
