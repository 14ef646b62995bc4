/**
 * Makes the shipped files: `dist/zotui.js` (checks Node, then runs the rest), the scripts of the program in `dist/chunks`,
 * `dist/client.js` (the library), `dist/zotui-find.js` (a thread), `dist/zotui-guard.js` and `dist/zotui-relay.js` (separate programs, readable for users), `dist/zotui-tools.js` (the
 * tools on another machine), the page of `zotui serve` in `dist/web`, and the licences.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown, type InputOptions, type OutputOptions } from 'rolldown'
import { commandNames } from '../bin/cli/command-names.ts'
import { commands } from '../bin/cli/commands.ts'
import { buildPage } from './build-page.ts'
import { removeStamp, sourcesOf, writeStamp } from './build-stamp.ts'
import { askForBuiltins } from './builtins.ts'
import { chunking } from './chunks.ts'
import { directImports } from './direct-imports.ts'
import { licencesOf } from './licences.ts'
import { plugins } from './patches.ts'
import { splitCommands } from './split-commands.ts'
import { modulesToScripts } from './modules-to-scripts.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const manifest: unknown = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
const version = manifest && typeof manifest === 'object' && 'version' in manifest ? String(manifest.version) : ''
const read: InputOptions = {
  platform: 'node',
  // Slash commands load on demand what the UI has loaded already: their table is read without the UI, too.
  checks: { ineffectiveDynamicImport: false },
  // Its main file is UMD, which bundlers cannot analyse.
  resolve: { alias: { 'jsonc-parser': `${root}node_modules/jsonc-parser/lib/esm/main.js` } },
}
const written: OutputOptions = {
  dir: `${root}dist`,
  format: 'esm',
  minify: true,
  // V8 keeps each file's source, with two bytes for every character if one of them is not Latin-1.
  charset: 'ascii',
  // The licences are in a file of their own.
  comments: false,
}
/** The oldest Node that is supported has to be able to read everything. */
const transform = {
  target: 'es2023',
  define: { 'process.env.NODE_ENV': '"production"', ZOTUI_VERSION: JSON.stringify(version) },
}

const sources = sourcesOf(root)
removeStamp(root)
rmSync(`${root}dist`, { recursive: true, force: true })
const { plugin, splitting } = chunking(root)
const program = await bundleOf(
  {
    // The library is an entry so that its modules get files of their own, between which keys are handled. It is made below.
    input: { dispatch: `${root}bin/dispatch.ts`, library: `${root}src/client.ts` },
    plugins: [
      splitCommands(root, commandNames),
      ...plugins,
      plugin,
      askForBuiltins('script'),
      directImports,
      modulesToScripts,
    ],
    transform,
  },
  {
    codeSplitting: splitting,
    entryFileNames: 'chunks/[name]-[hash].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  },
)
const [dispatcher, library] = ['dispatch', 'library'].map(name =>
  program.find(file => file.type === 'chunk' && file.name === name),
)
if (!dispatcher || !library) throw new Error('the bundle lacks an entry')
rmSync(`${root}dist/${library.fileName}`)
const entry = await bundleOf(
  {
    input: { zotui: `${root}bin/zotui.ts` },
    plugins: [...plugins, askForBuiltins('module')],
    // It has to say on any Node that it needs another one.
    transform: {
      target: 'es2022',
      define: {
        ZOTUI_DISPATCH: JSON.stringify(basename(dispatcher.fileName)),
        ZOTUI_COMMANDS: JSON.stringify(commands.map(({ name }) => name)),
      },
    },
  },
  { codeSplitting: false },
)
await bundleOf(
  { input: { client: `${root}src/client.ts` }, plugins: [...plugins, askForBuiltins('module')], transform },
  { chunkFileNames: 'library/[name]-[hash].js' },
)
for (const name of ['zotui-guard', 'zotui-relay'])
  await bundleOf(
    { input: { [name]: `${root}src/agents/zot/guard/${name}.ts` }, transform },
    { minify: false, comments: true },
  )
// The tools on another machine, which get there through a connection.
const tools = await bundleOf(
  {
    input: { 'zotui-tools': `${root}src/agents/remote-tools/zotui-tools.ts` },
    plugins: [...plugins, askForBuiltins('module')],
    transform,
  },
  { codeSplitting: false },
)
// The thread with the index of all sessions.
const thread = await bundleOf(
  { input: { 'zotui-find': `${root}src/storage/find/thread.ts` }, plugins: [...plugins], transform },
  { codeSplitting: false },
)
const page = await buildPage(root)
const modules = [...program, ...entry, ...tools, ...thread]
  .flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
  .concat(page)
writeFileSync(`${root}dist/LICENSES.txt`, licencesOf(modules))
writeStamp(root, sources, modules)

async function bundleOf(input: InputOptions, output: OutputOptions) {
  const bundle = await rolldown({ ...read, ...input })
  const result = await bundle.write({ ...written, ...output })
  await bundle.close()
  return result.output
}
