import { spawn } from '@lydell/node-pty'

/** Generous: it is waited for only where something is wrong. */
const PATIENCE = 30_000

/** Opens the demo in a terminal of its own, leaves it with Ctrl+D, and tells whether both went well. */
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
    let asked = false
    pty.onData(data => {
      seen += data
      if (asked || !seen.includes('demo-large')) return
      asked = true
      pty.write('\u0004')
    })
    pty.onExit(({ exitCode }) => {
      clearTimeout(deadline)
      resolve(asked && exitCode === 0)
    })
  })
}
