/** How `/diff` is asked for the change that a review was about. */

/**
 * The argument of `/diff`; '' for the changes of the session. It may name nothing: then the review was asked for in words. `base` is what
 * the agent says that it compared with, for a review that nothing was named for.
 */
export function diffArgumentOf(argument: string, base: string | null): string {
  const typed = argument.trim()
  if (/^\d{1,9}$/.test(typed)) return `#${typed}`
  const named = typed === '' ? (base ?? '').trim() : (/^(\S{1,200}?)\.{2,3}\S{0,200}$/.exec(typed)?.[1] ?? typed)
  return named === 'HEAD' ? '' : named
}
