/** The targets of the links of pages exist, and so do the pages that other files name. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
const pages = ['README.md', 'CHANGELOG.md', ...readdirSync(join(root, 'docs')).map(name => `docs/${name}`)].filter(
  name => name.endsWith('.md'),
)

/** A heading's name in links, as GitHub makes it. */
const anchor = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-')

const headingsOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchor(heading))

test.each(pages)('%s has no broken links', page => {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```[^]*?^```/gm, '')
  const links = [...text.matchAll(/\]\((?!\w+:)([^)\s]*)\)|(?:src|srcset)="([^"]+)"/g)]
  const wrong = links
    .map(([, link, picture]) => link ?? picture ?? '')
    .filter(link => {
      const [file = '', heading] = link.split('#')
      const target = file === '' ? join(root, page) : join(root, dirname(page), file)
      return !existsSync(target) || (heading !== undefined && !headingsOf(target).includes(heading))
    })
  expect(wrong).toEqual([])
})

test.each(pages)('%s has no marks of a merge', page => {
  expect(readFileSync(join(root, page), 'utf8')).not.toMatch(/^(?:<{7} |={7}$|>{7} )/m)
})

test('the README links to every page', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  expect(pages.filter(page => page.startsWith('docs/') && !readme.includes(`(${page}`))).toEqual([])
})

test('the tree in docs/architecture.md names every folder of src', () => {
  const [, tree = ''] = /^src\/\n([^]*?)^```/m.exec(readFileSync(join(root, 'docs/architecture.md'), 'utf8')) ?? []
  const named = [...tree.matchAll(/^ {2}([\w-]+\/|(?:[\w-]+\.ts\s*)+)/gm)].flatMap(([, names = '']) =>
    names.trim().split(/\s+/),
  )
  const parts = readdirSync(join(root, 'src'), { withFileTypes: true }).map(
    each => each.name + (each.isDirectory() ? '/' : ''),
  )
  expect(named.toSorted()).toEqual(parts.toSorted())
})

test('the pages that the source, the help, the man pages and the schemas name exist', () => {
  const files = ['bin', 'components', 'src', 'scripts', 'man', 'docs/schemas'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter(each => each.isFile())
      .map(each => join(each.parentPath, each.name)),
  )
  const named = files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/\bdocs\/[a-z-]+\.md/g)].map(([page]) => ({ file, page })),
  )
  expect(named.length).toBeGreaterThan(20)
  expect(named.filter(({ page }) => !pages.includes(page))).toEqual([])
})
