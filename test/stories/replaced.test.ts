/** An update replaces the program's files while zotui runs: what was not loaded yet is gone. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { open } from '../helpers/screen.ts'
import { exitAtRest, expectDraft, program, quick, send } from './stage.ts'

/** A copy of the built program, whose parts can be removed. */
function copyProgram() {
  const folder = mkdtempSync(join(tmpdir(), 'zotui-replaced-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  cpSync(dirname(program), folder, { recursive: true })
  return { file: join(folder, 'zotui.js'), replace: () => rmSync(join(folder, 'chunks'), { recursive: true }) }
}

test('is said in one line for each command that is gone, whose text stays, and the conversation goes on', async () => {
  const copy = copyProgram()
  const zotui = await open({ program: [copy.file, '--demo'], env: quick, rows: 40 })
  await zotui.see(/demo-large|demo \d/)
  await send(zotui, 'help')
  await zotui.see(/^ {2}\d\d:\d\d {3}\d/m)
  copy.replace()
  for (const [at, command] of ['/memory', '/context', '/export html'].entries()) {
    await send(zotui, command)
    await zotui.until(`${at + 1} lines`, {
      check: () => zotui.history().join('\n').split('zotui was updated while it ran').length === at + 2,
    })
    await expectDraft(zotui, command)
    await zotui.press('ctrl+u')
    await expectDraft(zotui, '')
  }
  await send(zotui, 'unicode')
  await zotui.see(/ろったまま[^]*^ {2}\d\d:\d\d {3}\d/m)
  expect(zotui.history().join('\n')).not.toContain('crashed')
  await exitAtRest(zotui)
  expect(await zotui.exit()).toEqual({ code: 0, signal: null })
})
