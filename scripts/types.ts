/** Makes `dist/client.d.ts`, the types of `zotui/client` in one file. Those of zod are among them: the package depends on no other. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Comments on zod's inner types are for nobody who reads ours, and are a sixth of the file. */
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
  // The words of zod's errors in other languages have no part in the types.
  external: [/\/locales\//],
  treeshake: { moduleSideEffects: false },
  checks: { bundlerTimings: false },
  plugins: [withoutComments, dts({ emitDtsOnly: true })],
})
await bundle.write({ dir: `${root}dist`, format: 'esm' })
await bundle.close()
