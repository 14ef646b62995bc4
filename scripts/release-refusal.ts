/** Finds what must be fixed in a checkout before a release. */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { execa } from 'execa'
import { z } from 'zod'
import { hasVersion, unreleased } from './changelog.ts'

/** Releases are made from this branch only. */
const BRANCH = 'main'
/** https://semver.org, without build metadata, which zotui does not use. */
const VERSION = /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-[\da-z.-]+)?$/i

const manifest = z.object({ version: z.string() })
const lockFile = z.object({ version: z.string(), packages: z.object({ '': manifest }) })

/**
 * The first problem of the checkout `root`, as a message; null if there is none. `next` is the version to release, null
 * if it is not known yet.
 */
export async function releaseRefusal(root: string, next: string | null): Promise<string | null> {
  return (await branchRefusal(root)) ?? (await dirtRefusal(root)) ?? versionRefusal(root) ?? nextRefusal(root, next)
}

async function branchRefusal(root: string): Promise<string | null> {
  const branch = await git(root, 'rev-parse', '--abbrev-ref', 'HEAD')
  return branch === BRANCH ? null : `Releases are made from ${BRANCH}, but this is ${branch}.`
}

/** The files that git would have to commit first. */
export async function dirtRefusal(root: string): Promise<string | null> {
  const changed = await git(root, 'status', '--porcelain')
  return changed === '' ? null : `These changes are not committed:\n${changed}`
}

function versionRefusal(root: string): string | null {
  const { version } = manifest.parse(read(root, 'package.json'))
  const lock = lockFile.parse(read(root, 'package-lock.json'))
  if (!VERSION.test(version)) return `"${version}" in package.json is not a semantic version.`
  if (lock.version === version && lock.packages[''].version === version) return null
  return `package.json says ${version} and package-lock.json does not: run npm install.`
}

async function nextRefusal(root: string, next: string | null): Promise<string | null> {
  const changelog = readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8')
  if (unreleased(changelog) === '') return 'CHANGELOG.md has no entries under "## Unreleased".'
  if (next === null) return null
  if (hasVersion(changelog, next)) return `CHANGELOG.md already has ${next}.`
  const tag = await git(root, 'tag', '--list', `v${next}`)
  return tag === '' ? null : `The tag ${tag} already exists.`
}

function read(root: string, name: string): unknown {
  return JSON.parse(readFileSync(path.join(root, name), 'utf8'))
}

async function git(root: string, ...args: string[]): Promise<string> {
  return (await execa('git', args, { cwd: root })).stdout
}
