/** Who looks at the conversation from elsewhere, in the status line. The first frame knows nobody. */
import type { AppState } from '../../src/state/state.ts'
import type { Fact } from '../../src/style/facts-line.ts'
import type { Theme } from '../../src/style/theme.ts'
import { type Ellipsis, truncate } from '../../src/text/lines/shorten.ts'
import { oneLine, sanitize, type SafeText } from '../../src/text/sanitize.ts'

type Watched = Pick<AppState, 'watchers'>

/** Columns of a name. */
const LONGEST_NAME = 20

/** It stands whatever facts the user has chosen, and as one word where there is little room. */
export function watchersFact({ watchers }: Watched, theme: Theme): Fact | null {
  if (watchers.length === 0) return null
  const short: Fact = { text: theme.accent(sanitize('watched')), rank: 0 }
  return { text: theme.accent(whoWatches(watchers, theme.signs.ellipsis)), rank: 3, shorter: short }
}

export function watchersInWords({ watchers: before }: Watched, { watchers }: Watched): SafeText[] {
  if (watchers.join('\n') === before.join('\n')) return []
  return [watchers.length === 0 ? sanitize('nobody watches any more') : whoWatches(watchers)]
}

function whoWatches(names: readonly string[], ellipsis?: Ellipsis): SafeText {
  const [name = ''] = names
  if (names.length > 1) return sanitize(`${names.length} watch`)
  return sanitize(`${truncate(oneLine(sanitize(name)), LONGEST_NAME, ellipsis)} watches`)
}
