/** The licences of what the bundler took: nothing else of `node_modules` is in the package. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** The text of a file that names each package among these modules, its version, its licence, and the licence's text. */
export function licencesOf(modules: Iterable<string>): string {
  const folders = new Set([...modules].flatMap(id => packageFolder(id) ?? []))
  const entries = [...folders].map(describePackage).toSorted((a, b) => (a.title < b.title ? -1 : 1))
  const unique = new Map(entries.map(entry => [entry.title, entry.text]))
  const intro = 'zotui carries code of these packages. Each is used under its own licence, as it stands below.\n'
  const rule = '-'.repeat(80)
  return [intro, ...[...unique].map(([title, text]) => `${rule}\n${title}\n\n${text.trim()}\n`)].join('\n')
}

/** The folder of the package that a module belongs to: the last one in `node_modules` on its path. */
function packageFolder(id: string): string | null {
  const match = /^\0?(.*[/\\]node_modules[/\\](?:@[^/\\]+[/\\])?[^/\\]+)[/\\]/.exec(id)
  return match?.[1] ?? null
}

function describePackage(folder: string): { title: string; text: string } {
  const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Record<string, unknown>
  const { name, version, license } = manifest
  const title = `${String(name)} ${String(version)} (${String(license)})`
  const file = readdirSync(folder).find(each => /^licen[cs]e(?:[.-]|$)/i.test(each))
  const text = file === undefined ? licenceInReadme(folder) : readFileSync(path.join(folder, file), 'utf8')
  if (text === '' && license === undefined) throw new Error(`${title} says nothing of a licence`)
  return { title, text: text || `The package has no file of its licence; it says: ${String(license)}.` }
}

function licenceInReadme(folder: string): string {
  const readme = ['README.md', 'readme.md'].map(name => path.join(folder, name)).find(file => existsSync(file))
  if (readme === undefined) return ''
  return /^#+ *licen[cs]e\b[^\n]*\n([\s\S]*?)(?:\n#+ |$)/im.exec(readFileSync(readme, 'utf8'))?.[1]?.trim() ?? ''
}
