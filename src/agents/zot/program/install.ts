/** The methods to install zot on this machine. */
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { delimiter, join } from 'node:path'

/** `program` runs `command` and must be in the `PATH`. */
const WAYS = [
  { program: 'go', label: 'install with Go', command: 'go install github.com/patriceckhart/zot/cmd/zot@latest' },
  { program: 'brew', label: 'install with Homebrew', command: 'brew install zot' },
] as const

export type InstallWay = { label: string; command: string }

/** The commands whose program is installed. */
export async function installWays({ PATH = '' }: NodeJS.ProcessEnv): Promise<InstallWay[]> {
  const folders = PATH.split(delimiter).filter(folder => folder !== '')
  const found = await Promise.all(WAYS.map(({ program }) => isIn(folders, program)))
  return WAYS.filter((_, index) => found[index]).map(({ label, command }) => ({ label, command }))
}

async function isIn(folders: readonly string[], program: string): Promise<boolean> {
  const looks = folders.map(folder => access(join(folder, program), constants.X_OK))
  return (await Promise.allSettled(looks)).some(({ status }) => status === 'fulfilled')
}
