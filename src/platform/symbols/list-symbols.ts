/** The symbols of a project: from its tags file, else from Universal Ctags. */
import { join } from 'node:path'
import { execa } from 'execa'
import type { ProjectFiles } from '../project-files.ts'
import { createPace } from '../pace.ts'
import { findProgram, helperEnvironment } from '../programs.ts'
import { parseTag, type CodeSymbol } from './tags-format.ts'

/** `problem` is a sentence that says why there are none; null if there are some. */
export type SymbolList = { symbols: readonly CodeSymbol[]; problem: string | null }

export type SymbolSource = {
  /** Absolute. */
  folder: string
  files: ProjectFiles
  /** Lists at most `most` files of the folder. */
  list: (folder: string, most: number) => Promise<readonly string[]>
  /** The environment in which ctags is looked for; null for a folder of another machine. */
  env: NodeJS.ProcessEnv | null
}

/** Bytes of tags. */
const LARGEST = 50_000_000
const MOST_SYMBOLS = 200_000
const MOST_FILES = 50_000
/** Milliseconds for ctags. */
const LONGEST = 20_000
/** Milliseconds of work in one step. */
const STRETCH = 4
const NAMES = ['tags', '.tags']
const NONE = 'No symbols: no tags file here'

/** Never rejects. */
export async function listSymbols(source: SymbolSource): Promise<SymbolList> {
  const { folder, files } = source
  for (const name of NAMES) {
    const read = await files.readFile(join(folder, name), LARGEST)
    if (read.ok) return found(await parseTags(read.bytes.toString('utf8')), `The file ${name} has no symbols.`)
  }
  return source.env === null ? { symbols: [], problem: `${NONE}.` } : askCtags(source, source.env)
}

async function askCtags({ folder, list }: SymbolSource, own: NodeJS.ProcessEnv): Promise<SymbolList> {
  const env = helperEnvironment(own, folder)
  const ctags = await findUniversal(env, folder)
  if (ctags === null) return { symbols: [], problem: `${NONE}, and Universal Ctags is not installed.` }
  const paths = await list(folder, MOST_FILES)
  // Options of the project itself are not read.
  const args = ['--options=NONE', '--fields=+neK', '--excmd=number', '--sort=no', '-f', '-', '-L', '-']
  const { stdout, failed, timedOut } = await execa(ctags, args, {
    cwd: folder,
    env,
    extendEnv: false,
    input: paths.filter(path => !path.endsWith('/')).join('\n'),
    timeout: LONGEST,
    maxBuffer: LARGEST,
    reject: false,
    stderr: 'ignore',
  })
  const symbols = await parseTags(stdout)
  if (symbols.length === 0 && failed) {
    const why = timedOut ? 'did not end in time' : 'failed'
    return { symbols, problem: `No symbols: ctags ${why}.` }
  }
  return found(symbols, 'ctags found no symbols here.')
}

function found(symbols: readonly CodeSymbol[], problem: string): SymbolList {
  return { symbols, problem: symbols.length === 0 ? problem : null }
}

/** Other programs of this name take other options. */
async function findUniversal(env: NodeJS.ProcessEnv, folder: string): Promise<string | null> {
  for (const name of ['ctags', 'universal-ctags']) {
    const path = findProgram(name, env, folder)
    if (path === null) continue
    const { stdout } = await execa(path, ['--version'], { env, extendEnv: false, timeout: 2000, reject: false })
    if (stdout?.includes('Universal Ctags')) return path
  }
  return null
}

async function parseTags(text: string): Promise<CodeSymbol[]> {
  const pace = createPace(STRETCH)
  const symbols: CodeSymbol[] = []
  for (let start = 0; start < text.length && symbols.length < MOST_SYMBOLS;) {
    const newline = text.indexOf('\n', start)
    const end = newline < 0 ? text.length : newline
    const symbol = parseTag(text.slice(start, end).replace(/\r$/, ''))
    if (symbol) symbols.push(symbol)
    start = end + 1
    if (pace.isDue()) await pace.rest()
  }
  return symbols
}
