import { spawn } from '@lydell/node-pty'

/** In milliseconds. Generous, since only a failure waits that long. */
const PATIENCE = 30_000

/** Opens the demo in a terminal, answers its first question and leaves with Ctrl+D. Resolves to whether it worked. */
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
    const answers = [
      // A question takes keys from the moment it marks a row.
      { to: '›', key: '\r' },
      { to: 'This is a scripted demo', key: '\u0004' },
    ]
    pty.onData(data => {
      seen += data
      const [next] = answers
      if (!next || !seen.includes(next.to)) return
      answers.shift()
      pty.write(next.key)
    })
    pty.onExit(({ exitCode }) => {
      clearTimeout(deadline)
      resolve(answers.length === 0 && exitCode === 0)
    })
  })
}
