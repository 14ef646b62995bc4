/**
 * The relay: zotui's end of the guard where zot runs on another machine. zotui starts it there, over a connection of its own.
 *
 *     zotui  <- standard input and output of the connection, lines ->  relay  <- socket, JSON lines ->  guard
 *
 * It passes the lines of the guard on, and holds the pipes at which commands wait. It decides nothing: when the connection ends, so does
 * the relay, and then a command that waits reads the end of its pipe and does not run, and the guard refuses everything.
 *
 * It is a program of its own and imports nothing of zotui.
 */
import { spawn } from 'node:child_process'
import { chmodSync, closeSync, constants, openSync, readSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import process from 'node:process'

/** Pipes that are made at once. */
const POOL = 4
/** The time for zotui to receive the reason why zot is killed, in milliseconds. */
const TELLING = 300

/** zotui's folder for this session, which is there already, the guard's script, and the path of mkfifo; '' where there is none. */
const [folder = '', script = '', mkfifo = ''] = process.argv.slice(2)
/** The pipes by their names in the folder. */
const pipes = new Map<string, number>()
let guard: Socket | undefined
/** The process id of zot, as the guard tells it. */
let zot: number | undefined
let made = 0

process.on('uncaughtException', error => {
  process.stderr.write(`zotui-relay: ${error.message}\n`)
  end()
})
process.stdout.on('error', () => end())
process.stdin.on('data', lineReader(fromZotui))
process.stdin.on('end', () => end())

const socketName = join(folder, 'socket')
// The environment is no place for it: every command of the agent inherits that.
const extension = { name: 'zotui-guard', version: '1', exec: process.execPath, args: [script, folder, socketName] }
writeFileSync(join(folder, 'extension.json'), JSON.stringify(extension), { mode: 0o600 })
const server = createServer(socket => {
  // Only one guard may connect. Any further connection is closed.
  if (guard) return void socket.destroy()
  guard = socket
  tell('open')
  socket.on('data', lineReader(fromGuard))
  socket.on('error', () => loseGuard())
  socket.on('close', () => loseGuard())
})
server.listen(socketName, () => chmodSync(socketName, 0o600))
makePipes()

function fromGuard(line: string): void {
  const found = /^\{"type":"ready","pid":\d+,"zot":(\d+)\}$/.exec(line)
  if (found) zot = Number(found[1])
  tell(line)
}

function fromZotui(line: string): void {
  if (line.startsWith('{')) return void guard?.write(`${line}\n`)
  const [, word, name = '', rest = ''] = /^(\w+) ?(\S*) ?(.*)$/s.exec(line) ?? []
  const pipe = pipes.get(name)
  if (word === 'more') makePipes()
  if (pipe === undefined) return
  if (word === 'answer') writeSync(pipe, `${rest}\n`)
  if (word === 'script') writeFileSync(join(folder, `${name}.sh`), Buffer.from(rest, 'base64'), { mode: 0o600 })
  if (word === 'free' && isEmptied(pipe)) tell(`gate ${name}`)
}

/** Makes pipes and holds both ends: nothing then waits for the other end, and each pipe ends when we do. */
function makePipes(): void {
  if (mkfifo === '') return tell('no-gates')
  const names = Array.from({ length: POOL }, () => `gate-${(made += 1)}`)
  const making = spawn(mkfifo, ['-m', '600', ...names.map(name => join(folder, name))], { stdio: 'ignore' })
  making.on('error', () => tell('no-gates'))
  making.on('close', code => {
    if (code !== 0) return tell('no-gates')
    for (const name of names) {
      pipes.set(name, openSync(join(folder, name), constants.O_RDWR | constants.O_NONBLOCK))
      tell(`gate ${name}`)
    }
  })
}

/** Reads what an earlier command left unread. False if the pipe cannot be used. */
function isEmptied(pipe: number): boolean {
  try {
    const rest = Buffer.alloc(4096)
    while (readSync(pipe, rest) > 0);
    return false
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EAGAIN'
  }
}

/** A zot without its guard would run whatever comes: it is stopped at once, and killed when zotui knows why. */
function loseGuard(): void {
  if (zot === undefined) return end()
  signalZot('SIGSTOP')
  tell('gone')
  setTimeout(() => {
    signalZot('SIGKILL')
    end()
  }, TELLING)
}

function signalZot(signal: NodeJS.Signals): void {
  try {
    if (zot !== undefined) process.kill(zot, signal)
  } catch {
    // It has ended, and its guard with it.
  }
}

function end(): void {
  for (const pipe of pipes.values()) closeSync(pipe)
  pipes.clear()
  rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`)
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
