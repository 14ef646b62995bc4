/** The methods to install zot on this machine. */
import { findProgram } from '../../../platform/programs.ts'

/** `program` runs `command`. */
const WAYS = [
  { program: 'go', label: 'install with Go', command: 'go install github.com/patriceckhart/zot/cmd/zot@latest' },
  { program: 'brew', label: 'install with Homebrew', command: 'brew install zot' },
] as const

export type InstallWay = { label: string; command: string }

/** The commands whose program is installed. */
export function installWays(env: NodeJS.ProcessEnv, folder: string): InstallWay[] {
  const found = WAYS.filter(({ program }) => findProgram(program, env, folder) !== null)
  return found.map(({ label, command }) => ({ label, command }))
}
