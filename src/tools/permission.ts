import type { CallPermission } from '../conversation/part.ts'

/** The outcome of a permission question in a few words; '' if the call was simply allowed here. Unsanitised. */
export function permissionWords(permission: CallPermission): string {
  if (permission.state === 'asked') return 'not answered'
  const { by, from } = permission
  if (permission.state === 'allowed')
    return permission.command !== undefined ? 'changed by you' : from === undefined ? '' : `allowed from ${from}`
  const { because } = permission
  if (by === 'user') return from === undefined ? 'refused by you' : `refused from ${from}`
  if (by === 'end') return 'not answered'
  if (because.startsWith('the rule ')) return `refused by ${because}`
  if (/^your hook\b/.test(because)) return `blocked by ${because}`
  const who = by === 'program' ? 'refused by the permission program' : 'refused'
  return because === '' ? who : `${who}: ${because}`
}
