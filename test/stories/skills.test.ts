/** Skills: the list of them, and sending a prompt with one. */
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'vitest'
import { fill, homeWith, type Home } from '../helpers/home.ts'
import { share } from '../helpers/screen.ts'
import { expectDraft, openDemo, openIn, openZot, send, startAfresh } from './stage.ts'

const skill = (name: string, description: string, body: string): string =>
  `---\nname: ${name}\ndescription: ${description}\n---\n${body}\n`

const mine = {
  '.claude/skills/review/SKILL.md': skill('review', 'Looks at a change.', 'First read the diff.'),
  'project/.zot/skills/deploy/SKILL.md': skill('deploy', 'Puts it on the server.', 'Run it.'),
  'project/.zot/skills/wrong/skill.md': skill('wrong', 'Is left out.', 'Nothing.'),
}

async function withHome(files: Record<string, string>, story: (home: Home) => Promise<void>): Promise<void> {
  const home = homeWith(files)
  try {
    await story(home)
  } finally {
    home.remove()
  }
}

const shared = share(async () => {
  const zotui = await openZot('echo', { env: home => (fill(home, mine), { EDITOR: 'tail -n1' }) })
  await zotui.see('skills deploy, review')
  return zotui
}, startAfresh)

describe('/skills', () => {
  test('lists the skills with their origin, and Enter puts one into the composer', async () => {
    const zotui = await shared()
    await send(zotui, '/skills')
    await zotui.see(/› deploy +project +Puts it on the server\./)
    await zotui.see(/review +global \(claude\) +Looks at a change\./)
    await zotui.see(/wrong +project +left out: it has a skill\.md/)
    await zotui.press('down', 'enter')
    await expectDraft(zotui, '/skill:review')
  })

  test('marks a skill that was added since the start', async () => {
    const zotui = await shared()
    const late = join(zotui.home.path, 'project/.zot/skills/wrong/SKILL.md')
    writeFileSync(late, skill('late', 'Came late.', 'Do.'))
    await send(zotui, '/skills')
    await zotui.see(/late +project +Came late\.; new since the agent started/)
    await zotui.press('esc')
    rmSync(late)
  })

  test('opens the file of a named skill, and suggests the nearest name', async () => {
    const zotui = await shared()
    await send(zotui, '/skills review')
    await zotui.see('First read the diff.', { where: 'history' })
    await expectDraft(zotui, '')
    await send(zotui, '/skills reviews')
    await zotui.see(/no skill reviews\.\s+Did you mean review\?/)
  })

  test('explains that an old zot does not load skills', async () => {
    await withHome(mine, async home => {
      const zotui = await openIn(home, { args: ['--no-skill'] })
      await send(zotui, '/skills')
      await zotui.see(/^▌ skills, not used by zot/m)
      await zotui.close()
    })
  })

  test('explains how to add skills if there are none', async () => {
    const zotui = await openZot('echo', { columns: 80 })
    await zotui.see(/zot 0\.3\.36/)
    await send(zotui, '/skills')
    await zotui.see(/There are no skills here\.\s+A skill is a folder with a SKILL\.md/)
  })

  test('lists the skills with numbers for a screen reader', async () => {
    await withHome(mine, async home => {
      const zotui = await openIn(home, { args: ['--screen-reader'], rows: 40 })
      await zotui.type('/skills')
      await zotui.see(/^> \/skills$/m)
      await zotui.press('enter')
      await zotui.see(/1\. deploy, project, Puts it on the server\./)
      await zotui.type('2')
      await zotui.press('enter')
      await zotui.see(/^> \/skill:review/m)
      await zotui.close()
    })
  })

  test('is not offered in the demo', async () => {
    const zotui = await openDemo()
    await send(zotui, '/skills')
    await zotui.see('/skills is not available in the demo.')
  })
})

describe('/skill:name', () => {
  test('is completed, and sends the skill with the request', async () => {
    const zotui = await shared()
    await zotui.type('/skill:rvw')
    await zotui.see(/› \/skill:review \[text\] +global \(claude\): Looks at a change\./)
    await zotui.press('tab')
    await expectDraft(zotui, '/skill:review')
    await zotui.type('the parser')
    await zotui.press('enter')
    await zotui.see(/You said: Use the skill review: the parser.*First read the diff\./s)
    await zotui.press('up')
    await expectDraft(zotui, '/skill:review the parser')
  })

  test('suggests a name for an unknown skill', async () => {
    const zotui = await shared()
    await send(zotui, '/skill:revew it')
    await zotui.see(/No command \/skill:revew\. Did you mean \/skill:review\?/)
  })

  test('an unusable skill gives the reason and sends nothing', async () => {
    const zotui = await shared()
    await zotui.type('/skill:wrong')
    await zotui.see(/› \/skill:wrong/)
    // Esc and Enter that are read together would be Alt+Enter, a line break.
    await zotui.press('esc')
    await zotui.gone(/› \/skill:wrong/)
    await zotui.press('enter')
    await zotui.see(/\/skill:wrong has a skill\.md, which zot expects as SKILL\.md/)
  })

  test('works as the first prompt on the command line', async () => {
    await withHome(mine, async home => {
      const zotui = await openIn(home, { args: ['/skill:deploy today'] })
      await zotui.see(/You said: Use the skill deploy: today/)
      await zotui.close()
    })
  })
})
