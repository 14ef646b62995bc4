/**
 * The second line where zot's shell is bash: a file that bash reads before each command (`BASH_ENV`). It ends a command of zot that did not
 * come through the guard, in the moment between the guard's death and zot's.
 */
import { randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { quoted } from '../../../platform/shell/quoting.ts'

export type ShellCheck = {
  /** For zot's environment. */
  readonly env: NodeJS.ProcessEnv
  /** Stands before every command that may run or wait, with its newline. A comment for any shell. */
  readonly mark: string
  /** Begins to check the commands of the zot with this process id. */
  begin(zot: number): void
}

/** Makes the file, which at first only does what the user's own `BASH_ENV` does. */
export function createShellCheck(folder: string, env: NodeJS.ProcessEnv): ShellCheck {
  const path = join(folder, 'shell')
  const mark = `#zotui-${randomBytes(4).toString('hex')}`
  const own = env['BASH_ENV']
  // Scripts that the command starts are no commands of zot.
  const after = own ? `export BASH_ENV=${quoted(own)}\n. "$BASH_ENV"\n` : 'unset BASH_ENV\n'
  const write = (check: string): void => writeFileSync(path, check + after, { mode: 0o600 })
  write('')
  return {
    env: { BASH_ENV: path },
    mark: `${mark}\n`,
    begin: zot =>
      write(
        `if [ "$PPID" = ${zot} ]; then case $BASH_EXECUTION_STRING in '${mark}'*) ;; ` +
          `*) echo 'Not run: the user was not asked about this command.'; exit 126;; esac; fi\n`,
      ),
  }
}
