/**
 * `npm run release` checks whether this checkout can be released, and publishes nothing. `npm version` calls it first.
 */
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { dirtRefusal, releaseRefusal } from './release-refusal.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
/** Set by `npm version`. */
const next = process.env['npm_new_version'] ?? null

/** Each resolves to a problem, or null. Quick checks come first. */
const steps: readonly { name: string; refusal: () => Promise<string | null> }[] = [
  { name: 'the branch, the files, the version and the changelog', refusal: () => releaseRefusal(root, next) },
  { name: 'everything that a change must pass', refusal: () => refusalOf('.ci/run', []) },
  { name: 'the screenshots are up to date', refusal: screenshotsRefusal },
]

for (const { name, refusal } of steps) {
  console.log(`\n== ${name}`)
  const why = await refusal()
  if (why === null) continue
  console.error(`\nNot ready to be released: ${name}.\n${why}`)
  process.exit(1)
}
console.log('\nReady to be released. Nothing was published.')
if (next === null) {
  console.log(`What is left:
  npm version patch|minor|major   checks all of this, sets the number, dates the changelog, commits and tags
  git push --follow-tags
  npm publish`)
}

async function refusalOf(program: string, args: readonly string[]): Promise<string | null> {
  const { failed } = await execa(program, args, { cwd: root, stdio: 'inherit', reject: false })
  return failed ? `${[program, ...args].join(' ')} failed; see its output above.` : null
}

/** Made again, they must equal the committed ones. */
async function screenshotsRefusal(): Promise<string | null> {
  return (await refusalOf('npm', ['run', 'screenshots'])) ?? (await dirtRefusal(root))
}
