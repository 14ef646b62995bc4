import { opendir, readlink } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
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
      const place = onlyOne(places)
      const rows: string[] = []
      let isWhole = true
      for await (const entry of await opendir(place.path)) {
        signal.throwIfAborted()
        isWhole = rows.length < MOST_ENTRIES
        if (!isWhole) break
        const target = entry.isSymbolicLink() ? ` -> ${await readlink(join(place.path, entry.name))}` : ''
        rows.push(`${entry.name}${entry.isDirectory() ? '/' : ''}${target}`)
      }
      if (rows.length === 0) return text('The folder is empty.')
      const note = isWhole ? [] : [`... [truncated at ${MOST_ENTRIES} entries]`]
      return { ...text([...rows.toSorted(), ...note, ''].join('\n')), ...(!isWhole && { isCut: true }) }
    },
  },
)
