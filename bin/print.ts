/** `zotui -p`, and zotui without a terminal: one prompt from the command line and standard input, and its answer. */
import type { Readable } from 'node:stream'
import process from 'node:process'
import type { Backend } from '../src/agent/backend.ts'
import { UserError } from '../src/errors.ts'
import { startPrinting } from '../src/print/print.ts'
import { createTextWriter, type Aside } from '../src/print/text-writer.ts'
import { createJsonWriter, type Sink, type Writer } from '../src/print/writer.ts'
import { colorDepth, showsUnicode } from '../src/terminal/capabilities.ts'
import { renderItem } from '../src/view/item.ts'
import { createTheme } from '../src/view/theme.ts'
import { SIGNALS } from './signals.ts'

export type PrintFlags = {
  json: boolean
  quiet: boolean
  /** In US dollars. */
  maxCost: number | null
  /** In milliseconds. */
  timeout: number | null
}

export type PrintModeOptions = PrintFlags & {
  backend: Backend
  prompt: string
  folder: string
  color: boolean
  ascii: boolean
}

/** Runs the prompt; resolves to the exit code. @throws UserError where it failed. */
export async function printAnswer(options: PrintModeOptions): Promise<number> {
  const prompt = { text: options.prompt, images: [] }
  const { ended, stop } = startPrinting({ ...options, prompt, writer: writerOf(options) })
  let exitCode = 0
  const onSignal = (code: number) => () => {
    exitCode ||= code
    stop('interrupted')
  }
  for (const [signal, code] of Object.entries(SIGNALS)) process.on(signal, onSignal(code))
  // Nobody reads on, as with `| head`.
  process.stdout.once('error', () => stop('reader_gone'))
  process.stdout.on('error', () => undefined)
  // Where nobody hears what is remarked, the answer still counts.
  process.stderr.on('error', () => undefined)
  const end = await ended
  if (end.outcome === 'failed') throw new UserError(end.message, end.hint)
  if (end.outcome === 'interrupted') return exitCode
  if (end.remark !== null && !options.quiet) process.stderr.write(`zotui: ${end.remark}\n`)
  return 0
}

const write: Sink = text => void process.stdout.write(text)

function writerOf({ json, quiet, color, ascii }: PrintModeOptions): Writer {
  if (json) return createJsonWriter(write)
  const isTerminal = process.stdout.isTTY
  return createTextWriter({ write, isTerminal, aside: quiet || !process.stderr.isTTY ? null : teller(color, ascii) })
}

/** Draws on standard error what is no text of the agent, a tool in one line. */
function teller(color: boolean, ascii: boolean): (aside: Aside) => void {
  const { env, platform, stderr } = process
  const unicode = !ascii && showsUnicode(env, platform)
  const theme = createTheme(color ? colorDepth(env, platform) : 0, { definition: null, unicode, hyperlinks: false })
  return aside => {
    const width = stderr.columns || 80
    const lines = renderItem(aside, { theme, markdown: theme.markdown, width, detail: 'names' })
    stderr.write(lines.map(line => `${line}\n`).join(''))
  }
}

/** Characters that are read at most: zot takes no prompt of more than 15 MB. */
const MOST_INPUT = 16_000_000
/** How long, in milliseconds, an input may be silent until it is said that it is waited for. */
const PATIENCE = 3000

/** The prompt of the command line, and below it all of standard input where that is no terminal; null for neither. */
export async function readPrompt(prompt: string | null, input: Readable & { isTTY?: boolean }): Promise<string | null> {
  const piped = input.isTTY ? '' : await readAll(input)
  const parts = [prompt ?? '', piped.trimEnd()].filter(part => part.trim() !== '')
  return parts.length === 0 ? null : parts.join('\n\n')
}

async function readAll(input: Readable): Promise<string> {
  const waiting = setTimeout(() => {
    process.stderr.write('zotui: waiting for the end of standard input; `</dev/null` gives it none.\n')
  }, PATIENCE)
  let text = ''
  input.setEncoding('utf8')
  try {
    for await (const chunk of input) {
      clearTimeout(waiting)
      text += String(chunk)
      if (text.length > MOST_INPUT) {
        throw new UserError('Standard input is too long for a prompt.', 'zot takes 15 MB at most: name a file in it.')
      }
    }
  } finally {
    clearTimeout(waiting)
  }
  return text.replace(/^\uFEFF/, '')
}
