/**
 * The languages that can be coloured. Each is a module that is loaded on demand.
 *
 * A language can be used once it is loaded together with all that it embeds. A fence asks once, at its first line, so
 * that a language that is loaded later does not change it.
 */
import type { HLJSApi, LanguageFn } from 'highlight.js'
import { SpanEmitter } from './spans.ts'
import { windowLanguage } from './window-language.ts'
import { lookup } from '../../text/lookup.ts'

type Module = { default: LanguageFn }

const modules: Readonly<Record<string, () => Promise<Module>>> = {
  bash: () => import('highlight.js/lib/languages/bash'),
  c: () => import('highlight.js/lib/languages/c'),
  clojure: () => import('highlight.js/lib/languages/clojure'),
  cmake: () => import('highlight.js/lib/languages/cmake'),
  'context-window': () => Promise.resolve({ default: windowLanguage }),
  cpp: () => import('highlight.js/lib/languages/cpp'),
  csharp: () => import('highlight.js/lib/languages/csharp'),
  css: () => import('highlight.js/lib/languages/css'),
  dart: () => import('highlight.js/lib/languages/dart'),
  diff: () => import('highlight.js/lib/languages/diff'),
  dockerfile: () => import('highlight.js/lib/languages/dockerfile'),
  elixir: () => import('highlight.js/lib/languages/elixir'),
  erlang: () => import('highlight.js/lib/languages/erlang'),
  fsharp: () => import('highlight.js/lib/languages/fsharp'),
  go: () => import('highlight.js/lib/languages/go'),
  graphql: () => import('highlight.js/lib/languages/graphql'),
  groovy: () => import('highlight.js/lib/languages/groovy'),
  haskell: () => import('highlight.js/lib/languages/haskell'),
  ini: () => import('highlight.js/lib/languages/ini'),
  java: () => import('highlight.js/lib/languages/java'),
  javascript: () => import('highlight.js/lib/languages/javascript'),
  json: () => import('highlight.js/lib/languages/json'),
  julia: () => import('highlight.js/lib/languages/julia'),
  kotlin: () => import('highlight.js/lib/languages/kotlin'),
  latex: () => import('highlight.js/lib/languages/latex'),
  less: () => import('highlight.js/lib/languages/less'),
  lua: () => import('highlight.js/lib/languages/lua'),
  makefile: () => import('highlight.js/lib/languages/makefile'),
  markdown: () => import('highlight.js/lib/languages/markdown'),
  nginx: () => import('highlight.js/lib/languages/nginx'),
  nix: () => import('highlight.js/lib/languages/nix'),
  objectivec: () => import('highlight.js/lib/languages/objectivec'),
  ocaml: () => import('highlight.js/lib/languages/ocaml'),
  perl: () => import('highlight.js/lib/languages/perl'),
  php: () => import('highlight.js/lib/languages/php'),
  powershell: () => import('highlight.js/lib/languages/powershell'),
  protobuf: () => import('highlight.js/lib/languages/protobuf'),
  python: () => import('highlight.js/lib/languages/python'),
  r: () => import('highlight.js/lib/languages/r'),
  ruby: () => import('highlight.js/lib/languages/ruby'),
  rust: () => import('highlight.js/lib/languages/rust'),
  scala: () => import('highlight.js/lib/languages/scala'),
  scss: () => import('highlight.js/lib/languages/scss'),
  sql: () => import('highlight.js/lib/languages/sql'),
  swift: () => import('highlight.js/lib/languages/swift'),
  typescript: () => import('highlight.js/lib/languages/typescript'),
  vim: () => import('highlight.js/lib/languages/vim'),
  xml: () => import('highlight.js/lib/languages/xml'),
  yaml: () => import('highlight.js/lib/languages/yaml'),
}

