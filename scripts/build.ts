/**
 * Makes the shipped files: `dist/zotui.js` (checks Node, then loads the rest), `dist/client.js` (the library), their chunks,
 * `dist/zotui-guard.js` and `dist/zotui-relay.js` (separate programs, readable for users), and the licences.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'
import { askForBuiltins } from './builtins.ts'
import { chunking } from './chunks.ts'
import { directImports } from './direct-imports.ts'
import { licencesOf } from './licences.ts'
import { plugins } from './patches.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest: unknown = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const version = manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : ''

rmSync(`${root}dist`, { recursive: true, force: true })
const { plugin, splitting } = chunking(root)
const bundle = await rolldown({
  input: { zotui: `${root}bin/zotui.ts`, client: `${root}src/client.ts` },
  platform: 'node',
  // Its main file is UMD, which bundlers cannot analyse.
  resolve: { alias: { 'jsonc-parser': `${root}node_modules/jsonc-parser/lib/esm/main.js` } },
  plugins: [...plugins, plugin, askForBuiltins, directImports],
  transform: {
    define: {
      'process.env.NODE_ENV': '"production"',
      ZOTUI_VERSION: JSON.stringify(version),
    },
  },
})
const { output } = await bundle.write({
  dir: `${root}dist`,
  format: 'esm',
  minify: true,
  // V8 keeps each file's source, with two bytes for every character if one of them is not Latin-1.
  charset: 'ascii',
  // The licences are in a file of their own.
  comments: false,
  codeSplitting: splitting,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
})
await bundle.close()
for (const name of ['zotui-guard', 'zotui-relay']) {
  const program = await rolldown({ input: `${root}src/agents/zot/guard/${name}.ts`, platform: 'node' })
  await program.write({ file: `${root}dist/${name}.js`, format: 'esm' })
  await program.close()
}
const modules = output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
writeFileSync(`${root}dist/LICENSES.txt`, licencesOf(modules))
