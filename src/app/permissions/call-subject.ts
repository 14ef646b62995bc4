import { basename } from 'node:path'
import type { EventOf } from '../../agent/event.ts'

/** A call in a few words: its tool, and its command or file. Unsanitised. */
export function callSubject({ tool, command, paths }: EventOf<'permission_requested'>): string {
  const subject = command ?? paths?.map(path => basename(path)).join(', ') ?? ''
  return subject === '' ? tool : `${tool} ${subject}`
}
