/**
 * A network for the commands of one conversation, apart from that of the machine: nothing is in it but its own loopback, and what we listen
 * to there. The machine's own servers and abstract sockets are not reached from it.
 *
 * Bubblewrap makes it, and starts Node in it, which opens the listener there and hands it to us. Then we hold the namespaces by open files
 * of ours, and no process is left: nothing can die behind our back, they are gone with us however we end, and the number of an ended process
 * cannot lead a command into another network.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { Server } from 'node:net'
import process from 'node:process'
import { text } from 'node:stream/consumers'

export type NetworkNamespace = {
  /** Listens on loopback within it. */
  listener: Server
  /** The program and its arguments that stand before another program, which then runs in this network. */
  enter: readonly string[]
  /** What runs in it keeps it. */
  close(): void
}

/** Milliseconds for the start, which takes about 60. */
const PATIENCE = 10_000

/**
 * It ends when we are served, or gone. No event says so where we are gone before it has begun, or while the listener is on its way; and
 * bubblewrap does not see it if we end before it looks.
 */
const LISTENING = `
process.on('disconnect', () => process.exit())
setInterval(() => process.connected || process.exit(), 20)
const server = require('node:net').createServer()
server.listen(0, '127.0.0.1', () => process.send(process.pid, server))`

/** Only root can make a network without a namespace of users, and needs none. */
const isRoot = process.getuid?.() === 0

/**
 * `bwrap` and `nsenter` are absolute paths.
 *
 * @throws an error in one line.
 */
export async function createNetworkNamespace({
  bwrap,
  nsenter,
}: {
  bwrap: string
  nsenter: string
}): Promise<NetworkNamespace> {
  const child = spawn(
    bwrap,
    [
      ...(isRoot ? [] : ['--unshare-user']),
      ...'--unshare-net --die-with-parent --dev-bind / / --'.split(' '),
      process.execPath,
      '-e',
      LISTENING,
    ],
    // In a session of its own, so that no signal of the terminal reaches it.
    { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'pipe', 'ipc'], detached: true },
  )
  const timer = setTimeout(() => child.kill('SIGKILL'), PATIENCE)
  const ended = new Promise<number | null>(resolve => child.once('exit', resolve))
  const held: number[] = []
  try {
    const { pid, listener } = await served(child)
    const hold = (name: string): string => {
      const file = openSync(`/proc/${pid}/ns/${name}`, 'r')
      held.push(file)
      return `/proc/${process.pid}/fd/${file}`
    }
    const user = isRoot ? [] : ['--preserve-credentials', `--user=${hold('user')}`]
    const net = `--net=${hold('net')}`
    child.disconnect()
    // Until then it listens, too, and would take connections with it.
    if ((await ended) !== 0) throw new Error('the network of the box could not be made: another program listens in it')
    return {
      listener,
      enter: [nsenter, ...user, net, '--'],
      close() {
        for (const file of held.splice(0)) closeSync(file)
      },
    }
  } catch (error) {
    for (const file of held) closeSync(file)
    child.kill('SIGKILL')
    throw error
  } finally {
    clearTimeout(timer)
    if (child.connected) child.disconnect()
  }
}

/** The process in the network, and what it hands over. */
function served(child: ChildProcess): Promise<{ pid: number; listener: Server }> {
  const { promise, resolve, reject } = Promise.withResolvers<{ pid: number; listener: Server }>()
  const complaints = child.stderr ? text(child.stderr).catch(() => '') : Promise.resolve('')
  const fail = async (words: string): Promise<void> => {
    const [line = ''] = (await complaints).trim().split('\n')
    reject(new Error(`the network of the box could not be made: ${line === '' ? words : line}`))
  }
  child.once('message', (pid, listener) => {
    if (typeof pid === 'number' && listener instanceof Server) resolve({ pid, listener })
    else void fail('nothing listens in it')
  })
  child.on('error', ({ message }) => void fail(message))
  child.once('exit', (code, signal) => void fail(`bubblewrap ended with ${signal ?? code}`))
  return promise
}
