import { oneLine, sanitize, type SafeText } from './sanitize.ts'

/** The parts that are not empty, separated by commas: a row in words for people who hear it. */
export function spoken(parts: readonly SafeText[]): SafeText {
  const said = parts.map(part => part.trim()).filter(part => part !== '')
  return oneLine(sanitize(said.join(', ')))
}
