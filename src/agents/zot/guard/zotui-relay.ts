/**
 * The relay: zotui's end of the guard where zot runs on another machine. zotui starts it there, over a connection of its own.
 *
 *     zotui  <- standard input and output of the connection, lines ->  relay  <- socket, JSON lines ->  guard
 *
 * It passes the lines of the guard on, and runs the commands that zotui sends once they are allowed. It decides nothing: when the
 * connection ends, so do the relay and its commands, and the guard refuses everything.
 *
 * It is a program of its own and imports nothing of zotui.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'

/** The time for zotui to receive the reason why zot is killed, in milliseconds. */
const REASON_GRACE = 300
/** The time for a stopped command to end, in milliseconds. */
const STOP_GRACE = 2000
/** The time that a background program may keep the output open after the end of its command, in milliseconds. */
const EXIT_GRACE = 2000

/** zotui's folder for this session, which is there already, the guard's script, and the PATH for commands. */
const [folder = '', script = '', path = ''] = process.argv.slice(2)
/** The commands by the numbers that zotui gave them. */
const commands = new Map<string, ChildProcess>()
let guard: Socket | undefined
/** The process id of zot, as the guard reports it. */
let zot: number | undefined

process.on('uncaughtException', error => {
  process.stderr.write(`zotui-relay: ${error.message}\n`)
  end()
})
process.stdout.on('error', () => end())
process.stdin.on('data', lineReader(fromZotui))
process.stdin.on('end', () => end())
// zotui or its watchdog, a closed terminal.
for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) process.on(signal, () => end())

const socketName = join(folder, 'socket')
// The environment is no place for it: every command of the agent inherits that.
const extension = { name: 'zotui-guard', version: '1', exec: process.execPath, args: [script, socketName] }
writeFileSync(join(folder, 'extension.json'), JSON.stringify(extension), { mode: 0o600 })
const server = createServer(socket => {
  // Only one guard may connect. Any further connection is closed.
  if (guard) return void socket.destroy()
  guard = socket
  send('open')
  socket.on('data', lineReader(fromGuard))
  socket.on('error', () => loseGuard())
  socket.on('close', () => loseGuard())
})
server.listen(socketName, () => chmodSync(socketName, 0o600))

function fromGuard(line: string): void {
  const found = /^\{"type":"ready","pid":\d+,"zot":(\d+)\}$/.exec(line)
  if (found) zot = Number(found[1])
  send(line)
}

function fromZotui(line: string): void {
  if (line.startsWith('{')) return void guard?.write(`${line}\n`)
  const [, word, number = '', rest = ''] = /^(\w+) (\d+) ?(.*)$/s.exec(line) ?? []
  if (word === 'run')
    run(number, JSON.parse(Buffer.from(rest, 'base64').toString()) as { command: string; cwd: string })
  if (word === 'stop') stop(number)
}

/** Runs a command in a session of its own, with both outputs in one pipe and without input. */
function run(number: string, { command, cwd }: { command: string; cwd: string }): void {
  const shell = existsSync('/bin/bash') ? '/bin/bash' : '/bin/sh'
  const child = spawn('/bin/sh', ['-c', 'exec "$0" -c "$1" 2>&1', shell, command], {
    cwd,
    env: { ...process.env, PATH: path },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  commands.set(number, child)
  child.stdout.on('data', (piece: Buffer) => {
    if (send(`out ${number} ${piece.toString('base64')}`)) return
    child.stdout.pause()
    process.stdout.once('drain', () => child.stdout.resume())
  })
  child.on('error', error => finish(`failed ${number} ${Buffer.from(error.message).toString('base64')}`))
  child.on('exit', () => setTimeout(() => child.stdout.destroy(), EXIT_GRACE).unref())
  child.on('close', (code, signal) => finish(`end ${number} ${code ?? signal ?? ''}`))

  function finish(line: string): void {
    if (commands.get(number) !== child) return
    commands.delete(number)
    send(line)
  }
}

function stop(number: string): void {
  const child = commands.get(number)
  signalGroup(child, 'SIGTERM')
  setTimeout(() => {
    if (commands.has(number)) signalGroup(child, 'SIGKILL')
  }, STOP_GRACE).unref()
}

function signalGroup(child: ChildProcess | undefined, signal: NodeJS.Signals): void {
  try {
    if (child?.pid !== undefined) process.kill(-child.pid, signal)
  } catch {
    // It has ended.
  }
}

/** A zot without its guard would run whatever comes: it is stopped at once, and killed when zotui knows why. */
function loseGuard(): void {
  if (zot === undefined) return end()
  signalZot('SIGSTOP')
  send('gone')
  setTimeout(() => {
    signalZot('SIGKILL')
    end()
  }, REASON_GRACE)
}

function signalZot(signal: NodeJS.Signals): void {
  try {
    if (zot !== undefined) process.kill(zot, signal)
  } catch {
    // It has ended, and its guard with it.
  }
}

function end(): void {
  for (const child of commands.values()) signalGroup(child, 'SIGTERM')
  rmSync(folder, { recursive: true, force: true })
  if (commands.size === 0) process.exit(0)
  setTimeout(() => {
    for (const child of commands.values()) signalGroup(child, 'SIGKILL')
    process.exit(0)
  }, REASON_GRACE)
}

/** Whether there is room for more. */
function send(line: string): boolean {
  return process.stdout.write(`${line}\n`)
}

/** Splits bytes into lines. A line may be many megabytes long, and a piece may end inside a character. */
function lineReader(onLine: (line: string) => void): (piece: Buffer) => void {
  let begun: Buffer[] = []
  return piece => {
    let start = 0
    for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, start)) {
      const line = Buffer.concat([...begun, piece.subarray(start, at)]).toString('utf8')
      begun = []
      start = at + 1
      if (line !== '') onLine(line)
    }
    if (start < piece.length) begun.push(piece.subarray(start))
  }
}
