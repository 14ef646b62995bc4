import { spawn } from '@lydell/node-pty'

/** In milliseconds. Generous, since only a failure waits that long. */
const PATIENCE = 30_000

/** Words of the first screen of the demo. */
const FIRST_SCREEN = 'Welcome to zotui in'

/** Opens the demo in a terminal, and leaves with Ctrl+D when its first screen is there. Resolves to whether it worked. */
export function tryInTerminal(
  node: string,
  args: readonly string[],
  env: Record<string, string>,
  cwd: string,
): Promise<boolean> {
  return new Promise(resolve => {
    const pty = spawn(node, [...args], { name: 'xterm-256color', cols: 80, rows: 24, cwd, env })
    let seen = ''
    const deadline = setTimeout(() => {
      pty.kill('SIGKILL')
      resolve(false)
    }, PATIENCE)
    let isSeen = false
    pty.onData(data => {
      seen += data
      if (isSeen || !seen.includes(FIRST_SCREEN)) return
      isSeen = true
      pty.write('\u0004')
    })
    pty.onExit(({ exitCode }) => {
      clearTimeout(deadline)
      resolve(isSeen && exitCode === 0)
    })
  })
}
