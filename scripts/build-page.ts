/** Makes the page of `zotui serve` in `dist/web`: static files and two scripts, with nothing from elsewhere. */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown, type InputOptions } from 'rolldown'
import { conversationStyle, pageColours } from '../src/export/page-style.ts'

/** Files that are shipped as they are. */
const STATIC = ['index.html', 'manifest.webmanifest', 'icon.svg', 'icon-180.png', 'icon-192.png', 'icon-512.png']

/** Returns the modules that it read. */
export async function buildPage(root: string, to = join(root, 'dist/web')): Promise<string[]> {
  const from = join(root, 'src/serve/page')
  mkdirSync(to, { recursive: true })
  for (const name of STATIC) copyFileSync(join(from, name), join(to, name))
  const style = [pageColours, conversationStyle, readFileSync(join(from, 'app.css'), 'utf8')].join('\n')
  writeFileSync(join(to, 'app.css'), style)
  const app = await script({ input: { app: join(from, 'app.ts') } }, to)
  const names = [...STATIC.filter(name => name !== 'index.html'), 'app.css', 'app.js']
  const hash = createHash('sha256')
  for (const name of ['index.html', ...names]) hash.update(readFileSync(join(to, name)))
  const page = { version: hash.digest('hex').slice(0, 16), files: ['/', ...names.map(name => `/${name}`)] }
  const worker = await script(
    { input: { sw: join(from, 'worker/sw.ts') }, transform: { define: { ZOTUI_PAGE: JSON.stringify(page) } } },
    to,
  )
  return [...app, ...worker]
}

async function script(input: InputOptions, folder: string): Promise<string[]> {
  const bundle = await rolldown({
    ...input,
    platform: 'browser',
    transform: { target: 'es2023', ...input.transform },
  })
  const { output } = await bundle.write({
    dir: folder,
    format: 'esm',
    minify: true,
    comments: false,
    codeSplitting: false,
    entryFileNames: '[name].js',
  })
  await bundle.close()
  return output.flatMap(file => (file.type === 'chunk' ? file.moduleIds : []))
}
