/** A call in a few words. */
import { basename } from 'node:path'
import { folderLabel } from '../../platform/project.ts'
import { pathWithin } from '../../platform/within.ts'

/** What a call is named by. */
type NamedCall = {
  tool: string
  title?: string | undefined
  command?: string | undefined
  paths?: readonly string[] | undefined
}

/** Its title, or its tool and its command or file. Unsanitised. */
export function callSubject({ tool, title, command, paths }: NamedCall): string {
  if (title !== undefined) return title
  const subject = command ?? paths?.map(path => basename(path)).join(', ') ?? ''
  return subject === '' ? tool : `${tool} ${subject}`
}

/** A path as it is shown: relative to the folder if it is in it, otherwise whole, with `~` for the home folder. */
export function shownPath(path: string, folder: string, home: string): string {
  return pathWithin(folder, path) || folderLabel(path, home)
}
