/** Loaded with `node --import`: writes the path of each file that is loaded as a module into the file `LOADED_MODULES`. */
import { appendFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

registerHooks({
  load(url, context, next) {
    if (url.startsWith('file:')) appendFileSync(process.env['LOADED_MODULES'] ?? '', `${fileURLToPath(url)}\n`)
    return next(url, context)
  },
})
