/** The files that the agent loads on its own: the start names them, and /context says what fills the window. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWith } from '../helpers/home.ts'
import { turnEnd } from '../helpers/turn-end.ts'
import { openDemo, openIn, openQuickDemo, openZot, send } from './stage.ts'

const REVIEW = '---\nname: review\ndescription: Looks at a change.\n---\nRead the diff.\n'

const mine = {
  'AGENTS.md': 'Be brief.',
  'project/AGENTS.md': 'Use tabs.',
  'project/.claude/skills/review/SKILL.md': REVIEW,
  'project/.zot/skills/wrong/skill.md': REVIEW,
}

test('the start names the loaded files in one line, /context shows the grid and the files, and which have changed', async () => {
  const home = homeWith(mine)
  const zotui = await openIn(home, { columns: 100, rows: 50 })
  await zotui.see(
    /all keys\n *zot reads ~\/AGENTS\.md, AGENTS\.md {3}skill review {3}1 skill left out {3}\/context shows more\n/,
  )
  await send(zotui, '/context')
  await zotui.see(/context: about \d+ of 200k tokens/)
  await zotui.see(/^ {2}■ ■ ■( ·){17} {3}■ system, tools, rest +~900/m)
  await zotui.see(/~\/project\/AGENTS\.md +~3 tokens/)
  await zotui.see(/1 skill: review, 1 left out/)
  expect(zotui.history().join('\n')).not.toContain('have changed since')
  writeFileSync(join(home.path, 'AGENTS.md'), 'Be brief, and polite.')
  await send(zotui, '/context')
  await zotui.see('The files have changed since zot started')
  await send(zotui, '/restart')
  await zotui.see('Restarted zot')
  await send(zotui, '/context')
  await zotui.until('three of them', { check: () => zotui.history().join('\n').split('review, 1 left out').length > 3 })
  expect(zotui.history().join('\n').split('have changed since')).toHaveLength(2)
  await send(zotui, 'hello')
  await zotui.see('You said: hello.')
  zotui.committedOnce(['zot reads ~/AGENTS.md, AGENTS.md'])
  await zotui.close()
  home.remove()
})

describe('the start', () => {
  test('says nothing if nothing is loaded', async () => {
    const zotui = await openZot('echo')
    await zotui.see(/zot 0\.3\.36/)
    await send(zotui, 'hello')
    await zotui.see('You said: hello.')
    expect(zotui.history().join('\n')).not.toMatch(/zot reads|skill/)
  })

  test('reports what an old zot and the flags leave out', async () => {
    const home = homeWith(mine)
    const old = await openIn(home, { agent: 'old' })
    await old.see(/~\/AGENTS\.md, AGENTS\.md not read {3}skill review not used/)
    await old.close()
    const told = await openIn(home, { args: ['--no-skill'] })
    await told.see(/zot reads ~\/AGENTS\.md, AGENTS\.md {3}skill review not used/)
    await told.close()
    home.remove()
  })
})

describe('/context', () => {
  test('shows the total that the agent reported', async () => {
    const zotui = await openQuickDemo({ columns: 100, rows: 60 })
    await send(zotui, 'edit')
    await zotui.see(turnEnd)
    await send(zotui, '/context')
    await zotui.see(/context: [\d.]+k of [\d.]+k tokens/)
    await zotui.see('demo reported the total with its last answer')
    await zotui.see(/■ calls and results +~/)
  })

  test('fits 40 columns and works in ASCII', async () => {
    const zotui = await openDemo({ columns: 40, rows: 50, args: ['--ascii'] })
    await send(zotui, '/context')
    await zotui.see(/^ {2}s( \.){18}$/m)
    await zotui.see('kept for compacting')
    expect(zotui.screen().join('')).toMatch(/^[\u0020-\u007E]*$/)
  })

  test('uses words without a grid for a screen reader', async () => {
    const zotui = await openDemo({ rows: 60, args: ['--screen-reader'] })
    await zotui.type('/context')
    await zotui.see(/^> .*\/context$/m)
    await zotui.press('enter')
    await zotui.see(/system, tools, rest/)
    await zotui.see('All numbers are estimates')
    expect(zotui.screen().join('\n')).not.toMatch(/\. \. \.|· ·/)
  })
})
