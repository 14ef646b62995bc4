/** Starts the server for browsers as a process of this program, with a channel that only the two of them have. */
import { spawn } from 'node:child_process'
import process from 'node:process'
import { SERVE } from '../../../src/published/control.ts'
import type { StartServerProcess } from '../../../src/app/serve/local-server.ts'

/** Milliseconds in which it ends by itself before it is killed. */
const PATIENCE = 2000

export const startServerProcess: StartServerProcess = ({ message, ended }) => {
  const program = process.argv[1] ?? ''
  const child = spawn(process.execPath, [...process.execArgv, program, SERVE], {
    // A session of its own: Ctrl+Z in the terminal does not stop it. It ends when the channel closes.
    detached: true,
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let isOver = false
  const over = (why: string): void => {
    if (isOver) return
    isOver = true
    process.off('exit', kill)
    ended(why)
  }
  const kill = (): void => void child.kill('SIGKILL')
  process.on('exit', kill)
  child.on('message', message)
  child.once('error', error => over(`The server did not start: ${error.message}.`))
  child.once('exit', () => over('The server has ended by itself.'))
  return {
    send: line => void (child.connected && child.send(line, () => undefined)),
    async end() {
      if (isOver) return
      isOver = true
      const { promise, resolve } = Promise.withResolvers<void>()
      child.once('exit', () => {
        process.off('exit', kill)
        resolve()
      })
      if (child.connected) child.disconnect()
      setTimeout(kill, PATIENCE).unref()
      child.unref()
      await promise
    },
  }
}
