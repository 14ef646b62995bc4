import type { CallPermission } from '../conversation/part.ts'

/** The outcome of a permission question in a few words; '' if the call was simply allowed. Unsanitised. */
export function permissionWords(permission: CallPermission): string {
  if (permission.state === 'asked') return 'not answered'
  if (permission.state === 'allowed') return permission.command === undefined ? '' : 'changed by you'
  const { by, because } = permission
  if (by === 'user') return 'refused by you'
  if (by === 'end') return 'not answered'
  if (because.startsWith('the rule ')) return `refused by ${because}`
  if (/^your hook\b/.test(because)) return `blocked by ${because}`
  const who = by === 'program' ? 'refused by the permission program' : 'refused'
  return because === '' ? who : `${who}: ${because}`
}
