/** Loaded with `node --import`: the program begins when there is the file `START_GATE`. Until then the terminal is as the shell left it. */
import { existsSync } from 'node:fs'
import process from 'node:process'

const sleeper = new Int32Array(new SharedArrayBuffer(4))

while (!existsSync(process.env['START_GATE'] ?? '')) Atomics.wait(sleeper, 0, 0, 5)
