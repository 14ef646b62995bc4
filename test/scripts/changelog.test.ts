import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { released, unreleased } from '../../scripts/changelog.ts'

const changelog = '# Changelog\n\nWords.\n\n## Unreleased\n\n### Added\n\n- one\n\n## 0.1.0 - 2026-01-01\n\n- zero\n'

test('unreleased entries become a version, below a new heading', () => {
  expect(unreleased(changelog)).toBe('### Added\n\n- one')
  const next = released(changelog, '0.2.0', '2026-02-03')
  expect(next).toContain('## Unreleased\n\n## 0.2.0 - 2026-02-03\n\n### Added\n\n- one\n\n## 0.1.0')
  expect(unreleased(next)).toBe('')
})

test('no entries, a repeated version and a missing heading are refused', () => {
  const next = released(changelog, '0.2.0', '2026-02-03')
  expect(() => released(next, '0.3.0', '2026-02-03')).toThrow(/no entries under/)
  expect(() => released(changelog, '0.1.0', '2026-02-03')).toThrow(/already/)
  expect(() => unreleased('# Changelog\n')).toThrow(/no heading/)
})

test('the current changelog has its heading', () => {
  const text = readFileSync(new URL('../../CHANGELOG.md', import.meta.url), 'utf8')
  expect(() => unreleased(text)).not.toThrow()
})
