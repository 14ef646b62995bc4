/** Explains why the system did not start zot. Apart from the other reasons, which no start loads before zot has ended. Pure. */
import { lookup } from '../../../text/lookup.ts'
import type { Explanation } from '../../host/explain-end.ts'

const INSTALL = 'install it with `go install github.com/patriceckhart/zot/cmd/zot@latest` or `brew install zot`'

/** By the error's name, such as `ENOENT`. */
export const SPAWN_ERRORS: Readonly<Partial<Record<string, Explanation>>> = {
  ENOENT: { reason: 'zot was not found', hint: `${INSTALL}, or set ZOTUI_ZOT to its path` },
  EACCES: { reason: 'zot is not executable', hint: 'make the file executable with `chmod +x`' },
  E2BIG: { reason: "zot's arguments are too long for the system", hint: 'use a shorter system prompt' },
  ENOTDIR: { reason: 'the working folder does not exist', hint: 'check --cwd' },
}

/** Explains an error of the system, such as `ENOENT`. */
export function explainSpawnError(code: string): Explanation {
  return lookup(SPAWN_ERRORS, code) ?? { reason: `zot could not be started (${code})`, hint: '' }
}
