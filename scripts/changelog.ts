/** The changelog at a release: the unreleased entries get a version's heading, with a new empty heading above. Pure. */

const HEADING = '## Unreleased'

/** The text under the heading of unreleased changes. @throws where there is no such heading. */
export function unreleased(changelog: string): string {
  const start = changelog.indexOf(`\n${HEADING}\n`)
  if (start < 0) throw new Error(`CHANGELOG.md has no heading "${HEADING}"`)
  const rest = changelog.slice(start + HEADING.length + 2)
  const end = rest.search(/^## /m)
  return (end < 0 ? rest : rest.slice(0, end)).trim()
}

/** The changelog with the unreleased entries under a version's heading; `date` is as in 2026-01-31. */
export function released(changelog: string, version: string, date: string): string {
  if (unreleased(changelog) === '') throw new Error(`there are no entries under "${HEADING}"`)
  if (hasVersion(changelog, version)) throw new Error(`CHANGELOG.md already has ${version}`)
  return changelog.replace(`\n${HEADING}\n`, `\n${HEADING}\n\n## ${version} - ${date}\n`)
}

/** Whether there is a heading of this version. */
export function hasVersion(changelog: string, version: string): boolean {
  return changelog.includes(`\n## ${version} - `)
}
