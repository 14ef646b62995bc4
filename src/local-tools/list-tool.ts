import { opendir, readlink } from 'node:fs/promises'
import { z } from 'zod'
import { holdFolder, type HeldFolder } from '../platform/held-folder.ts'
import { defineTool } from './define-tool.ts'
import { locate, onlyOne } from './path.ts'
import { text } from './tool.ts'

const MOST_ENTRIES = 1000

/** The tool `list`: the names in a folder. Folders end with a slash, and links show their target. */
export const listTool = defineTool(
  {
    name: 'list',
    kind: 'read',
    description: 'List a folder. Folders end with a slash.',
    schema: { type: 'object', properties: { path: { type: 'string' } } },
  },
  z.object({ path: z.string().default('.') }),
  {
    places: async ({ path }, folder, files) => [await locate(folder, path, files)],
    async run(_args, { signal }, places) {
      const folder = holdFolder(onlyOne(places).path)
      const { rows, isWhole } = await rowsIn(folder, signal)
        .catch((error: unknown) => {
          throw folder.named(error)
        })
        .finally(folder.close)
      if (rows.length === 0) return text('The folder is empty.')
      const note = isWhole ? [] : [`... [truncated at ${MOST_ENTRIES} entries]`]
      return { ...text([...rows.toSorted(), ...note, ''].join('\n')), ...(!isWhole && { isCut: true }) }
    },
  },
)

async function rowsIn(folder: HeldFolder, signal: AbortSignal): Promise<{ rows: readonly string[]; isWhole: boolean }> {
  const rows: string[] = []
  for await (const entry of await opendir(folder.at(''))) {
    signal.throwIfAborted()
    if (rows.length === MOST_ENTRIES) return { rows, isWhole: false }
    const target = entry.isSymbolicLink() ? ` -> ${await readlink(folder.at(entry.name))}` : ''
    rows.push(`${entry.name}${entry.isDirectory() ? '/' : ''}${target}`)
  }
  folder.check()
  return { rows, isWhole: true }
}
