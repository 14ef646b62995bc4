/** A user keeps a conversation as a file. */
import { turnEnd } from '../helpers/turn-end.ts'
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openQuickDemo, openZot, send, startAfresh } from './stage.ts'

test('/export saves the conversation in each format and never overwrites a file', async () => {
  const zotui = await openQuickDemo({ columns: 120, args: ['thanks'] })
  await zotui.see('You are welcome')
  await zotui.see(turnEnd)
  const { project } = zotui.home
  await send(zotui, '/export html')
  await zotui.see(/^▌ \/export html *\n {2}Written: \S+\.html/m)
  const path = /Written: (\S+\.html)/.exec(zotui.screen().join('\n'))?.[1] ?? ''
  expect(path).toMatch(/\/project\/\d{4}-\d\d-\d\d-thanks\.html$/)
  expect(readFileSync(path, 'utf8')).toContain('You are welcome')
  expect(statSync(path).mode & 0o777).toBe(0o600)

  await send(zotui, '/save')
  await zotui.see(/Written: \S+-thanks\.md/)
  const again = /Written: (\S+\.md)/.exec(zotui.screen().join('\n'))?.[1] ?? ''
  expect(readFileSync(again, 'utf8')).not.toMatch(/Written|Welcome to zotui/)

  writeFileSync(join(project, 'mine.json'), 'mine')
  await send(zotui, '/export mine.json')
  await zotui.see(/mine\.json already exists/)
  expect(readFileSync(join(project, 'mine.json'), 'utf8')).toBe('mine')

  await send(zotui, '/export zotsession my notes')
  await zotui.see(/Written: \S+my notes/)
  expect(readFileSync(join(project, 'my notes'), 'utf8')).toMatch(/^\{"type":"meta"/)

  const files = readdirSync(project)
  await send(zotui, '/export pdf')
  await zotui.see('There is no format pdf. Formats: md, html, json, zotsession.')
  await send(zotui, '/export notes.pdf')
  await zotui.see('/export md notes.pdf writes Markdown')
  expect(readdirSync(project)).toEqual(files)

  await send(zotui, '/export nowhere/a.md')
  await zotui.see(/its folder does not exist/)
  expect(existsSync(join(project, 'nowhere'))).toBe(false)
})

test('/export saves nothing for an empty conversation, and counts only what came after /clear, as /usage does', async () => {
  const zotui = await openZot('echo', { columns: 120, rows: 50 })
  await zotui.see(/zot 0\.3\.36/)
  await send(zotui, '/export')
  await zotui.see('There is no conversation to export yet.')
  for (const words of ['first', 'second']) {
    await send(zotui, words)
    await zotui.see(`You said: ${words}.`)
  }
  await zotui.see(/↑4k/)
  await send(zotui, '/clear')
  await zotui.see(/forgotten everything above/)
  await startAfresh(zotui)
  await send(zotui, '/export')
  await zotui.see('There is no conversation to export yet.')
  await send(zotui, 'third')
  await zotui.see('You said: third.')
  await zotui.see(turnEnd)
  await send(zotui, '/usage')
  await zotui.see(/this session +1 turn /)
  await zotui.press('esc')
  await send(zotui, '/export md all.md')
  await zotui.see(/Written: \S+all\.md/)
  const text = readFileSync(join(zotui.home.project, 'all.md'), 'utf8')
  expect(text).toContain('You said: third.')
  expect(text).not.toMatch(/first|second|to export/)
})
