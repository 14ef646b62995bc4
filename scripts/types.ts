/** Makes `dist/client.d.ts`, the types of `zotui/client`. It includes zod's, since the package has no dependencies. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Removes the comments on zod's internal types, which would be a sixth of the file. */
const withoutComments = {
  name: 'without-comments',
  transform: (code: string, id: string) =>
    /node_modules\/zod\//.test(id)
      ? code.replaceAll(/\/\*[^]*?\*\//g, comment => (comment.includes('@ts-') ? comment : ''))
      : null,
}
const bundle = await rolldown({
  input: { client: `${root}src/client.ts` },
  platform: 'node',
  // zod's error messages in other languages add nothing to the types.
  external: [/\/locales\//],
  treeshake: { moduleSideEffects: false },
  checks: { bundlerTimings: false },
  plugins: [withoutComments, dts({ emitDtsOnly: true })],
})
await bundle.write({ dir: `${root}dist`, format: 'esm' })
await bundle.close()
