/**
 * Loaded with `node --import`: writes the path of each shipped file that is loaded into the file `LOADED_MODULES`, on a terminal only
 * until the first frame, for which the terminal is set to raw mode.
 */
import fs from 'node:fs'
import { registerHooks } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

let isTaken = false

function note(path: string): void {
  isTaken ||= process.stdout.isTTY && process.stdin.isRaw
  if (!isTaken) fs.appendFileSync(process.env['LOADED_MODULES'] ?? '', `${path}\n`)
}

// The program's files are scripts, which it reads itself; the library is a module.
const { readFileSync } = fs
fs.readFileSync = ((path: unknown, ...options: []) => {
  if (typeof path === 'string' && path.includes('/dist/chunks/')) note(path)
  return readFileSync(path as string, ...options)
}) as typeof readFileSync

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) note(fileURLToPath(url))
    return next(url, context)
  },
})
