/**
 * Loaded with `node --import`: writes the path of each file that is loaded as a module into the file `LOADED_MODULES`, on a terminal only
 * until the first frame, for which the terminal is set to raw mode.
 */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

let isTaken = false

registerHooks({
  load(url, context, next) {
    isTaken ||= process.stdout.isTTY && process.stdin.isRaw
    if (url.startsWith('file:') && !isTaken)
      appendFileSync(process.env['LOADED_MODULES'] ?? '', `${fileURLToPath(url)}\n`)
    return next(url, context)
  },
})
