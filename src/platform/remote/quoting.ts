/** Scripts for a shell on another machine. Pure. */

/**
 * Runs the script that comes as the first line of its input. All that a connection is to run comes that way, so that nothing of it
 * needs quoting for the shells in between, and nothing of it is in the list of processes. Only single quotes may not be in it.
 */
export const BOOT = 'IFS= read -r z; eval "$(printf %b "$z")"'

/** A script as one line, for `BOOT` and for `printf %b`. */
export function asLine(script: string): string {
  return script.replaceAll('\\', String.raw`\0134`).replaceAll('\n', String.raw`\0012`)
}
