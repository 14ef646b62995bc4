/**
 * `npm run release`: whether what is here can be released. It checks everything and publishes nothing; `npm version` calls
 * it first, and says at its end what is left to do.
 */
import { readFileSync } from 'node:fs'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { unreleased } from './changelog.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

type Step = { name: string; check: () => Promise<unknown> | string }

const steps: readonly Step[] = [
  { name: 'nothing is uncommitted', check: nothingUncommitted },
  { name: 'the changelog says what is new', check: changelogSaysSomething },
  { name: 'types, lint and format', check: () => npm('check') },
  { name: 'tests', check: () => npm('test') },
  { name: 'the package, installed', check: () => npm('test:package') },
  { name: 'the screenshots are of now', check: screenshotsAreCurrent },
]

for (const { name, check } of steps) {
  console.log(`\n== ${name}`)
  try {
    await check()
  } catch (error) {
    console.error(`\nNot ready to be released: ${name}.\n${error instanceof Error ? error.message : String(error)}`)
    process.exit(1)
  }
}
console.log(`
Ready. What is left:
  npm version patch|minor|major   sets the number, dates the changelog, commits and tags
  git push --follow-tags
  npm publish`)

async function npm(script: string): Promise<void> {
  await execa('npm', ['run', script], { cwd: root, stdio: 'inherit' })
}

async function nothingUncommitted(): Promise<void> {
  const { stdout } = await execa('git', ['status', '--porcelain'], { cwd: root })
  if (stdout !== '') throw new Error(stdout)
}

function changelogSaysSomething(): string {
  const text = unreleased(readFileSync(`${root}CHANGELOG.md`, 'utf8'))
  if (text === '') throw new Error('Nothing stands under "## Unreleased" in CHANGELOG.md.')
  return text
}

/** Made anew, they must come out as they are committed. */
async function screenshotsAreCurrent(): Promise<void> {
  await npm('screenshots')
  await nothingUncommitted()
}
