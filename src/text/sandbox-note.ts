/** The line for the model that says what a failed command could do in the sandbox. The user sees a sign instead. */

const MARK = '[sandbox] '
const LIMITS = `${MARK}This command ran in a sandbox, where it can write only in `

/** `places` are paths; `network` is a sentence. */
export function limitsNote(places: readonly string[], network: string): string {
  return `${LIMITS}${places.join(', ')}. ${network}`
}

/** An output without that line, if it is among the notes at its end. */
export function withoutLimitsNote(output: string): string {
  const lines = output.split('\n')
  const first = lines.findLastIndex(line => !line.startsWith(MARK)) + 1
  const at = lines.findIndex((line, index) => index >= first && line.startsWith(LIMITS))
  if (at < 0) return output
  const rest = lines.toSpliced(at, 1)
  // The notes stand apart from the output.
  return (rest.length === first && rest.at(-1) === '' ? rest.slice(0, -1) : rest).join('\n')
}
