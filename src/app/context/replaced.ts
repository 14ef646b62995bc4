/** What is said when a part of the program is gone because an update has replaced its files. */
import type { Notices } from './notices.ts'

export const replacedNotice: Parameters<Notices['addProgramNotice']> = [
  'warn',
  'zotui was updated while it ran, and this part of it is gone.',
  'Restart zotui for it: /exit says how to continue this conversation.',
]
