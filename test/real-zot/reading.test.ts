/** The files that zotui says zot loads on its own are those that zot sends to its model. */
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWith } from '../helpers/home.ts'
import { reply, startModel, type ModelRequest } from '../helpers/model.ts'
import type { Screen } from '../helpers/screen.ts'
import { messagesOf, openZot, say, zot } from './talk.ts'

const skill = (name: string, body: string): string =>
  `---\nname: ${name}\ndescription: Is about ${name}.\n---\n${body}\n`

const files = {
  '.zot/AGENTS.md': 'Rule of zot.',
  'AGENTS.md': 'Rule of the home.',
  'project/AGENTS.md': 'Rule of the project.',
  '.agents/skills/review/SKILL.md': skill('review', 'Read the difference first.'),
  'project/.claude/skills/review/SKILL.md': skill('review', 'Of the project: read the tests first.'),
  'project/.zot/skills/wrong/skill.md': skill('wrong', 'Nothing.'),
  'project/.zot/skills/bare/SKILL.md': 'No header.',
}

const systemOf = ({ body }: ModelRequest): string =>
  typeof body === 'object' && body !== null && 'system' in body ? JSON.stringify(body.system) : ''

/** By the screen: whether zot reads these, or null if it does not know it itself. */
function saidOf(zotui: Screen, yes: RegExp, no: RegExp): boolean | null {
  const screen = zotui.screen().join('\n')
  return no.test(screen) ? false : yes.test(screen) && !/may read|perhaps/.test(screen) ? true : null
}

describe.skipIf(!zot)('a real zot', () => {
  test('reads the AGENTS.md and the skills that zotui says it reads', async () => {
    const home = homeWith(files)
    const model = await startModel([reply().tool('skill', { name: 'review' }), reply().text('Done.')])
    const zotui = await openZot({ args: model.flags, home, cwd: home.project })
    await zotui.see('/context shows more')
    const readsRules = saidOf(zotui, /zot reads .*AGENTS\.md/, /AGENTS\.md not read/)
    const readsSkills = saidOf(zotui, /2 skills |skills bare, review /, /not used/)
    await say(zotui, 'go')
    await zotui.see('Done.')
    const system = systemOf(await model.request(1))
    const rules = ['Rule of zot.', 'Rule of the home.', 'Rule of the project.'].map(rule => system.indexOf(rule))
    const isRead = rules.every(at => at >= 0)
    expect(readsRules ?? isRead).toBe(isRead)
    expect(rules).toEqual(rules.toSorted((a, b) => a - b))
    const listed = [/- review \[[^\]]*project\/\.claude\/skills\/review/, /- bare \[/].map(each => each.test(system))
    const isListed = listed[0] === true
    expect(listed).toEqual([isListed, isListed])
    expect(readsSkills ?? isListed).toBe(isListed)
    expect(system).not.toContain('- wrong')
    const loaded = JSON.stringify(messagesOf(await model.request(2)))
    expect(loaded.includes('Of the project: read the tests first.')).toBe(isListed)
    await zotui.close()
    home.remove()
  })

  test('gets the text of a skill by /skill:name, whether or not it loads skills itself', async () => {
    const home = homeWith(files)
    const model = await startModel([reply().text('Done.')])
    const zotui = await openZot({ args: [...model.flags, '--no-skill'], home, cwd: home.project })
    await zotui.see('/context shows more')
    await say(zotui, '/skill:review the parser')
    await zotui.see('Done.')
    const told = JSON.stringify(messagesOf(await model.request(1)))
    expect(told).toContain('Use the skill review: the parser')
    expect(told).toContain('Of the project: read the tests first.')
    expect(told).toContain(path.join(home.project, '.claude', 'skills', 'review'))
    await zotui.close()
    home.remove()
  })
})
