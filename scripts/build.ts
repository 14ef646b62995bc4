/** Makes the shipped files: `dist/zotui.js` (checks Node, then loads the rest) and its chunks. */
import { readFileSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { rolldown, type Plugin } from 'rolldown'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest: unknown = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const version = manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : ''

/** Ink asks for the React devtools only with DEV=true; the package is not shipped. */
const withoutDevtools: Plugin = {
  name: 'without-devtools',
  resolveId: id => (id === 'react-devtools-core' ? `\0${id}` : null),
  load: id => (id === '\0react-devtools-core' ? 'export default { initialize() {}, connectToDevTools() {} }' : null),
}

/** Yoga carries its WASM as a data URL; without `fetch` it decodes it at once instead of loading Node's fetch stack. */
const yogaWithoutFetch: Plugin = {
  name: 'yoga-without-fetch',
  transform: {
    filter: { id: /yoga-wasm-base64-esm\.js$/ },
    handler: code => ({ code: `const fetch = undefined;\n${code}`, map: null }),
  },
}

rmSync(`${root}dist`, { recursive: true, force: true })
const bundle = await rolldown({
  input: { zotui: `${root}bin/zotui.ts` },
  platform: 'node',
  // Its main file is a kind of module that no bundler can see through.
  resolve: { alias: { 'jsonc-parser': `${root}node_modules/jsonc-parser/lib/esm/main.js` } },
  plugins: [withoutDevtools, yogaWithoutFetch],
  transform: {
    define: { 'process.env.NODE_ENV': '"production"', ZOTUI_VERSION: JSON.stringify(version) },
  },
})
await bundle.write({
  dir: `${root}dist`,
  format: 'esm',
  minify: true,
  entryFileNames: '[name].js',
  chunkFileNames: 'chunks/[name]-[hash].js',
})
await bundle.close()
