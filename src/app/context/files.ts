/** Completes files after an `@` and as arguments of commands: follows the draft, and puts matches into the state. */
import type { SymbolList } from '../../platform/symbols/list-symbols.ts'
import type { Finder, FinderOptions } from '../../platform/files/finder.ts'
import { fileQueryAt } from '../../state/completion/arguments.ts'
import type { SlashCommand } from '../../state/slash.ts'
import type { AppState, FoundFiles } from '../../state/state.ts'
import { createSymbolSearch } from './symbols.ts'
import { withoutEnd } from '../../text/without-end.ts'

/** The maximum of files that are listed. */
const LIMIT = 50
/** Earlier prompts that are searched for file names. */
const PROMPTS = 100

export type OpenFinder = (options: Pick<FinderOptions, 'recent' | 'limit' | 'onChange'>) => Finder

export type ListSymbols = () => Promise<SymbolList>

export type Files = {
  /** The state with the matching files. */
  follow: (state: AppState) => AppState
  /** Notes that a file was chosen: it is listed first the next time. */
  used: (path: string) => void
  close: () => void
}

export type FilesParts = {
  openFinder: OpenFinder
  /** Without it, `@#` finds nothing. */
  listSymbols: ListSymbols | undefined
  commands: () => readonly SlashCommand[]
  now: () => number
  get: () => AppState
  /** Called when more files match the same query. */
  onChange: (files: FoundFiles) => void
}

export function createFiles({ openFinder, listSymbols, commands, now, get, onChange }: FilesParts): Files {
  let taken: readonly string[] = []
  let followed: { text: string; caret: number; closedFor: string | null } | null = null
  const finder = openFinder({
    limit: LIMIT,
    recent: () => [...new Set([...taken, ...pathsIn(get().history.entries)])],
    onChange: changed,
  })
  const symbols = listSymbols && createSymbolSearch({ list: listSymbols, now, onChange: changed })

  function changed(): void {
    const { files } = get()
    if (files) onChange(find(files.query))
  }

  function find(query: string): FoundFiles {
    if (symbols && query.startsWith('#')) return { query, found: [], ...symbols.find(query.slice(1)) }
    // A directory that is typed in full needs no completion.
    const found = finder.search(query)
    return { query, found: found.filter(({ path }) => path !== query || !path.endsWith('/')) }
  }

  return {
    follow(state) {
      const { text, caret } = state.editor
      const { closedFor } = state.popup
      if (followed?.text === text && followed.caret === caret && followed.closedFor === closedFor) return state
      followed = { text, caret, closedFor }
      const query = closedFor === text ? null : fileQueryAt(state, commands())
      if (query === null) return state.files === null ? state : { ...state, files: null }
      if (state.files === null) finder.open()
      return { ...state, files: find(query) }
    },
    used(path) {
      taken = [path, ...taken.filter(other => other !== path)]
    },
    close: () => finder.close(),
  }
}

/** Words that look like paths in the latest prompts, newest first. */
function pathsIn(prompts: readonly string[]): string[] {
  return prompts
    .slice(-PROMPTS)
    .toReversed()
    .flatMap(prompt => prompt.slice(0, 2000).split(/[\s"'`(),:;]+/))
    .map(word => withoutEnd(word, /[.?!]/))
    .filter(word => /[./]./s.test(word))
    .map(path => path.replace(/^@/, ''))
}
