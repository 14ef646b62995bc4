/** A user looks at the instructions that the agent reads, and adds notes to them. */
import { chmodSync, existsSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { homeWith } from '../helpers/home.ts'
import { share, type Screen } from '../helpers/screen.ts'
import { openEcho, openZot, ready, startAfresh } from './stage.ts'

/** Each test leaves no AGENTS.md. */
const project = share(async () => {
  const zotui = await openEcho()
  writeFileSync(join(zotui.cwd, 'a.ts'), '')
  return zotui
}, startAfresh)

const notes = ({ home }: Screen): string => join(home.project, 'AGENTS.md')

describe('a note after #', () => {
  test('is announced, and is added to AGENTS.md, which is created if it is missing', async () => {
    const zotui = await project()
    await zotui.type('#')
    await zotui.see(/^\+ #$/m)
    await zotui.see('Enter adds this to AGENTS.md; Esc makes it a prompt.')
    await zotui.type(' run the tests')
    await zotui.press('enter')
    await zotui.see('● Added to ~/project/AGENTS.md: run the tests')
    await zotui.see(/zot reads AGENTS\.md only when it starts[^]*› go on[^]*restart it now/)
    expect(readFileSync(notes(zotui), 'utf8')).toBe('- run the tests\n')
    await zotui.type('#and the linter')
    await zotui.see('+ #and the linter')
    await zotui.press('enter')
    await zotui.see('● Added to ~/project/AGENTS.md: and the linter')
    expect(readFileSync(notes(zotui), 'utf8')).toBe('- run the tests\n- and the linter\n')
    await zotui.press('esc')
    await zotui.gone('go on')
    await zotui.press('up')
    await zotui.see('▌ #and the linter')
    rmSync(notes(zotui))
  })

  test.each([
    ['with two signs', async (zotui: Screen) => zotui.type('## heading')],
    ['behind a blank', async (zotui: Screen) => zotui.type(' # heading')],
    ['when it was pasted', async (zotui: Screen) => zotui.paste('# heading')],
  ])('is a prompt %s', async (_name, write) => {
    const zotui = await project()
    await write(zotui)
    await zotui.see(/▌ {1,2}##? heading/)
    await zotui.press('enter')
    await zotui.see(/You said: {1,2}##? heading\./)
    expect(existsSync(notes(zotui))).toBe(false)
  })

  test('is a prompt after Esc', async () => {
    const zotui = await project()
    await zotui.type('# heading')
    await zotui.see('+ # heading')
    await zotui.press('esc')
    await zotui.see('This is a prompt now: Enter sends it.')
    await zotui.see('▌ # heading')
    await zotui.press('enter')
    await zotui.see('You said: # heading.')
    expect(existsSync(notes(zotui))).toBe(false)
  })

  test('is not written through a link that leads out of the project', async () => {
    const zotui = await project()
    writeFileSync(join(zotui.home.path, '.bashrc'), 'true\n')
    symlinkSync(join(zotui.home.path, '.bashrc'), notes(zotui))
    await zotui.type('# rm -rf')
    await zotui.see('+ # rm -rf')
    await zotui.press('enter')
    await zotui.see(/The note was not added: ~\/project\/AGENTS\.md is a link to a file outside the\s+project\./)
    expect(readFileSync(join(zotui.home.path, '.bashrc'), 'utf8')).toBe('true\n')
    rmSync(notes(zotui))
  })
})

test('/memory lists the files that the agent reads, and opens one in the editor', async () => {
  const home = homeWith({ 'project/AGENTS.md': 'Be brief.\n', 'bin/edit': '#!/bin/sh\necho edited >>"$1"\n' })
  chmodSync(join(home.path, 'bin/edit'), 0o755)
  const zotui = await openZot('echo', { home, env: { EDITOR: join(home.path, 'bin/edit') } })
  await zotui.see(ready)
  await zotui.type('/memory')
  await zotui.see(/› \/memory/)
  await zotui.press('enter')
  await zotui.see(/› ~\/project\/AGENTS\.md +project/)
  await zotui.press('enter')
  await zotui.gone(/› ~\/project/)
  await zotui.until('the editor to have run', {
    check: () => readFileSync(join(home.project, 'AGENTS.md'), 'utf8') === 'Be brief.\nedited\n',
  })
})

test('/init asks the agent for an AGENTS.md', async () => {
  const zotui = await project()
  await zotui.type('/init the tests')
  await zotui.see('▌ /init the tests')
  await zotui.press('enter')
  await zotui.seeInHistory(/^▌ \/init the tests/m)
  await zotui.seeInHistory(/Write an AGENTS\.md at the top of this project/)
})
