/** The name of a device in events and on the screen: its owner chose it, so it is one short line. */
import { truncate } from '../text/lines/shorten.ts'
import { oneLine, sanitize } from '../text/sanitize.ts'

/** Columns of a name. */
const LONGEST = 40

export function deviceName({ name }: { name: string }): string {
  return truncate(oneLine(sanitize(name)), LONGEST).trim() || 'a device'
}
