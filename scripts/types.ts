/**
 * Makes `dist/types`, the types of `zotui/client`. Those of zod, which the schemas are made of, are put beside them: the
 * package depends on no other.
 */
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'

const root = fileURLToPath(new URL('..', import.meta.url))
const types = path.join(root, 'dist/types')
const zod = path.join(root, 'node_modules/zod')
const vendored = path.join(types, 'vendor/zod')

rmSync(types, { recursive: true, force: true })
await execa('tsc', ['-p', 'tsconfig.client.json'], { cwd: root, preferLocal: true, stdio: 'inherit' })
for (const file of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue
  const target = path.join(types, file)
  const ours = path.relative(path.dirname(target), path.join(vendored, 'index.js')).replaceAll(path.sep, '/')
  const text = readFileSync(target, 'utf8')
    .replaceAll(/(from |import\()'(\.[^']*)\.ts'/g, "$1'$2.js'")
    .replaceAll(/(from |import\()(['"])zod\2/g, `$1'${ours.startsWith('.') ? ours : `./${ours}`}'`)
  writeFileSync(target, text)
}
vendor('index.d.ts', new Set())
copyFileSync(path.join(zod, 'LICENSE'), path.join(vendored, 'LICENSE'))

/** Copies a file of types and those that it imports. */
function vendor(file: string, done: Set<string>): void {
  if (done.has(file)) return
  done.add(file)
  const text = readFileSync(path.join(zod, file), 'utf8')
  mkdirSync(path.dirname(path.join(vendored, file)), { recursive: true })
  writeFileSync(path.join(vendored, file), text)
  for (const [, name = ''] of text.matchAll(/(?:from |import\()["'](\.[^"']*)\.js["']/g)) {
    vendor(path.posix.join(path.posix.dirname(file), `${name}.d.ts`), done)
  }
}
