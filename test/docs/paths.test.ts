/** The files and folders that the pages name in backticks exist. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const foldersOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { withFileTypes: true })
    .filter(each => each.isDirectory())
    .map(({ name }) => name)
/** Folders that installing and building make. */
const made = new Set(['node_modules', 'dist', '.git', '.cache'])
const tops = foldersOf('.').filter(name => !made.has(name))
const paths = tops.flatMap(top =>
  readdirSync(join(root, top), { recursive: true, encoding: 'utf8' }).map(name => join(top, name)),
)
/** All paths on lines of their own. */
const known = [...readdirSync(root), ...paths].map(path => `/${path.replaceAll('\\', '/')}`).join('\n')
/** A path may begin with one of these folders. The pages leave out `src` and `test` in front of it. */
const rooms = new Set([...tops, ...foldersOf('src'), ...foldersOf('test')])

/** Names that stand for a file which a reader would make. */
const examples = new Set(['components/reminders/rows.ts', 'components/pages/queue/rows.ts', 'QueuePage.tsx'])

/** The names in backticks that mean a source file, or a path in the repository. */
function namedIn(page: string): string[] {
  const spans = page.replaceAll(/^ *```[^]*?^ *```/gm, '').matchAll(/`([\w.*…/-]+)`/g)
  return [...spans]
    .map(([, name = '']) => name)
    .filter(name => /\w\.tsx?$/.test(name) || (name.includes('/') && rooms.has(name.split('/')[0] ?? '')))
    .filter(name => !examples.has(name))
}

/** A name may be the end of a path, and lack `.ts` or `.test.ts`. `*` stands for a part of a file name, `…` for a path. */
function isKnown(name: string): boolean {
  const pattern = name
    .replace(/\/$/, '')
    .replaceAll('.', String.raw`\.`)
    .replaceAll('*', '[^/\n]*')
    .replaceAll('…', '.*')
  return new RegExp(String.raw`/${pattern}(?:(?:\.test)?\.tsx?)?$`, 'm').test(known)
}

const pages = ['README.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(name =>
  name.endsWith('.md'),
)

test.each(pages)('the files and folders that %s names exist', page => {
  const missing = namedIn(readFileSync(join(root, page), 'utf8')).filter(name => !isKnown(name))
  expect(missing, `${page} names files that do not exist: correct the names`).toEqual([])
})

test('docs/architecture.md describes every folder of src', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8')
  const missing = foldersOf('src').filter(name => !new RegExp(`\`src/${name}[\`/]`).test(page))
  expect(missing, 'docs/architecture.md needs a paragraph that names these folders').toEqual([])
})

describe('the check of names finds', () => {
  test.each([
    ['a file that has moved', '`src/state/gone.ts`', ['src/state/gone.ts']],
    ['a file by its name alone', 'See `gone.ts`.', ['gone.ts']],
    ['a path without its ending', '`conversation/gone`', ['conversation/gone']],
    ['a pattern without a file', '`src/agent/*-gone.ts`', ['src/agent/*-gone.ts']],
    ['nothing in patterns and short names', '`*-events.ts`, `agents/zot/frame`, `chaos/agent`, `src/…/reduce.ts`', []],
    ['nothing in commands, other files and code blocks', '`/diff` `config.json`\n```\n`gone.ts`\n```', []],
  ])('%s', (_name, page, missing) => {
    expect(namedIn(page).filter(name => !isKnown(name))).toEqual(missing)
  })
})
