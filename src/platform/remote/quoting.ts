/** Words and scripts for a shell on another machine. Pure. */

/** Quotes a text as one word of any POSIX shell, whatever is in it. A shell cannot hold a NUL character: see `holdsNul`. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}

/** Whether a text cannot be passed to a shell. */
export function holdsNul(text: string): boolean {
  return text.includes('\0')
}

/**
 * Runs the script that comes as the first line of its input. All that a connection is to run comes that way, so that nothing of it
 * needs quoting for the shells in between, and nothing of it is in the list of processes. Only single quotes may not be in it.
 */
export const BOOT = 'IFS= read -r z; eval "$(printf %b "$z")"'

/** A script as one line, for `BOOT` and for `printf %b`. */
export function asLine(script: string): string {
  return script.replaceAll('\\', String.raw`\0134`).replaceAll('\n', String.raw`\0012`)
}
