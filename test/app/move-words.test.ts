import { expect, test } from 'vitest'
import { backText } from '../../src/app/move/move-words.ts'
import type { MoveBack } from '../../src/move/back.ts'

const OID = 'a'.repeat(40)

function textOf(paths: readonly string[]): string {
  const look = { top: '/there', prefix: '', gitDir: '', index: '', format: 'sha1', branch: 'main', head: OID }
  const counts = { changed: 0, fresh: 0, ignored: 0, submodules: [], filtered: 0 }
  const files = paths.map(path => ({ path, kind: 'new' as const }))
  const seal = { tree: OID, commit: OID }
  const plan: MoveBack['plan'] = { way: 'into', look: { ...look, ...counts }, seal, files, isHalf: false }
  const pack = { ...seal, head: OID, branch: 'main', format: 'sha1', bundle: null, bytes: 0, hash: '' }
  const facts = { from: 'ssh:far:/there', to: '/here', isCarried: false, agent: 'claude', left: null }
  return backText({ look: { ...look, ...counts }, plan, pack }, facts)
}

test('among many files that come back, those that can run something later are named first', () => {
  const many = Array.from({ length: 50 }, (_each, at) => `a${at}.txt`)
  const rows = textOf([...many, 'deep/.vscode/tasks.json', '.zotui/config.json', '.gitignore']).split('\n')
  expect(rows.slice(2, 5)).toEqual([
    '- adds `deep/.vscode/tasks.json`, which can run something later',
    '- adds `.zotui/config.json`, which can run something later',
    '- adds `a0.txt`',
  ])
  expect(rows).toContain('- and 33 more')
  expect(rows.join('\n')).not.toContain('.gitignore')
})

test('and none of those is left out before there are very many', () => {
  const many = Array.from({ length: 250 }, (_each, at) => `d${at}/.envrc`)
  const text = textOf([...many, 'a.txt'])
  expect(text).toContain('- adds `d199/.envrc`, which can run something later')
  expect(text).toContain('- and 51 more, 50 of which can run something later')
})
