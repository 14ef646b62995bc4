import { getSystemErrorMap } from 'node:util'
import { codeOf, messageOf } from '../platform/errors.ts'

/** A system error in the wording of agents: `open /a/b: permission denied`. `path` is named unless a folder could not be made. */
export function systemWords(error: unknown, path?: string): string {
  const code = codeOf(error)
  if (!(error instanceof Error) || code === '') return messageOf(error)
  const { errno, syscall, path: own } = error as NodeJS.ErrnoException
  const words = code === 'EISDIR' ? 'is a directory' : getSystemErrorMap().get(errno ?? 0)?.[1]
  if (words === undefined) return error.message
  const isFolder = syscall === 'mkdir'
  return `${isFolder ? 'mkdir' : path === undefined ? (syscall ?? 'open') : 'open'} ${(isFolder ? own : path) ?? own ?? ''}: ${words}`
}