const aliases: ReadonlyMap<string, string> = new Map(
  [
    'bash sh shell zsh fish console terminal shellsession',
    'c h',
    'clojure clj cljs edn',
    'cpp c++ cc cxx hpp hxx',
    'csharp cs c#',
    'diff patch',
    'dockerfile docker containerfile',
    'elixir ex exs',
    'erlang erl',
    'fsharp fs f#',
    'go golang',
    'graphql gql',
    'groovy gradle',
    'haskell hs',
    'ini toml conf properties dotenv env',
    'java jsp',
    'javascript js jsx mjs cjs node',
    'json json5 jsonc jsonl ndjson',
    'julia jl',
    'kotlin kt kts',
    'latex tex',
    'makefile make mk',
    'markdown md mdx',
    'objectivec objc objective-c mm',
    'ocaml ml',
    'perl pl pm',
    'powershell ps1 pwsh ps',
    'protobuf proto',
    'python py python3 pyi',
    'ruby rb',
    'rust rs',
    'scss sass',
    'sql postgres postgresql mysql sqlite pgsql',
    'typescript ts tsx mts cts',
    'vim viml',
    'xml html xhtml svg vue svelte rss plist',
    'yaml yml',
  ].flatMap(line => {
    const [name = '', ...others] = line.split(' ')
    return others.map(alias => [alias, name] as const)
  }),
)

/** The languages that a language embeds. They load with it: its colours would change if one came later. */
const embeds: Readonly<Record<string, readonly string[]>> = {
  dockerfile: ['bash'],
  javascript: ['xml', 'css', 'graphql'],
  markdown: ['xml'],
  nix: ['markdown'],
  typescript: ['xml', 'css', 'graphql'],
  xml: ['css', 'javascript'],
  yaml: ['ruby'],
}

/** The most common ones first. */
const common =
  'bash json diff python typescript javascript go yaml rust markdown css xml sql java c cpp dockerfile ini ruby csharp php'.split(
    ' ',
  )

let core: HLJSApi | undefined
const loaded = new Set<string>()
const loading = new Map<string, Promise<boolean>>()

/** The language that a fence's name means; null if it cannot be coloured. */
export function languageOf(name: string): string | null {
  const language = aliases.get(name) ?? name
  return Object.hasOwn(modules, language) ? language : null
}

/** The engine, if it can colour this language now. */
export function engineFor(language: string): HLJSApi | undefined {
  return loaded.has(language) ? core : undefined
}

/** Loads a language, by any of its names. True if it can be coloured from now on. Never rejects. */
export async function loadLanguage(name: string): Promise<boolean> {
  const language = languageOf(name)
  if (language === null) return false
  if (loaded.has(language)) return true
  const known = loading.get(language) ?? load(language)
  loading.set(language, known)
  return known
}

/**
 * Loads the languages of most answers, one after the other: each takes some milliseconds, and `between` lets other work
 * run. To be called after the first frame, before the first answer.
 */
export async function loadCommonLanguages(between: () => Promise<unknown> = async () => undefined): Promise<void> {
  for (const name of common) {
    await loadLanguage(name)
    await between()
  }
}

async function load(language: string): Promise<boolean> {
  try {
    const names = [...closure(language)]
    const [engine, ...definitions] = await Promise.all([loadCore(), ...names.map(name => lookup(modules, name)?.())])
    for (const [index, name] of names.entries()) {
      const definition = definitions[index]
      if (definition !== undefined && !loaded.has(name)) register(engine, name, definition.default)
    }
    for (const name of names) loaded.add(name)
    return true
  } catch {
    // A module that cannot be read, or that the engine refuses: the code is shown plain, and the next fence tries again.
    loading.delete(language)
    return false
  }
}

async function loadCore(): Promise<HLJSApi> {
  const { default: shared } = await import('highlight.js/lib/core')
  if (core !== undefined) return core
  core = shared.newInstance()
  core.configure({ __emitter: SpanEmitter })
  return core
}

// Auto-detection would depend on the languages that happen to be loaded.
function register(engine: HLJSApi, name: string, define: LanguageFn): void {
  engine.registerLanguage(name, api => ({ ...define(api), disableAutodetect: true }))
}

function closure(language: string, found = new Set<string>()): Set<string> {
  if (found.has(language)) return found
  found.add(language)
  for (const other of lookup(embeds, language) ?? []) closure(other, found)
  return found
}
