/** Makes `dist/client.d.ts`, the types of `zotui/client` in one file. Those of zod are among them: the package depends on no other. */
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { dts } from 'rolldown-plugin-dts'

const root = fileURLToPath(new URL('..', import.meta.url))
const bundle = await rolldown({
  input: { client: `${root}src/client.ts` },
  platform: 'node',
  // The words of zod's errors in other languages have no part in the types.
  external: [/\/locales\//],
  treeshake: { moduleSideEffects: false },
  checks: { bundlerTimings: false },
  plugins: [dts({ emitDtsOnly: true })],
})
await bundle.write({ dir: `${root}dist`, format: 'esm' })
await bundle.close()
