/** The licences of the bundled packages: nothing else of `node_modules` is in the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'

const COPYRIGHT = /^\s*copyright \(c\)/i
const TITLE = /^\W*(?:the )?mit licen[cs]e(?: \(mit\))?\W*$/i

/**
 * The text of a file that names each package among these modules, its version, its copyright and its licence. Packages whose
 * licences differ only in the copyright or in white space are listed together above the text.
 */
export function licencesOf(modules: Iterable<string>): string {
  const folders = new Set([...modules].flatMap(id => packageFolder(id) ?? []))
  const found = [...folders].map(describePackage).toSorted((a, b) => (a.title < b.title ? -1 : 1))
  const packages = [...new Map(found.map(each => [each.title, each])).values()]
  const intro = 'zotui includes code of these packages. Each is used under the licence below its name.\n'
  const rule = '-'.repeat(80)
  const licensed = packages.map(each => {
    const { copyright, terms } = splitCopyright(textOf(each, packages))
    return { head: [each.title, ...copyright.map(line => `  ${line}`)].join('\n'), terms }
  })
  const groups = Map.groupBy(licensed, ({ terms }) => terms.replaceAll(/\s+/g, ' '))
  const parts = groups
    .values()
    .map(group => `${rule}\n${group.map(({ head }) => head).join('\n')}\n\n${group[0]?.terms ?? ''}\n`)
  return [intro, ...parts].join('\n')
}

/** Takes the lines that name the holders of the copyright, and a title such as "MIT License", from the terms. */
function splitCopyright(text: string): { copyright: string[]; terms: string } {
  const lines = text.split('\n').map(line => line.trimEnd())
  return {
    copyright: lines.filter(line => COPYRIGHT.test(line)).map(line => line.trim()),
    terms: lines
      .filter(line => !COPYRIGHT.test(line) && !TITLE.test(line))
      .join('\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim(),
  }
}

/** The folder of the package that a module belongs to: the last one in `node_modules` on its path. */
function packageFolder(id: string): string | null {
  const match = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)
  return match?.[1] ?? null
}

type Package = {
  title: string
  licence: string
  author: string
  /** The texts of its licence and its notice; empty if it has none. */
  text: string
}

function describePackage(folder: string): Package {
  const { name, version, license, author } = manifestSchema.parse(
    JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')),
  )
  const texts = readdirSync(folder)
    .filter(file => /^(?:licen[cs]e|notice)(?:[.-]|$)/i.test(file))
    .map(file => readFileSync(path.join(folder, file), 'utf8').trim())
  return {
    title: `${name} ${version} (${license})`,
    licence: license,
    author: typeof author === 'string' ? author : author.name,
    text: texts.join('\n\n') || licenceInReadme(folder),
  }
}

const manifestSchema = z.object({
  name: z.string(),
  version: z.string(),
  license: z.string(),
  author: z.union([z.string(), z.object({ name: z.string() })]).default('its authors'),
})

/** @throws if no text of the licence is found. */
function textOf({ title, licence, author, text }: Package, packages: readonly Package[]): string {
  if (text !== '') return text
  const same = packages.find(each => each.licence === licence && each.text !== '')
  if (!same) throw new Error(`${title} has no licence text, and no other package has one of the same licence`)
  return `The package of ${author} has no licence file. Its licence text is the one under ${same.title}.`
}

function licenceInReadme(folder: string): string {
  const readme = ['README.md', 'readme.md'].map(name => path.join(folder, name)).find(file => existsSync(file))
  if (readme === undefined) return ''
  return /^#+ *licen[cs]e\b[^\n]*\n([\s\S]*?)(?:\n#+ |$)/im.exec(readFileSync(readme, 'utf8'))?.[1]?.trim() ?? ''
}
